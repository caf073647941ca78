import type { Sql } from '../database/database.js';
import { ERASED_EVENT, ERASED_TENANT } from './bucket.js';

/**
 * Takes everything out of up to `limit` streams of a tenant but their places: ids, versions, positions and times stay, so that
 * the bucket remains a log without gaps. Answers the streams, none when the tenant has no more. As the owner of the tables.
 *
 * The streams' rows are locked first, as in an append: one that was under way comes before, or finds no stream of its tenant.
 */
export async function eraseStreams(
  tx: Sql,
  bucket: number,
  tenantId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await tx.query<{ stream_id: string }>(
    `UPDATE stream SET tenant_id = $4 WHERE bucket = $1 AND stream_id IN (
       SELECT stream_id FROM stream WHERE bucket = $1 AND tenant_id = $2 ORDER BY stream_id LIMIT $3 FOR UPDATE)
     RETURNING stream_id`,
    [bucket, tenantId, limit, ERASED_TENANT],
  );
  const streamIds = rows.map((row) => row.stream_id);
  await tx.query(
    `UPDATE event SET tenant_id = $3, type = $4, schema_version = 1, data = '{}', meta = '{}'
     WHERE bucket = $1 AND stream_id = ANY ($2)`,
    [bucket, streamIds, ERASED_TENANT, ERASED_EVENT],
  );
  return streamIds;
}
