import type { QueryConfig } from 'pg';
import type { Sql } from '../database/database.js';
import type { ArtifactFile, ArtifactKey } from './artifact-store.js';

export const CHUNK_BYTES = 256 * 1024;
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
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private chunks = 0;
  private readonly inFlight = new Set<Promise<void>>();
  private failure: Error | undefined;

  constructor(
    private readonly run: Run,
    private readonly key: ArtifactKey,
    private readonly format: string,
  ) {}

  async write(bytes: Buffer): Promise<void> {
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    if (this.pendingBytes >= CHUNK_BYTES) await this.flush(CHUNK_BYTES);
  }

  async close(bytes: number, sha256: string): Promise<void> {
    await this.flush(1);
    await Promise.all(this.inFlight);
    this.rethrow();
    const { bucket, reportId, attempt } = this.key;
    await this.run({
      name: 'artifact-close',
      text: 'INSERT INTO artifact_file (bucket, report_id, attempt, format, bytes, sha256) VALUES ($1, $2, $3, $4, $5, $6)',
      values: [bucket, reportId, attempt, this.format, bytes, sha256],
    });
  }

  /** Sends whole chunks while at least `least` bytes are pending. */
  private async flush(least: number): Promise<void> {
    const bytes = this.pending.length === 1 ? (this.pending[0] as Buffer) : Buffer.concat(this.pending);
    let at = 0;
    for (; bytes.length - at >= least; at += CHUNK_BYTES) {
      this.send(bytes.subarray(at, at + CHUNK_BYTES));
      if (this.inFlight.size >= IN_FLIGHT) await Promise.race(this.inFlight);
      this.rethrow();
    }
    this.pending = at < bytes.length ? [bytes.subarray(at)] : [];
    this.pendingBytes = Math.max(0, bytes.length - at);
  }

  private send(content: Buffer): void {
    const { bucket, reportId, attempt } = this.key;
    const sent = this.run({
      name: 'artifact-write',
      text: 'INSERT INTO artifact_chunk (bucket, report_id, attempt, format, chunk, content) VALUES ($1, $2, $3, $4, $5, $6)',
      values: [bucket, reportId, attempt, this.format, this.chunks++, content],
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
