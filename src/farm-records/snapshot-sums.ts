import type { ClientBase } from 'pg';
import { type FarmCalendar, plusDays } from './calendar.js';
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

/** A stretch of whole months, or of lines inside a month, that belongs to the period with an index. */
interface Span {
  readonly period: number;
  readonly from: LocalDate;
  readonly until: LocalDate;
}

type SumRow = [
  period: number,
  ...dimensions: string[],
  category: number,
  head: string,
  value: string,
  valuedHead: string,
];

/** Sums of the ledger over days: whole months from the monthly flows, the rest from the lines of the months at the edges. */
export class SnapshotSums {
  constructor(
    private readonly client: ClientBase,
    private readonly calendar: FarmCalendar,
    private readonly of: readonly [bucket: number, farmId: string],
  ) {}

  async balances(day: LocalDate, by: readonly Dimension[]): Promise<Balance[]> {
    const rows = await this.sum(spansOf([BEGINNING, day]), by, 'sum(delta) <> 0', false);
    return rows.map((row) => ({ ...groupOf(row, by), head: Number(row.at(-3)) }));
  }

  async flows(days: readonly LocalDate[], by: readonly Dimension[]): Promise<Flow[][]> {
    const flows: Flow[][] = days.slice(1).map(() => []);
    for (const row of await this.sum(spansOf(days), by, 'true', true)) {
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
    spans: { months: Span[]; days: Span[] },
    by: readonly Dimension[],
    having: string,
    byCategory: boolean,
  ): Promise<SumRow[]> {
    const group = [
      'period',
      ...by.map((dimension) => COLUMN[dimension]),
      ...(byCategory ? ['category'] : []),
    ];
    const columns = ['period', ...new Set(by.map((dimension) => COLUMN[dimension])), 'category'];
    const { rows } = await this.client.query<SumRow>({
      rowMode: 'array',
      text: `
        SELECT ${group.join(', ')}, sum(delta), trim_scale(sum(value))::text, sum(valued_head) FROM (
          SELECT ${columns.join(', ')}, delta, value, valued_head
            FROM unnest($3::integer[], $4::date[], $5::date[]) AS span(period, from_month, until_month)
           CROSS JOIN LATERAL (
             SELECT * FROM monthly_flow
              WHERE bucket = $1 AND farm_id = $2 AND month >= from_month AND month < until_month OFFSET 0) AS flow
          UNION ALL
          SELECT ${columns.join(', ')}, delta, coalesce(value, 0), CASE WHEN value IS NULL THEN 0 ELSE head END
            FROM unnest($6::integer[], $7::timestamptz[], $8::timestamptz[]) AS span(period, from_at, until_at)
           CROSS JOIN LATERAL (
             SELECT * FROM head_line
              WHERE bucket = $1 AND farm_id = $2 AND at >= from_at AND at < until_at AND delta <> 0 OFFSET 0) AS line
        ) AS part
        GROUP BY ${group.join(', ')} HAVING ${having} ORDER BY ${group.join(', ')}`,
      values: [
        ...this.of,
        ...arrays(spans.months, (day) => day),
        ...arrays(spans.days, (day) => this.instantOf(day)),
      ],
    });
    return rows;
  }

  private instantOf(day: LocalDate): string {
    return new Date(this.calendar.startOf(day)).toISOString();
  }
}

/** Cuts consecutive periods into whole months and the days around them. */
export function spansOf(days: readonly LocalDate[]): { months: Span[]; days: Span[] } {
  const spans: { months: Span[]; days: Span[] } = { months: [], days: [] };
  for (const [period, until] of days.slice(1).entries()) {
    const from = days[period] ?? until;
    const firstWhole = monthOf(from) === from ? from : nextMonth(from);
    const lastWhole = monthOf(until);
    if (firstWhole > lastWhole) spans.days.push({ period, from, until });
    else {
      spans.days.push({ period, from, until: firstWhole }, { period, from: lastWhole, until });
      spans.months.push({ period, from: firstWhole, until: lastWhole });
    }
  }
  const some = (span: Span) => span.from < span.until;
  return { months: spans.months.filter(some), days: spans.days.filter(some) };
}

function monthOf(day: LocalDate): LocalDate {
  return `${day.slice(0, 7)}-01`;
}

function nextMonth(day: LocalDate): LocalDate {
  return monthOf(plusDays(monthOf(day), 31));
}

function arrays(spans: readonly Span[], bound: (day: LocalDate) => string): [number[], string[], string[]] {
  return [
    spans.map(({ period }) => period),
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
