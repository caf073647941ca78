import { Command, Query } from '@nestjs/cqrs';
import type { Caller, ReportRecord, ReportRequest } from '../reports/index.js';

/** A client that has asked for a deprecated type; a person's part in it is not kept. */
export interface DeprecatedUse {
  /** The credential, such as `api-key:ak_…` or `client:…`. */
  readonly client: string;
  readonly uses: number;
  /** Unix milliseconds. */
  readonly lastUsedAt: number;
}

export interface Deprecation {
  readonly type: string;
  readonly title: string;
  readonly replacedBy: string;
  /** Unix seconds, as far as they are set. */
  readonly deprecatedSince?: number;
  readonly sunset?: number;
  /** Asked for by all clients together: reports made, reused and joined. */
  readonly uses: number;
  /** The latest user first. */
  readonly clients: readonly DeprecatedUse[];
}

/** Every deprecated type with who still uses it, counted over all processes and restarts. */
export class ListDeprecations extends Query<readonly Deprecation[]> {}

export interface ColumnDifferences {
  readonly onlyDeprecated: readonly string[];
  readonly onlyReplacement: readonly string[];
  /** Of another type or unit. */
  readonly changed: readonly string[];
}

/** A cell that is not the same; null is blank. */
export interface CellDifference {
  readonly column: string;
  readonly deprecated: string | number | null;
  readonly replacement: string | number | null;
}

/** Rows count from 1, in the order of the content. */
export type RowDifference =
  | {
      readonly kind: 'changed';
      readonly deprecatedRow: number;
      readonly replacementRow: number;
      readonly cells: readonly CellDifference[];
    }
  | { readonly kind: 'only-deprecated'; readonly deprecatedRow: number }
  | { readonly kind: 'only-replacement'; readonly replacementRow: number };

export interface RowCounts {
  readonly same: number;
  readonly changed: number;
  readonly onlyDeprecated: number;
  readonly onlyReplacement: number;
}

/** What a deprecated type and its replacement say of the same farm and period, on the same records. */
export interface Comparison {
  readonly status: 'compared';
  readonly type: string;
  readonly replacedBy: string;
  /** All columns, rows and cells. */
  readonly same: boolean;
  readonly columns: ColumnDifferences;
  readonly rows: RowCounts;
  /** The first of them. */
  readonly differences: readonly RowDifference[];
  readonly reports: ComparedReports;
}

export interface ComparedReports {
  readonly deprecated: ReportRecord;
  readonly replacement: ReportRecord;
}

/** The reports are being made; asking again finds them. */
export interface ComparisonPending {
  readonly status: 'pending';
  readonly type: string;
  readonly replacedBy: string;
  readonly reports: ComparedReports;
}

/**
 * Compares the report of a deprecated type with that of its replacement. Both are asked for as by a create (reuse and access alike).
 * Throws UnknownType, NotDeprecated, ComparedReportFailed, and whatever a create throws.
 */
export class CompareWithReplacement extends Command<Comparison | ComparisonPending> {
  constructor(
    readonly caller: Caller,
    readonly request: ReportRequest,
    /** Differences told at most. */
    readonly limit: number,
  ) {
    super();
  }
}

export class UnknownType extends Error {}

export class NotDeprecated extends Error {}

/** One of the two reports could not be made. */
export class ComparedReportFailed extends Error {}
