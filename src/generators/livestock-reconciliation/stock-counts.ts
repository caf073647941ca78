import type { StockCount } from '../../farm-records/reader.js';

/** What the counts of a period say of a group of stock. */
export interface Counted {
  readonly head: number;
  /** The latest day that any of it was counted. */
  readonly date: string;
  /** Counted minus book, as far as it was not booked. */
  readonly unreconciled: number;
}

/** A count in its place among all counts of the period. */
export type PlacedCount = StockCount & { readonly place: number };

const GRAIN = ['species', 'enterprise', 'ageClass', 'mob'] as const;

/**
 * What counts of a group come to; undefined without any. No head counts twice: a count takes the place of every earlier one
 * that may have seen some of the same stock, such as of all ewes that of a mob of them, and of a mob that of all.
 */
export function counted(counts: readonly PlacedCount[]): Counted | undefined {
  let last: PlacedCount[] = [];
  for (const count of counts.toSorted((a, b) => a.place - b.place))
    last = [...last.filter((earlier) => !overlap(earlier, count)), count];
  if (last.length === 0) return undefined;
  return {
    head: last.reduce((head, count) => head + count.counted, 0),
    date: last.reduce((date, { record }) => (record.day > date ? record.day : date), ''),
    unreconciled: last.reduce((head, count) => head + unreconciled(count), 0),
  };
}

function overlap(one: StockCount, other: StockCount): boolean {
  return GRAIN.every((what) => one[what] === other[what] || one[what] === '' || other[what] === '');
}

function unreconciled({ counted: head, book, booked }: StockCount): number {
  return booked ? 0 : head - book;
}
