import type { Sql } from '../database/database.js';

/** Whether the login at hand owns the log: nobody else may empty a stream. */
export async function mayEraseStreams(sql: Sql): Promise<boolean> {
  const { rows } = await sql.query<{ may: boolean }>(`SELECT has_table_privilege('event', 'UPDATE') AS may`);
  return rows[0]?.may === true;
}

/**
 * Empties up to `limit` streams of a tenant: only their places in the log stay. Answers the streams, none when the tenant has no
 * more. As the owner of the tables.
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
    'SELECT stream_id FROM stream WHERE bucket = $1 AND tenant_id = $2 ORDER BY stream_id LIMIT $3 FOR UPDATE',
    [bucket, tenantId, limit],
  );
  const streamIds = rows.map((row) => row.stream_id);
  await tx.query('SELECT empty_streams($1, $2)', [bucket, streamIds]);
  return streamIds;
}
