import type { ItemPlace } from './import-items.js';
import type { FieldProblem } from './resources/index.js';
import type { Outcome } from './store-records.js';

/** How many items became what. */
export type ImportCounts = Readonly<Record<Outcome | 'rejected', number>>;

/** What became of an import (http-api 10). */
export interface ImportSummary extends ImportCounts {
  /** The first 100. */
  readonly errors: readonly (ItemPlace & FieldProblem)[];
  /** One an item, where that was asked for. */
  readonly items?: readonly ItemResult[];
}

export interface ItemResult {
  readonly index: number;
  readonly status: Outcome | 'rejected';
  /** The record's id in its source. */
  readonly id?: string;
  readonly errors?: readonly FieldProblem[];
}

export const ERRORS_TOLD = 100;

const NONE: ImportCounts = { accepted: 0, replaced: 0, unchanged: 0, rejected: 0 };

/** Counts what becomes of items. */
export class ImportTally {
  private readonly counts = { ...NONE };
  private told: ImportCounts = NONE;
  private readonly errors: (ItemPlace & FieldProblem)[] = [];
  private readonly items: ItemResult[] = [];

  constructor(private readonly itemised: boolean) {}

  count(place: ItemPlace | undefined, status: Outcome, id: string): void {
    this.counts[status]++;
    if (this.itemised && place && 'index' in place) this.items.push({ index: place.index, status, id });
  }

  reject(place: ItemPlace, problems: readonly FieldProblem[]): void {
    this.counts.rejected++;
    for (const problem of problems)
      if (this.errors.length < ERRORS_TOLD) this.errors.push({ ...place, ...problem });
    if (this.itemised && 'index' in place)
      this.items.push({ index: place.index, status: 'rejected', errors: problems });
  }

  /** What was counted since this was asked last. */
  news(): ImportCounts {
    const { accepted, replaced, unchanged, rejected } = this.counts;
    const news = {
      accepted: accepted - this.told.accepted,
      replaced: replaced - this.told.replaced,
      unchanged: unchanged - this.told.unchanged,
      rejected: rejected - this.told.rejected,
    };
    this.told = { ...this.counts };
    return news;
  }

  summary(): ImportSummary {
    const items = this.items.toSorted((one, other) => one.index - other.index);
    return { ...this.counts, errors: this.errors, ...(this.itemised && { items }) };
  }
}
