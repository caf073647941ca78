import type { FarmRecords } from '../farm-records/reader.js';

/**
 * `integer` a whole number; `decimal` an exact decimal (a string such as "27022.79"); `date` YYYY-MM-DD;
 * `time` HH:MM:SS; `text`.
 */
export type ColumnType = 'text' | 'integer' | 'decimal' | 'date' | 'time';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** `head`, `kg`, `days`, `currency` (the row's or farm's), `%`, `text`, … always named, `none` when it has none. */
  readonly unit: string;
  readonly description: string;
  /** Shown in JSON and NDJSON only: ids beside names. */
  readonly jsonOnly?: boolean;
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
  readonly signal: AbortSignal;
  /** Adds a line to the report's warnings. */
  warn(text: string): void;
}

/** A report type: turns a farm, a period and its records into rows, in the order they are delivered. */
export interface Generator {
  rows(input: GenerationInput): AsyncIterable<Row>;
}

/** The report's own identity does not hold; it fails with this reason instead of being delivered. */
export class SelfCheckFailed extends Error {}
