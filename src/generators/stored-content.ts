import { zstdDecompressSync } from 'node:zlib';
import { pages } from '../audit/index.js';
import type { Sql, Transaction } from '../database/database.js';
import type { ArtifactKey } from './artifact-store.js';
import { CHUNK_BYTES } from './chunked-file.js';
import type { ReportFile } from '../reports/index.js';

/** A published file as it lies in the store. */
export interface StoredFile extends ReportFile {
  readonly reportId: string;
  readonly attempt: number;
  readonly chunks: number;
  /** Number of the last chunk, from 0; -1 without any. */
  readonly lastChunk: number;
  /** The content that one chunk holds as it stands: its size and its SHA-256; null of any other. */
  readonly whole: { readonly bytes: number; readonly sha256: string } | null;
}

export interface StoredArtifact {
  readonly reportId: string;
  readonly attempt: number;
}

/** The published files of some reports, by `reportId attempt`. The database hashes what lies in one piece. */
export async function storedFiles(
  sql: Sql,
  bucket: number,
  reportIds: readonly string[],
): Promise<Map<string, StoredFile[]>> {
  if (reportIds.length === 0) return new Map();
  const { rows } = await sql.query<StoredFile>(
    `SELECT f.report_id AS "reportId", f.attempt, f.format, f.bytes::float8 AS bytes, f.sha256,
            c.chunks, c.last_chunk AS "lastChunk",
            CASE WHEN c.chunks = 1 THEN
              (SELECT json_build_object('bytes', octet_length(content), 'sha256', encode(sha256(content), 'hex')) FROM artifact_chunk only_one
                WHERE only_one.bucket = $1 AND only_one.report_id = f.report_id AND only_one.attempt = f.attempt
                  AND only_one.format = f.format AND NOT packed) END AS whole
       FROM artifact a JOIN artifact_file f ON f.bucket = $1 AND f.report_id = a.report_id AND f.attempt = a.attempt
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS chunks, coalesce(max(chunk), -1) AS last_chunk
          FROM artifact_chunk
         WHERE bucket = $1 AND report_id = f.report_id AND attempt = f.attempt AND format = f.format) AS c
      WHERE a.bucket = $1 AND a.report_id = ANY ($2) AND a.published_at IS NOT NULL`,
    [bucket, reportIds],
  );
  return Map.groupBy(rows, ({ reportId, attempt }) => `${reportId} ${attempt}`);
}

/** What is stored is not what was packed. */
export class ChunkDamaged extends Error {}

/** A piece of a file; empty beyond its end. Throws ChunkDamaged. */
export async function storedChunk(
  sql: Sql,
  { bucket, reportId, attempt, format }: ArtifactKey & { readonly format: string },
  chunk: number,
): Promise<Buffer> {
  const { rows } = await sql.query<{ content: Buffer; packed: boolean }>({
    name: 'artifact-chunk',
    text: `SELECT content, packed FROM artifact_chunk
           WHERE bucket = $1 AND report_id = $2 AND attempt = $3 AND format = $4 AND chunk = $5`,
    values: [bucket, reportId, attempt, format, chunk],
  });
  const { content, packed } = rows[0] ?? { content: Buffer.alloc(0), packed: false };
  return packed ? unpacked(content, `chunk ${chunk} of ${reportId} as ${format}`) : content;
}

function unpacked(content: Buffer, what: string): Buffer {
  try {
    return zstdDecompressSync(content, { maxOutputLength: CHUNK_BYTES });
  } catch (error) {
    throw new ChunkDamaged(`${what} cannot be unpacked`, { cause: error });
  }
}

export function publishedArtifacts(tx: Transaction, bucket: number): AsyncIterable<StoredArtifact[]> {
  const query = `SELECT report_id AS "reportId", attempt FROM artifact
                 WHERE bucket = $1::smallint AND published_at IS NOT NULL`;
  return pages<StoredArtifact>(tx, 'published_artifacts', query, [bucket]);
}

/** Unpublished content that nobody can be writing any more. */
export async function leftBehind(sql: Sql, bucket: number, before: Date): Promise<StoredArtifact[]> {
  const { rows } = await sql.query<StoredArtifact>(
    `SELECT report_id AS "reportId", attempt FROM artifact
     WHERE bucket = $1 AND published_at IS NULL AND opened_at < $2 LIMIT 100`,
    [bucket, before],
  );
  return rows;
}
