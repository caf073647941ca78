import type { Sql, Transaction } from '../database/database.js';
import type { ByteRange } from '../reports/index.js';

/** Whose content it is: a report's attempt, in the bucket of its farm. */
export interface ArtifactKey {
  readonly bucket: number;
  readonly reportId: string;
  readonly attempt: number;
}

/** One format of an artifact as it is being written. Waits when the store is slower than the writer. */
export interface ArtifactFile {
  /** The bytes are the caller's again when this ends. */
  write(bytes: Buffer): Promise<void>;
  /** Ends the file; size and digest (SHA-256, lower-case hex) are of what was written. */
  close(bytes: number, sha256: string): Promise<void>;
}

/** An artifact as it is being written, by one attempt alone. */
export interface ArtifactWriter {
  create(format: string): ArtifactFile;
}

/** The content asked for is not there, or not as long as it was when it was published. */
export class ArtifactMissing extends Error {}

/**
 * Keeps the contents of reports. Content is written under its attempt, becomes visible when it is published in the
 * transaction that completes the report, and is removed in the transaction that expires it.
 */
export interface ArtifactStore {
  /** Opens the artifact of an attempt and removes what earlier attempts at the same report left behind. */
  open(sql: Sql, key: ArtifactKey): Promise<ArtifactWriter>;
  publish(tx: Transaction, key: ArtifactKey): Promise<void>;
  /** Published content as it streams from the store, a chunk at a time. Throws ArtifactMissing. */
  read(key: ArtifactKey, format: string, range?: ByteRange): AsyncIterable<Buffer>;
  /** Removes the content of an attempt that was never published. */
  discard(key: ArtifactKey): Promise<void>;
  /** Removes all that is kept of a report. */
  remove(tx: Transaction, bucket: number, reportId: string): Promise<void>;
  /** Removes attempts that were opened before `before` and never published, and answers how many. */
  sweep(before: Date): Promise<number>;
  /** Reports of a bucket whose content was published before `before`, oldest first. */
  publishedBefore(bucket: number, before: Date, limit: number): Promise<string[]>;
}
