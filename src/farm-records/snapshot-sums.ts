import type { ClientBase } from 'pg';
import type { FarmCalendar } from './calendar.js';
import { type Span, spansOf, type Unit } from './day-spans.js';
import type { Holding } from './head-line.js';
import type { Balance, Dimension, Flow, LocalDate } from './reader.js';
import { categoryOf } from './snapshot-sql.js';

const COLUMN: Readonly<Record<Dimension, string>> = {
  species: 'species',
  enterprise: 'enterprise',
  ageClass: 'age_class',
  mob: 'mob',
  paddock: 'paddock',
};
const DIMENSIONS = Object.keys(COLUMN) as Dimension[];
/** Before every month that the ledger can have. */
const BEGINNING = '1800-01-01';

/** Classes have sums of their own, without mob and paddock. */
const OF_CLASSES: readonly Dimension[] = ['species', 'enterprise', 'ageClass'];

/** A span that belongs to the period with an index. */
interface PeriodSpan extends Span {
  readonly period: number;
}

type SumRow = [
  period: number,
  ...dimensions: string[],
  category: number,
  head: string,
  value: string,
  valuedHead: string,
];

/**
 * Sums of the ledger over days: of classes from the sums of years, quarters, months and days; by mob or paddock from those of months and, at the
 * edges, from the lines.
 */
export class SnapshotSums {
  constructor(
    private readonly client: ClientBase,
    private readonly calendar: FarmCalendar,
    private readonly of: readonly [bucket: number, farmId: string],
  ) {}

  async balances(day: LocalDate, by: readonly Dimension[]): Promise<Balance[]> {
    const rows = await this.sum([BEGINNING, day], by, 'sum(delta) <> 0', false);
    return rows.map((row) => ({ ...groupOf(row, by), head: Number(row.at(-3)) }));
  }

  async flows(days: readonly LocalDate[], by: readonly Dimension[]): Promise<Flow[][]> {
    const flows: Flow[][] = days.slice(1).map(() => []);
    for (const row of await this.sum(days, by, 'sum(lines) <> 0', true)) {
      const [category, head, value, valuedHead] = row.slice(-4) as [number, string, string, string];
      flows[row[0]]?.push({
        ...groupOf(row, by),
        category: categoryOf(category),
        head: Number(head),
        value,
        valuedHead: Number(valuedHead),
      });
    }
    return flows;
  }

  private async sum(
    days: readonly LocalDate[],
    by: readonly Dimension[],
    having: string,
    byCategory: boolean,
  ): Promise<SumRow[]> {
    const group = [
      'period',
      ...by.map((dimension) => COLUMN[dimension]),
      ...(byCategory ? ['category'] : []),
    ].join(', ');
    const { parts, values } = by.every((dimension) => OF_CLASSES.includes(dimension))
      ? { parts: CLASS_FLOWS, values: classSpans(days) }
      : { parts: PLACE_FLOWS, values: this.placeSpans(days) };
    const { rows } = await this.client.query<SumRow>({
      rowMode: 'array',
      text: `SELECT ${group}, sum(delta), trim_scale(sum(value))::text, sum(valued_head) FROM (${parts}) AS part
              GROUP BY ${group} HAVING ${having} ORDER BY ${group}`,
      values: [...this.of, ...values],
    });
    return rows;
  }

  private placeSpans(days: readonly LocalDate[]): unknown[] {
    const spans = spansOfPeriods(days, ['month', 'day']);
    const instantOf = (day: LocalDate) => new Date(this.calendar.startOf(day)).toISOString();
    return [
      ...arrays(spans.filter(({ unit }) => unit === 'month')),
      ...arrays(
        spans.filter(({ unit }) => unit === 'day'),
        instantOf,
      ),
    ];
  }
}

// Each span asks for itself: a planner without statistics would read a whole farm for a list of them.
const CLASS_FLOWS = `
  SELECT period, flow.* FROM unnest($3::text[], $4::integer[], $5::integer[], $6::date[], $7::date[]) AS span(units, period, sign, first, last)
   CROSS JOIN LATERAL (
     SELECT species, enterprise, age_class, category, sign * delta AS delta, sign * value AS value,
            sign * valued_head AS valued_head, sign * lines AS lines
       FROM class_flow
      WHERE bucket = $1 AND farm_id = $2 AND unit = units COLLATE "C" AND begins >= first AND begins < last OFFSET 0) AS flow`;
const PLACE_FLOWS = `
  SELECT period, flow.* FROM unnest($3::integer[], $4::integer[], $5::date[], $6::date[]) AS span(period, sign, first, last)
   CROSS JOIN LATERAL (
     SELECT species, enterprise, age_class, mob, paddock, category, sign * delta AS delta, sign * value AS value,
            sign * valued_head AS valued_head, sign * lines AS lines
       FROM monthly_flow
      WHERE bucket = $1 AND farm_id = $2 AND month >= first AND month < last OFFSET 0) AS flow
  UNION ALL
  SELECT period, line.* FROM unnest($7::integer[], $8::integer[], $9::timestamptz[], $10::timestamptz[]) AS span(period, sign, first, last)
   CROSS JOIN LATERAL (
     SELECT species, enterprise, age_class, mob, paddock, category, sign * delta, sign * coalesce(value, 0),
            CASE WHEN value IS NULL THEN 0 ELSE sign * head END, sign
       FROM head_line
      WHERE bucket = $1 AND farm_id = $2 AND at >= first AND at < last AND delta <> 0 OFFSET 0) AS line`;

function classSpans(days: readonly LocalDate[]): unknown[] {
  const spans = spansOfPeriods(days);
  return [spans.map(({ unit }) => unit), ...arrays(spans)];
}

/** Of consecutive periods. */
function spansOfPeriods(days: readonly LocalDate[], units?: readonly Unit[]): PeriodSpan[] {
  return days
    .slice(1)
    .flatMap((until, period) =>
      spansOf(days[period] ?? until, until, units).map((span) => ({ ...span, period })),
    );
}

function arrays(spans: readonly PeriodSpan[], bound = (day: LocalDate): string => day): unknown[] {
  return [
    spans.map(({ period }) => period),
    spans.map(({ sign }) => sign),
    spans.map(({ from }) => bound(from)),
    spans.map(({ until }) => bound(until)),
  ];
}

function groupOf(row: SumRow, by: readonly Dimension[]): Holding {
  const group = Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, ''])) as Record<
    Dimension,
    string
  >;
  by.forEach((dimension, index) => (group[dimension] = String(row[index + 1])));
  return group;
}
