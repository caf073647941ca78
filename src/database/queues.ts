import { PgBoss, type Queue } from 'pg-boss';

/** The schema pg-boss keeps its jobs in. */
export const JOB_SCHEMA = 'pgboss';

/** Every job queue of the service. A queue is made, or brought to these settings, when migrations run. */
const QUEUES = [
  { name: 'generate-report', heartbeatSeconds: 10, notify: true },
  { name: 'report-upkeep', policy: 'exclusive', retryLimit: 0 },
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
    while (await buildsIndexes(boss)) await new Promise((resolve) => setTimeout(resolve, 200));
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
