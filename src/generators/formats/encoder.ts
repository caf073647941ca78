import type { Column, GenerationPeriod, Row } from '../generator.js';

/** What a file says about the report beside its rows. */
export interface ReportHeading {
  readonly type: string;
  readonly farm: string;
  readonly period: GenerationPeriod;
  readonly title: string;
  readonly columns: readonly Column[];
}

/**
 * Writes one report in one format, in pieces that follow one another. The same heading, rows and warnings
 * give the same bytes, however the rows are batched.
 */
export interface Encoder {
  begin(): Bytes;
  rows(batch: readonly Row[]): Bytes;
  end(warnings: readonly string[]): Bytes;
}

/** Text is written as UTF-8. */
export type Bytes = string | Buffer;
