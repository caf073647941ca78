import { Injectable } from '@nestjs/common';
import { Database, type Sql, type Transaction } from '../database/database.js';
import { BUCKETS } from '../event-store/bucket.js';
import type { ByteRange } from '../reports/index.js';
import {
  type ArtifactKey,
  ArtifactMissing,
  type ArtifactStore,
  type ArtifactWriter,
} from './artifact-store.js';
import { CHUNK_BYTES, ChunkedFile, oneByOne } from './chunked-file.js';
import { storedChunk } from './stored-content.js';

/** Contents of reports as chunks of bytes in PostgreSQL (migration 040). */
@Injectable()
export class PostgresArtifacts implements ArtifactStore {
  constructor(private readonly database: Database) {}

  async open(sql: Sql, key: ArtifactKey): Promise<ArtifactWriter> {
    return openArtifact(sql, key);
  }

  async publish(tx: Transaction, { bucket, reportId, attempt }: ArtifactKey): Promise<void> {
    const { rowCount } = await tx.query({
      name: 'artifact-publish',
      text: 'UPDATE artifact SET published_at = now() WHERE bucket = $1 AND report_id = $2 AND attempt = $3',
      values: [bucket, reportId, attempt],
    });
    if (rowCount !== 1)
      throw new ArtifactMissing(`attempt ${attempt} at ${reportId} has no content to publish`);
  }

  async *read(key: ArtifactKey, format: string, range?: ByteRange): AsyncIterable<Buffer> {
    const size = await this.publishedSize(key, format);
    const end = range?.end ?? size;
    for (let at = range?.start ?? 0; at < end;) {
      const chunk = await storedChunk(this.database, { ...key, format }, Math.floor(at / CHUNK_BYTES));
      const part = chunk.subarray(at % CHUNK_BYTES, Math.min(chunk.length, (at % CHUNK_BYTES) + end - at));
      if (part.length === 0)
        throw new ArtifactMissing(`the ${format} content of ${key.reportId} ends at byte ${at} of ${size}`);
      yield part;
      at += part.length;
    }
  }

  async discard({ bucket, reportId, attempt }: ArtifactKey): Promise<void> {
    await this.database.query(
      'DELETE FROM artifact WHERE bucket = $1 AND report_id = $2 AND attempt = $3 AND published_at IS NULL',
      [bucket, reportId, attempt],
    );
  }

  async remove(tx: Transaction, bucket: number, reportId: string): Promise<void> {
    await tx.query('DELETE FROM artifact WHERE bucket = $1 AND report_id = $2', [bucket, reportId]);
  }

  async sweep(before: Date): Promise<number> {
    let swept = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const { rowCount } = await this.database.query({
        name: 'artifact-sweep',
        text: 'DELETE FROM artifact WHERE bucket = $1 AND published_at IS NULL AND opened_at < $2',
        values: [bucket, before],
      });
      swept += rowCount ?? 0;
    }
    return swept;
  }

  async publishedBefore(bucket: number, before: Date, limit: number): Promise<string[]> {
    const { rows } = await this.database.query<{ report_id: string }>({
      name: 'artifact-published-before',
      text: 'SELECT report_id FROM artifact WHERE bucket = $1 AND published_at < $2 ORDER BY published_at LIMIT $3',
      values: [bucket, before, limit],
    });
    return rows.map((row) => row.report_id);
  }

  private async publishedSize({ bucket, reportId, attempt }: ArtifactKey, format: string): Promise<number> {
    const { rows } = await this.database.query<{ bytes: string }>({
      name: 'artifact-size',
      text: `SELECT bytes FROM artifact_file JOIN artifact USING (bucket, report_id, attempt)
             WHERE bucket = $1 AND report_id = $2 AND attempt = $3 AND format = $4 AND published_at IS NOT NULL`,
      values: [bucket, reportId, attempt, format],
    });
    if (!rows[0]) throw new ArtifactMissing(`${reportId} has no published ${format} content`);
    return Number(rows[0].bytes);
  }
}

/** Opens an artifact over one connection that nobody else uses: a generation thread has no pool and no store. */
export async function openArtifact(sql: Sql, key: ArtifactKey): Promise<ArtifactWriter> {
  const { bucket, reportId, attempt } = key;
  await sql.query({
    name: 'artifact-open',
    text: `WITH earlier AS (
             DELETE FROM artifact WHERE bucket = $1 AND report_id = $2 AND attempt < $3 AND published_at IS NULL
           )
           INSERT INTO artifact (bucket, report_id, attempt) VALUES ($1, $2, $3)`,
    values: [bucket, reportId, attempt],
  });
  const inTurn = oneByOne(sql);
  return { create: (format) => new ChunkedFile(inTurn, key, format) };
}
