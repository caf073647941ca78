import { createHash } from 'node:crypto';
import type { ReportFile } from '../reports/index.js';
import type { ArtifactFile, ArtifactWriter } from './artifact-store.js';
import { ExactSum } from './exact-sum.js';
import { type Encoder, ENCODERS, type ReportHeading, Utf8Buffer } from './formats/index.js';
import type { Cell, Row } from './generator.js';

/** Encoded bytes that are gathered before they are digested and handed on. */
const PIECE = 64 * 1024;

export interface WrittenReport {
  /** Rows of every kind. */
  readonly rows: number;
  readonly files: readonly ReportFile[];
  readonly controlTotals: Readonly<Record<string, string>>;
}

/** What cannot be delivered: rows that are not what the report type declares. */
class BadRows extends Error {}

/**
 * Writes rows in all formats at once as they come, and answers what was written. `warnings` is read after the last
 * row; `written` is told the number of rows so far, batch by batch. Holds a batch and a few pieces of text, whatever the size of the report.
 */
export async function writeReport(
  heading: ReportHeading,
  rows: AsyncIterable<readonly Row[]>,
  warnings: Iterable<string>,
  artifact: ArtifactWriter,
  formats: readonly string[],
  written?: (rows: number) => void,
): Promise<WrittenReport> {
  const files = formats.map(
    (format) =>
      new FormatFile(
        format,
        (ENCODERS[format] as (typeof ENCODERS)[string])(heading),
        artifact.create(format),
      ),
  );
  const totals = new ControlTotals(heading);
  let count = 0;
  for await (const batch of rows) {
    totals.add(batch);
    count += batch.length;
    for (const file of files) await file.rows(batch);
    written?.(count);
  }
  const spoken = [...warnings];
  const ended: ReportFile[] = [];
  for (const file of files) ended.push(await file.end(spoken));
  return { rows: count, files: ended, controlTotals: totals.toRecord() };
}

class FormatFile {
  private readonly digest = createHash('sha256');
  private readonly encoded = new Utf8Buffer();
  private bytes = 0;

  constructor(
    private readonly format: string,
    private readonly encoder: Encoder,
    private readonly file: ArtifactFile,
  ) {
    encoder.begin(this.encoded);
  }

  rows(batch: readonly Row[]): Promise<void> | undefined {
    this.encoder.rows(batch, this.encoded);
    return this.encoded.length < PIECE ? undefined : this.handOn();
  }

  async end(warnings: readonly string[]): Promise<ReportFile> {
    this.encoder.end(warnings, this.encoded);
    await this.handOn();
    const sha256 = this.digest.digest('hex');
    await this.file.close(this.bytes, sha256);
    return { format: this.format, bytes: this.bytes, sha256 };
  }

  private async handOn(): Promise<void> {
    const bytes = this.encoded.view();
    this.digest.update(bytes);
    this.bytes += bytes.length;
    await this.file.write(bytes);
    this.encoded.cutTo(0);
  }
}

class ControlTotals {
  private readonly sums: readonly { index: number; name: string; sum: ExactSum }[];
  private readonly width: number;

  constructor({ columns }: ReportHeading) {
    this.width = columns.length;
    this.sums = columns.flatMap(({ name, controlTotal }, index) =>
      controlTotal ? [{ index, name, sum: new ExactSum() }] : [],
    );
  }

  add(batch: readonly Row[]): void {
    for (const { rowType, cells } of batch) {
      if (cells.length !== this.width)
        throw new BadRows(`a row has ${cells.length} cells where ${this.width} columns are declared`);
      if (rowType !== 'detail') continue;
      for (const { index, sum } of this.sums) {
        const cell = cells[index] as Cell;
        if (cell !== null) sum.add(cell);
      }
    }
  }

  toRecord(): Record<string, string> {
    return Object.fromEntries(this.sums.map(({ name, sum }) => [name, sum.toString()]));
  }
}
