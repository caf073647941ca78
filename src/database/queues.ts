import { setTimeout as pause } from 'node:timers/promises';
import { PgBoss, type Queue } from 'pg-boss';
import type { Sql } from './database.js';

/** The schema pg-boss keeps its jobs in. */
export const JOB_SCHEMA = 'pgboss';

const DAY_SECONDS = 86_400;

/** Every job queue of the service. A queue is made, or brought to these settings, when migrations run. */
const QUEUES = [
  // A report that waits is owed for as long as it takes: left alone, pg-boss drops a job after a fortnight.
  {
    name: 'generate-report',
    heartbeatSeconds: 10,
    notify: true,
    retentionSeconds: 10 * 365 * DAY_SECONDS,
    deleteAfterSeconds: DAY_SECONDS,
  },
  { name: 'report-upkeep', policy: 'exclusive', retryLimit: 0 },
  { name: 'deliver-webhook', heartbeatSeconds: 10, notify: true },
  { name: 'redeliver-webhook', heartbeatSeconds: 10, notify: true },
  { name: 'webhook-upkeep', policy: 'exclusive', retryLimit: 0 },
] as const satisfies readonly Queue[];

export type QueueName = (typeof QUEUES)[number]['name'];

/** Installs or upgrades pg-boss and its queues as the owner. Serving processes start pg-boss with `migrate: false`. */
export async function installQueues(url: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    schema: JOB_SCHEMA,
    supervise: false,
    schedule: false,
    bamIntervalSeconds: 10,
    max: 2,
  });
  const errors: Error[] = [];
  boss.on('error', (error) => errors.push(error));
  try {
    await boss.start();
    for (const queue of QUEUES) await bringUp(boss, queue);
    while (await buildsIndexes(boss)) await pause(200);
  } finally {
    await boss.stop({ graceful: false });
  }
  if (errors[0]) throw errors[0];
}

async function bringUp(boss: PgBoss, { name, ...settings }: Readonly<Queue>): Promise<void> {
  if (!(await boss.getQueue(name))) return boss.createQueue(name, settings);
  const { policy: _, partition: __, ...changeable } = settings;
  await boss.updateQueue(name, changeable);
}

/** An upgrade of pg-boss builds its larger indexes after its own migration, which only an owner can do. */
async function buildsIndexes(boss: PgBoss): Promise<boolean> {
  return (await boss.getBamStatus()).some(
    ({ status, count }) => status !== 'completed' && status !== 'failed' && count > 0,
  );
}

/** The data of every job of the queues, waiting, running or to be tried again, that carries one of `values` in this member. */
export async function liveJobsOf<Data>(
  sql: Sql,
  queues: readonly QueueName[],
  member: keyof Data & string,
  values: readonly string[],
): Promise<Data[]> {
  if (values.length === 0) return [];
  const { rows } = await sql.query<{ data: Data }>(
    `SELECT data FROM ${JOB_SCHEMA}.job
     WHERE name = ANY ($1) AND state < 'completed' AND data->>$2 = ANY ($3::text[])`,
    [queues, member, values],
  );
  return rows.map((row) => row.data);
}

/** Removes every job of the queue that carries one of `values` in this member of its data. */
export async function endJobsOf(
  sql: Sql,
  queue: QueueName,
  member: string,
  values: readonly string[],
): Promise<void> {
  await sql.query(`DELETE FROM ${JOB_SCHEMA}.job WHERE name = $1 AND data->>$2 = ANY ($3::text[])`, [
    queue,
    member,
    values,
  ]);
}
