import type { Client, ClientBase } from 'pg';
import { daysBetween, FarmCalendar, FIRST_DAY, LAST_DAY, plusDays } from './calendar.js';
import { courseOf } from './courses.js';
import type { Farm } from './farm.js';
import { findFarm, type StoredFarm } from './farm-rows.js';
import type { Category, Holding } from './head-line.js';
import type {
  Act,
  Animal,
  Balance,
  DatedLine,
  Dimension,
  Entry,
  FarmRecords,
  Flow,
  LocalDate,
  Movement,
  Names,
  Period,
  RecordRef,
  StockCount,
  Transition,
  TreatmentAct,
} from './reader.js';
import {
  type DeclaredAnimal,
  type Feeding,
  type FeedSale,
  LONGEST_FEEDING_DAYS,
  TELLING_OF,
} from './resources/index.js';
import { SnapshotDeclarations } from './snapshot-declarations.js';
import { readBodies, readEntries } from './snapshot-entries.js';
import { type EventQuery, readEvents, type StoredEvent } from './snapshot-events.js';
import {
  batches,
  codesOf,
  LINE_COLUMNS,
  LINE_KINDS,
  type LineColumns,
  milliseconds,
  toLine,
} from './snapshot-sql.js';
import { SnapshotReading } from './snapshot-reading.js';
import { SnapshotSums } from './snapshot-sums.js';
import {
  RECLASSIFICATION,
  toTransition,
  TRANSITION_KINDS,
  type TransitionRow,
  TRANSITIONS,
} from './snapshot-transitions.js';

class NoSuchFarm extends Error {}

/** An import of the farm was stored and not booked, for instance because it was killed: SettleFarm books it. */
export class FarmUnsettled extends Error {}

/** Records that bring head or take them away, and the lines that they have. */
const MOVEMENTS: readonly { types: readonly string[]; lines: readonly Category[] }[] = [
  { types: TELLING_OF.births, lines: ['birth', 'tagging'] },
  { types: TELLING_OF.arrivals, lines: ['purchase', 'transfer_in', 'sale'] },
  { types: TELLING_OF.departures, lines: ['sale', 'transfer_out'] },
  { types: TELLING_OF.deaths, lines: ['death', 'ration', 'missing'] },
];

/**
 * Opens a farm's records as one snapshot: leaves the client in a REPEATABLE READ READ ONLY transaction, which the caller ends, as
 * that of `second`, through which long results come faster. Throws NoSuchFarm, and FarmUnsettled so that no report sees half a ledger.
 */
export async function openFarmRecords(
  client: ClientBase,
  farmId: string,
  second?: Client,
): Promise<FarmRecords> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const farm = await findFarm(client, farmId);
  if (!farm) throw new NoSuchFarm(`There is no farm ${farmId}`);
  if (farm.unsettledFrom !== undefined)
    throw new FarmUnsettled(`The records of ${farmId} are not all booked`);
  return openSnapshot(new SnapshotReading(client, second), farm);
}

async function openSnapshot(reading: SnapshotReading, farm: StoredFarm): Promise<FarmRecords> {
  const calendar = new FarmCalendar(farm.timeZone);
  const declarations = new SnapshotDeclarations(reading.first, calendar, [farm.bucket, farm.id]);
  return new FarmSnapshot(reading, farm, calendar, declarations, await declarations.names());
}

class FarmSnapshot implements FarmRecords {
  readonly farm: Farm;
  readonly position: number;
  readonly calendar: FarmRecords['calendar'];
  private readonly of: readonly [bucket: number, farmId: string];
  private readonly sums: SnapshotSums;

  constructor(
    private readonly reading: SnapshotReading,
    farm: StoredFarm,
    private readonly days: FarmCalendar,
    private readonly declarations: SnapshotDeclarations,
    readonly names: Names,
  ) {
    this.farm = farm;
    this.position = farm.position;
    this.of = [farm.bucket, farm.id];
    this.sums = new SnapshotSums(reading.first, days, this.of);
    this.calendar = calendarOf(days);
  }

  async firstDay(): Promise<LocalDate | undefined> {
    const { rows } = await this.reading.first.query<{ day: string }>(
      `SELECT begins::text AS day FROM class_flow WHERE bucket = $1 AND farm_id = $2 AND unit = 'day' ORDER BY begins LIMIT 1`,
      [...this.of],
    );
    return rows[0]?.day;
  }

  balances(day: LocalDate, by: readonly Dimension[]): Promise<Balance[]> {
    return this.sums.balances(clamp(day), by);
  }

  async flows(period: Period, by: readonly Dimension[]): Promise<Flow[]> {
    const { start, end } = clampAll(period);
    return (await this.sums.flows([start, plusDays(end, 1)], by))[0] ?? [];
  }

  flowsBetween(days: readonly LocalDate[], by: readonly Dimension[]): Promise<Flow[][]> {
    return this.sums.flows(days.map(clamp), by);
  }

  headLines(period: Period, categories?: readonly Category[]): AsyncGenerator<DatedLine[]> {
    return this.lines(period, 'l.delta <> 0', categories);
  }

  mobLines(period: Period, categories: readonly Category[]): AsyncGenerator<DatedLine[]> {
    return this.lines(period, `l.animal = '' AND l.mob <> ''`, categories, 'l.empties');
  }

  private async *lines(
    period: Period,
    where: string,
    categories: readonly Category[] | undefined,
    whatever = 'false',
  ): AsyncGenerator<DatedLine[]> {
    const text = `
      SELECT ${milliseconds('l.at')}, l.day::text, ${LINE_COLUMNS} FROM head_line l
       WHERE l.bucket = $1 AND l.farm_id = $2 AND l.at >= $3 AND l.at < $4 AND ${where}
         AND ($5::integer[] IS NULL OR l.category = ANY($5) OR ${whatever})
       ORDER BY l.at, l.turn, l.line`;
    const values = [...this.of, ...this.bounds(period), categories ? codesOf(categories) : null];
    for await (const rows of batches<[number, string, ...LineColumns]>(this.reading, text, values, [
      'number',
      'text',
      ...LINE_KINDS,
    ])) {
      yield rows.map(([at, day, ...line]) => ({ ...toLine(line), at, day }));
    }
  }

  entries(
    period: Period,
    of: Partial<Holding> = {},
    categories?: readonly Category[],
  ): AsyncGenerator<Entry[]> {
    const [from, until] = this.bounds(period);
    const query = { from, until, of, ...(categories && { categories }) };
    return readEntries(this.reading, this.days, this.of, query);
  }

  bodies(records: readonly Pick<RecordRef, 'source' | 'sourceId'>[]): Promise<(string | undefined)[]> {
    return readBodies(this.reading.first, this.of, records);
  }

  async *transitions(period: Period): AsyncGenerator<Transition[]> {
    const values = [...this.of, ...this.bounds(period), RECLASSIFICATION];
    // Its joins are of many lines with many; a planner without statistics would go through them one by one.
    const settings = ['enable_nestloop = off'];
    for await (const rows of batches<TransitionRow>(
      this.reading,
      TRANSITIONS,
      values,
      TRANSITION_KINDS,
      settings,
    ))
      yield rows.map(toTransition);
  }

  async counts(period: Period): Promise<StockCount[]> {
    const counts: StockCount[] = [];
    for await (const events of this.events(period, { resourceTypes: ['StockCount'] }))
      counts.push(...events.flatMap(toCounts));
    return counts;
  }

  async *movements(period: Period, categories: readonly Category[]): AsyncGenerator<Movement[]> {
    const resourceTypes = MOVEMENTS.flatMap(({ types, lines }) =>
      lines.some((category) => categories.includes(category)) ? types : [],
    );
    for await (const events of this.events(period, { resourceTypes, categories }))
      yield await this.toMovements(events);
  }

  async *treatments(period: Period): AsyncGenerator<TreatmentAct[]> {
    const medicines = await this.declarations.medicines();
    const lastDays = await this.lastDaysOfCourses(period.start);
    // Who was treated and when is known of the lines and the record: what was given is said of a whole mob in the same words.
    const query = {
      resourceTypes: TELLING_OF.treatments,
      without: ['id', 'meta', 'animal', 'eventDateTime', 'date'],
    };
    for await (const events of this.events(period, query)) {
      yield events.flatMap(({ record, lines, statement }) => {
        if (!('does' in statement) || statement.does !== 'treat') return [];
        const { treatment: what } = statement;
        const medicine = medicines.of(what);
        return [
          {
            record,
            lines,
            what,
            lastOfCourse: (line) => lastDays.get(courseOf(what.courseId, line)) ?? record.day,
            ...(medicine && { medicine }),
          },
        ];
      });
    }
  }

  async *feedings(period: Period): AsyncGenerator<Act<Feeding>[]> {
    const start = this.days.startOf(clamp(period.start));
    const lasting = `(r.at >= '${new Date(start).toISOString()}' OR r.body ? 'feedingEndDateTime')`;
    const query = { resourceTypes: TELLING_OF.feedings, where: lasting };
    for await (const events of this.events(period, query, LONGEST_FEEDING_DAYS + 1)) {
      yield events.flatMap(({ record, lines, statement }) => {
        if (!('does' in statement) || statement.does !== 'feed') return [];
        const what = statement.feeding;
        return record.at >= start || this.endOf(what) > start ? [{ record, lines, what }] : [];
      });
    }
  }

  async *feedSales(period: Period): AsyncGenerator<Act<FeedSale>[]> {
    for await (const events of this.events(period, { resourceTypes: TELLING_OF.feedSales })) {
      yield events.flatMap(({ record, lines, statement }) => {
        return 'sale' in statement ? [{ record, lines, what: statement.sale }] : [];
      });
    }
  }

  paddocks = () => this.declarations.paddocks();
  ratings = () => this.declarations.ratings();
  feeds = () => this.declarations.feeds();

  private events(
    period: Period,
    query: Omit<EventQuery, 'from' | 'until'>,
    daysBefore = 0,
  ): AsyncGenerator<StoredEvent[]> {
    const { start, end } = clampAll(period);
    const from = this.days.startOf(plusDays(start, -daysBefore));
    return readEvents(this.reading, this.days, this.of, {
      ...query,
      from,
      until: this.days.startOf(plusDays(end, 1)),
    });
  }

  /** Of the courses with several days of administration to one mob or animal on or after a day. */
  private async lastDaysOfCourses(since: LocalDate): Promise<Map<string, LocalDate>> {
    const text = `
      SELECT btrim(r.body #>> '{ext,courseId}') AS course, l.animal, CASE l.animal WHEN '' THEN l.mob ELSE '' END AS mob, max(r.day)::text
        FROM farm_record r
        JOIN head_line l ON l.bucket = $1 AND l.farm_id = $2 AND l.at = r.at AND l.record = r.number
       WHERE r.bucket = $1 AND r.farm_id = $2 AND r.resource_type = ANY($3) AND r.at >= $4 AND NOT r.deleted
         AND r.body #>> '{ext,courseId}' IS NOT NULL
       GROUP BY 1, 2, 3 HAVING max(r.day) > min(r.day)`;
    const values = [
      ...this.of,
      TELLING_OF.treatments,
      new Date(this.days.startOf(clamp(since))).toISOString(),
    ];
    const kinds = ['text', 'text', 'text', 'text'] as const;
    const days = new Map<string, LocalDate>();
    for await (const rows of batches<[string, string, string, string]>(this.reading, text, values, kinds))
      for (const [course, animal, mob, day] of rows) days.set(courseOf(course, { animal, mob }), day);
    return days;
  }

  private async toMovements(events: readonly StoredEvent[]): Promise<Movement[]> {
    const keys = new Set(events.flatMap(({ lines }) => lines.map((line) => line.animal)));
    keys.delete('');
    const declared = await this.declarations.animals([...keys]);
    return events.flatMap(({ record, lines, statement }) => {
      if (!('does' in statement) || !('details' in statement)) return [];
      const { trade, sex, breed, animal } = statement.details;
      const animals = lines.flatMap((line) => {
        const known = declared.get(line.animal) ?? (animal?.key === line.animal ? animal : undefined);
        return known ? [[line.animal, toAnimal(known)] as const] : [];
      });
      const kind = { ...(sex !== undefined && { sex }), ...(breed !== undefined && { breed }) };
      return [{ record, lines, trade, ...kind, animals: new Map(animals) }];
    });
  }

  private endOf({ end }: Feeding): number {
    if (!end) return -Infinity;
    return 'instant' in end ? end.instant : this.days.startOf(plusDays(end.day, 1));
  }

  private bounds(period: Period): [string, string] {
    const { start, end } = clampAll(period);
    return [start, plusDays(end, 1)].map((day) => new Date(this.days.startOf(day)).toISOString()) as [
      string,
      string,
    ];
  }
}

function toCounts({ record, lines, statement }: StoredEvent): StockCount[] {
  const booked = 'does' in statement && statement.does === 'count' && statement.bookAdjustment;
  return lines
    .filter((line) => line.category === 'count')
    .map(({ species, enterprise, ageClass, mob, head, book = 0 }) => ({
      record,
      species,
      enterprise,
      ageClass,
      mob,
      counted: head,
      book,
      booked,
    }));
}

function toAnimal({ key: _key, claim: _claim, ...animal }: DeclaredAnimal): Animal {
  return animal;
}

function calendarOf(days: FarmCalendar): FarmRecords['calendar'] {
  return {
    startOf: (day) => days.startOf(clamp(day)),
    dayOf: (at) => days.dayOf(at),
    timeOf: (at) => days.timeOf(at),
    plusDays: (day, count) => plusDays(clamp(day), count),
    months: (period) => monthsOf(clampAll(period)),
    days: (period) => daysIn(clampAll(period)),
  };
}

function monthsOf({ start, end }: Period): { month: string; period: Period; days: number }[] {
  const months = [];
  for (let first = start; first <= end;) {
    const next = `${plusDays(`${first.slice(0, 7)}-01`, 31).slice(0, 7)}-01`;
    const last = next > end ? end : plusDays(next, -1);
    const period = { start: first, end: last };
    months.push({ month: first.slice(0, 7), period, days: daysIn(period) });
    first = next;
  }
  return months;
}

function daysIn({ start, end }: Period): number {
  return Math.max(0, daysBetween(start, end) + 1);
}

const DAY_AFTER_LAST = plusDays(LAST_DAY, 1);

/** Requests may reach to the end of time (year 275760, written with a sign); records do not, but for the day after the last. */
function clamp(day: LocalDate): LocalDate {
  if (day.startsWith('-') || day < FIRST_DAY) return day.startsWith('+') ? LAST_DAY : FIRST_DAY;
  return day > DAY_AFTER_LAST ? LAST_DAY : day;
}

function clampAll({ start, end }: Period): Period {
  return { start: clamp(start), end: clamp(end) };
}
