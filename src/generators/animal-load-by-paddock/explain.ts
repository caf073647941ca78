import type { Entry, FarmRecords, HeadLine, Holding, LocalDate, Period } from '../../farm-records/reader.js';
import { type Brings, plain } from '../evidence.js';
import type { Evidence, GenerationInput, RowExplanation, RowInQuestion } from '../generator.js';
import { FarmClock } from './farm-clock.js';
import { Load, type Moment } from './head-time.js';
import { Ratings } from './ratings.js';
import { type Segment, segmentsOf } from './segments.js';

/**
 * Head count from the moment a record brought them to the end of the row's time, and less from the moment one took them away; what
 * stood there at its start is brought forward.
 */
export async function explainRow(
  { records, period }: GenerationInput,
  row: RowInQuestion,
): Promise<RowExplanation> {
  const time = timeOf(records, period, row);
  if (!time) return { broughtForward: {}, evidence: nothing() };
  const land = new LandInTime(records, time, new Ratings(await records.ratings(), records));
  const where = row.rowType === 'total' ? {} : { paddock: String(row.cells.paddock_id ?? '') };
  const days = { start: row.since > time.start ? row.since : time.start, end: time.end };
  return {
    broughtForward: await land.broughtForward(where),
    evidence: land.evidence(records.entries(days, where)),
  };
}

/** The month of a detail as far as it lies in the period; the whole period of a total. */
function timeOf({ calendar }: FarmRecords, period: Period, { cells }: RowInQuestion): Period | undefined {
  const { month = null } = cells;
  return month === null ? period : calendar.months(period).find((each) => each.month === month)?.period;
}

class LandInTime {
  private readonly segments: readonly Segment[];
  private readonly clock: FarmClock;

  constructor(
    private readonly records: FarmRecords,
    private readonly time: Period,
    private readonly ratings: Ratings,
  ) {
    this.segments = segmentsOf(records, time, ratings.days);
    this.clock = new FarmClock(records, time.start);
  }

  async broughtForward(where: Partial<Holding>): Promise<Record<string, number | string>> {
    const { start } = this.time;
    const stood = await this.records.balances(start, ['species', 'ageClass', 'mob', 'paddock']);
    const load = new Load();
    for (const standing of stood) {
      if (where.paddock !== undefined && standing.paddock !== where.paddock) continue;
      this.stand(load, standing, standing.head, { day: 0, ms: 0, length: 1 }, start);
    }
    return plain(bringsOf(load));
  }

  async *evidence(entries: AsyncIterable<readonly Entry[]>): AsyncIterable<readonly Evidence[]> {
    for await (const batch of entries)
      yield batch.flatMap((entry) => (entry.lines.some(movesHead) ? this.evidenceOf(entry) : []));
  }

  /** A record that moves head within the land alone brings nothing to it. */
  private evidenceOf({ record, lines }: Entry): Evidence[] {
    const load = new Load();
    const moment = this.clock.momentOf(record.at, record.day);
    for (const line of lines) this.stand(load, line, line.delta, moment, record.day);
    const brings = plain(bringsOf(load));
    return Object.values(brings).every((amount) => Number(amount) === 0) ? [] : [{ record, brings }];
  }

  /** Head stand from a moment of a day to the end, rated segment by segment. */
  private stand(load: Load, holding: Holding, head: number, from: Moment, day: LocalDate): void {
    for (const segment of this.segments) {
      const { start, end } = segment.period;
      if (end < day) continue;
      const begin = start > day ? this.clock.momentOf(this.clock.startOf(start), start) : from;
      load.add(this.ratings.on(start, holding), head, begin, this.clock.after(segment));
    }
  }
}

function bringsOf(load: Load): Brings {
  return { head_days: load.headDays, unit_days: load.unitDays, head_days_unrated: load.unratedHeadDays };
}

function movesHead({ delta }: HeadLine): boolean {
  return delta !== 0;
}

async function* nothing(): AsyncIterable<readonly Evidence[]> {
  // A month that the period no longer has.
}
