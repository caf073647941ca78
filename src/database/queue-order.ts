import type { Sql } from './database.js';
import { JOB_SCHEMA, type QueueName } from './queues.js';

/** Jobs of a queue that wait and that run, in all processes. */
export interface QueueLoad {
  readonly waiting: number;
  readonly running: number;
}

export async function loadOf(sql: Sql, queue: QueueName): Promise<QueueLoad> {
  const { rows } = await sql.query<QueueLoad>({
    name: 'queue-load',
    text: `SELECT (SELECT count(*) FROM ${JOB_SCHEMA}.job
                   WHERE name = $1 AND state < 'active' AND NOT blocked)::integer AS waiting,
             (SELECT count(*) FROM ${JOB_SCHEMA}.job
              WHERE name = $1 AND state = 'active' AND group_id IS NOT NULL)::integer AS running`,
    values: [queue],
  });
  return rows[0] ?? { waiting: 0, running: 0 };
}

/**
 * Where jobs that wait stand in their queue, 1 for the next: those with the higher priority go first and among them the
 * older ones, as pg-boss takes them. Jobs that do not wait are left out.
 */
export async function placesOf(
  sql: Sql,
  queue: QueueName,
  jobIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ id: string; place: number }>({
    name: 'queue-places',
    text: `SELECT mine.id::text AS id, 1 + (
             SELECT count(*) FROM ${JOB_SCHEMA}.job other
             WHERE other.name = $1 AND other.state < 'active' AND NOT other.blocked
               AND other.priority >= mine.priority
               AND (other.priority > mine.priority OR other.created_on < mine.created_on))::integer AS place
           FROM ${JOB_SCHEMA}.job mine
           WHERE mine.name = $1 AND mine.id = ANY ($2::uuid[]) AND mine.state < 'active' AND NOT mine.blocked`,
    values: [queue, jobIds],
  });
  return new Map(rows.map(({ id, place }) => [id, place]));
}
