import { constants, zstdCompressSync } from 'node:zlib';
import type { QueryConfig } from 'pg';
import type { Sql } from '../database/database.js';
import type { ArtifactFile, ArtifactKey } from './artifact-store.js';

export const CHUNK_BYTES = 256 * 1024;
/** The least effort: rows resemble each other so much that it still leaves a tenth of most of them. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** Chunks on their way to the database before a writer waits. */
const IN_FLIGHT = 4;

export type Run = (statement: QueryConfig) => Promise<unknown>;

/** A connection takes one statement at a time; files that are written together line up for it. */
export function oneByOne(sql: Sql): Run {
  let last: Promise<unknown> = Promise.resolve();
  return (statement) => {
    const run = last.then(() => sql.query(statement));
    last = run.catch(() => undefined);
    return run;
  };
}

/** One format of an artifact, sent chunk by chunk while it is being written. */
export class ChunkedFile implements ArtifactFile {
  private chunk: Buffer | undefined;
  private filled = 0;
  private chunks = 0;
  private readonly inFlight = new Set<Promise<void>>();
  private failure: Error | undefined;

  constructor(
    private readonly run: Run,
    private readonly key: ArtifactKey,
    private readonly format: string,
  ) {}

  async write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      this.chunk ??= Buffer.allocUnsafeSlow(CHUNK_BYTES);
      const taken = bytes.copy(this.chunk, this.filled, at);
      at += taken;
      this.filled += taken;
      if (this.filled === CHUNK_BYTES) await this.flush(true);
    }
  }

  async close(bytes: number, sha256: string): Promise<void> {
    if (this.filled > 0) await this.flush(this.chunks > 0);
    await Promise.all(this.inFlight);
    this.rethrow();
    const { bucket, reportId, attempt } = this.key;
    await this.run({
      name: 'artifact-close',
      text: 'INSERT INTO artifact_file (bucket, report_id, attempt, format, bytes, sha256) VALUES ($1, $2, $3, $4, $5, $6)',
      values: [bucket, reportId, attempt, this.format, bytes, sha256],
    });
  }

  private async flush(isOfMany: boolean): Promise<void> {
    const plain = (this.chunk as Buffer).subarray(0, this.filled);
    const packed = isOfMany ? zstdCompressSync(plain, PACKING) : plain;
    if (packed.length < plain.length) this.send(packed, true);
    else {
      this.send(plain, false);
      this.chunk = undefined;
    }
    this.filled = 0;
    if (this.inFlight.size >= IN_FLIGHT) await Promise.race(this.inFlight);
    this.rethrow();
  }

  private send(content: Buffer, isPacked: boolean): void {
    const { bucket, reportId, attempt } = this.key;
    const sent = this.run({
      name: 'artifact-write',
      text: 'INSERT INTO artifact_chunk (bucket, report_id, attempt, format, chunk, content, packed) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      values: [bucket, reportId, attempt, this.format, this.chunks++, content, isPacked],
    })
      .then(
        () => undefined,
        (error: unknown) => void (this.failure ??= error as Error),
      )
      .finally(() => this.inFlight.delete(sent));
    this.inFlight.add(sent);
  }

  private rethrow(): void {
    if (this.failure) throw this.failure;
  }
}
