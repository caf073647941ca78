import type { Sql } from '../database/index.js';
import type { ArtifactKey } from './artifact-store.js';

/** A pass outlives what it is for, also where clocks of processes and database differ a little. */
const GRACE_SECONDS = 60;

/** Where the primary's log ends: a replica that has come so far shows everything committed until now. */
export async function logPosition(sql: Sql): Promise<string> {
  const { rows } = await sql.query<{ position: string }>({
    name: 'log-position',
    text: 'SELECT pg_current_wal_insert_lsn()::text AS position',
  });
  return (rows[0] as { position: string }).position;
}

/** Lets a thread's connections see the records of a farm and the content of an attempt for `seconds` (migration 140). */
export async function issuePass(
  sql: Sql,
  farmId: string,
  { bucket, reportId, attempt }: ArtifactKey,
  seconds: number,
): Promise<string> {
  const { rows } = await sql.query<{ pass: string }>({
    name: 'generation-pass',
    text: 'SELECT issue_generation_pass($1, $2, $3, $4, $5) AS pass',
    values: [bucket, farmId, reportId, attempt, seconds + GRACE_SECONDS],
  });
  return (rows[0] as { pass: string }).pass;
}
