import type { FarmRecords, LocalDate, RecordRef } from '../farm-records/reader.js';

export { ReportGenerator } from './report-generator.js';
export type { AliasDeclaration, ReportTypeDeclaration } from './report-generator.js';

/**
 * `integer` a whole number; `decimal` an exact decimal (a string such as "27022.79"); `date` YYYY-MM-DD;
 * `time` HH:MM:SS; `text`.
 */
export type ColumnType = 'text' | 'integer' | 'decimal' | 'date' | 'time';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** `head`, `kg`, `days`, `currency` (the row's or farm's), `%`, … always named, `none` when it has none. */
  readonly unit: string;
  readonly description: string;
  /** Shown in JSON and NDJSON only: ids beside names. */
  readonly jsonOnly?: boolean;
  /** Summed over the detail rows into the manifest's control totals; for integer and decimal columns. */
  readonly controlTotal?: boolean;
}

export type RowType = 'detail' | 'subtotal' | 'total';

/** null is a blank cell. Values stand in the order of the columns: integers as number, decimals as string. */
export type Cell = string | number | null;

export interface Row {
  readonly rowType: RowType;
  readonly cells: readonly Cell[];
}

export interface GenerationPeriod {
  /** Farm-local dates YYYY-MM-DD, both inclusive. */
  readonly start: string;
  readonly end: string;
  readonly timeZone: string;
}

export interface GenerationInput {
  readonly farmId: string;
  readonly period: GenerationPeriod;
  /** One consistent snapshot of the farm's records. */
  readonly records: FarmRecords;
  /** Adds a line to the report's warnings; the same text counts once. One line a cause, not one a row. */
  readonly warn: (text: string) => void;
}

/**
 * A report type: turns a farm, a period and its records into rows, in the order they are delivered.
 *
 * Rows come in batches of any size, so that millions of them do not cost a turn of the event loop each.
 * A generator runs in a thread of its own with one report at a time, holds no more than a batch or what its
 * totals need, and asks neither the clock nor chance: the same records give the same rows. It need not watch for
 * cancellation: the host ends its thread and its query. It throws SelfCheckFailed when its own identity does
 * not hold; any other error is retried.
 */
export interface Generator {
  rows(input: GenerationInput): AsyncIterable<readonly Row[]>;
  /**
   * Which records are behind a row that `rows` made. A report type without it is delivered all the same; its readers are told that it does
   * not say. Asked on demand, on the records as they are now: a row that they no longer make has no evidence.
   */
  explain?(input: GenerationInput, row: RowInQuestion): Promise<RowExplanation>;
}

/** A delivered row of which somebody asks where its figures come from. */
export interface RowInQuestion {
  readonly rowType: RowType;
  /** By column. */
  readonly cells: Readonly<Record<string, Cell>>;
  /** The figure that is asked about; absent: the row as a whole. */
  readonly column?: string;
  /** Evidence of earlier days has been told; it need not be found again, but may. */
  readonly since: LocalDate;
  /** The records have changed and no longer make this very row: take the one that says the same but for its figures. */
  readonly loosely?: boolean;
}

/** What a record brings to the figures of a row. */
export interface Evidence {
  readonly record: RecordRef;
  /**
   * By column, signed, exact: what all records bring, with what was brought forward, is the figure. Names every column that is such a sum,
   * also where the record brings 0; columns that are no sum, such as names, dates and averages, are not named.
   */
  readonly brings: Readonly<Record<string, number | string>>;
}

export interface RowExplanation {
  /** What the figures stand on from before the period: opening head, stock that stood there. By column, exact. */
  readonly broughtForward: Readonly<Record<string, number | string>>;
  /** Each record once, in the order they happened. */
  readonly evidence: AsyncIterable<readonly Evidence[]>;
}

/** The report's own identity does not hold; it fails with this reason instead of being delivered. */
export class SelfCheckFailed extends Error {}
