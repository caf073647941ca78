import type { Transaction } from '../database/database.js';

/** Something that must hold and does not. */
export interface Finding {
  /** What does not hold, as `<rule>/<kind>`: stable, for machines. */
  readonly kind: string;
  /** The stream, farm, file or row concerned. */
  readonly subject: string;
  /** What was found, in a sentence for an operator. */
  readonly detail: string;
  readonly bucket?: number;
}

/** A bucket as it was at one moment: `tx` is one snapshot and cannot write. */
export interface AuditedBucket {
  readonly tx: Transaction;
  readonly bucket: number;
  /** Only what concerns this farm. */
  readonly farm?: string;
  /** Reports that a caller was told exist. */
  readonly acknowledged: readonly string[];
}

/** What one module promises of its own tables. Reads page by page: neither a bucket nor a stream need fit into memory. */
export interface AuditRule {
  readonly name: string;
  /** Everything in the bucket that breaks the promise, without false alarms about work that is under way. */
  inspect?(audited: AuditedBucket): AsyncIterable<Finding>;
  /** The same of tables without a bucket, once. */
  inspectShared?(audited: Omit<AuditedBucket, 'bucket'>): AsyncIterable<Finding>;
}
