import type { Column, GenerationPeriod, Row } from '../generator.js';
import { Utf8Buffer } from './utf8-buffer.js';

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
  begin(out: Utf8Buffer): void;
  rows(batch: readonly Row[], out: Utf8Buffer): void;
  end(warnings: readonly string[], out: Utf8Buffer): void;
}

/** A whole report at once: for small ones. */
export function encoded(
  encoder: Encoder,
  batches: readonly (readonly Row[])[],
  warnings: readonly string[] = [],
): Buffer {
  const out = new Utf8Buffer();
  encoder.begin(out);
  for (const batch of batches) encoder.rows(batch, out);
  encoder.end(warnings, out);
  return out.view();
}
