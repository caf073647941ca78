import type { StockCount } from '../../farm-records/reader.js';

/** What the counts of a period say of a group of stock. */
export interface Counted {
  readonly head: number;
  /** The latest day that any of it was counted. */
  readonly date: string;
  /** Counted minus book, as far as it was not booked. */
  readonly unreconciled: number;
}

/**
 * The last counts of one class of one enterprise: of all its stock at once, or mob by mob over several days. A count of all
 * takes the place of everything before it, a mob's that of the same mob or of a count of all.
 */
export class StockCounts {
  private byMob = new Map<string, Counted>();

  /** In the order of the counts. */
  add({ mob, counted, book, booked, record }: StockCount): void {
    if (mob === '') this.byMob.clear();
    else this.byMob.delete('');
    this.byMob.set(mob, { head: counted, date: record.day, unreconciled: booked ? 0 : counted - book });
  }

  get last(): Counted | undefined {
    return combined([...this.byMob.values()]);
  }
}

/** Counts of several groups together; undefined when none was counted. */
export function combined(counts: readonly (Counted | undefined)[]): Counted | undefined {
  const known = counts.filter((count) => count !== undefined);
  if (known.length === 0) return undefined;
  return {
    head: known.reduce((head, count) => head + count.head, 0),
    date: known.reduce((date, count) => (count.date > date ? count.date : date), ''),
    unreconciled: known.reduce((head, count) => head + count.unreconciled, 0),
  };
}
