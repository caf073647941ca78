import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Job, PgBoss, type SendOptions, type WorkOptions } from 'pg-boss';
import { Config } from '../config.js';
import { servingUrl } from './connection-urls.js';
import type { Transaction } from './database.js';
import { isPassing } from './passing-failure.js';
import { JOB_SCHEMA, type QueueName } from './queues.js';

/** A piece of work of which the queue made this attempt; an error hands it back to be tried again by any process. */
export type Work<Data> = (data: Data) => Promise<void>;

/**
 * The durable jobs of the service, in pg-boss. A job whose process died is noticed by its missing heartbeat after 10 s and
 * given to another; so is one that a process hands back by throwing. Who works on a queue ends that work, by `takeNoMore`
 * and `settled`, before the application shuts down.
 */
@Injectable()
export class Jobs implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('Jobs');
  private readonly boss: PgBoss;

  constructor(config: Config) {
    const works = config.ROLE !== 'api';
    this.boss = new PgBoss({
      connectionString: servingUrl(config.databaseUrl),
      application_name: `muster ${config.ROLE} jobs`,
      schema: JOB_SCHEMA,
      migrate: false,
      createSchema: false,
      max: works ? 4 : 1,
      supervise: works,
      schedule: works,
      superviseIntervalSeconds: 1,
      monitorIntervalSeconds: 1,
      useListenNotify: works,
      reindex: false,
      monitorVacuum: false,
    });
    this.boss.on('error', (error) =>
      this.log[isPassing(error) ? 'log' : 'warn']({ err: error }, 'the job queue met an error'),
    );
  }

  async onModuleInit(): Promise<void> {
    await this.boss.start();
  }

  /** Runs after those who work have let go of their jobs. */
  async onApplicationShutdown(): Promise<void> {
    await this.boss.stop({ graceful: false });
  }

  /** Adds a job in the transaction that makes it necessary. */
  async send(
    tx: Transaction,
    queue: QueueName,
    data: object,
    options: Omit<SendOptions, 'db'>,
  ): Promise<void> {
    await this.boss.send(queue, data, {
      ...options,
      db: {
        executeSql: (text, values) => tx.query({ name: preparedName(text), text, values: values ?? [] }),
      },
    });
  }

  /** Begins to take jobs of a queue, one at a time for each of `localConcurrency`. */
  async work<Data extends object>(
    queue: QueueName,
    options: Omit<WorkOptions, 'batchSize' | 'perJobResults' | 'transactional'>,
    work: Work<Data>,
  ): Promise<void> {
    await this.boss.work<Data>(queue, options, async (jobs: Job<Data>[]) => {
      for (const job of jobs) await work(job.data);
      this.takeNext(queue);
    });
  }

  /** Begins to do the work of a queue whenever `cron` says so, in one process at a time. */
  async every(cron: string, queue: QueueName, work: () => Promise<void>): Promise<void> {
    await this.boss.schedule(queue, cron);
    await this.boss.work(queue, { pollingIntervalSeconds: 2 }, async (_: Job[]) => work());
  }

  /** Takes no more jobs of these queues; those that run go on. */
  async takeNoMore(...queues: QueueName[]): Promise<void> {
    await Promise.all(queues.map((queue) => this.boss.offWork(queue, { wait: false })));
  }

  /** Answers when every job of these queues that ran here is settled in the database. */
  async settled(...queues: QueueName[]): Promise<void> {
    await Promise.all(queues.map((queue) => this.boss.offWork(queue, { wait: true })));
  }

  /** What waited for its group's share has not been notified of the end of a job: look at once, not at the next poll. */
  private takeNext(queue: QueueName): void {
    for (const { id, name } of this.boss.getWipData()) if (name === queue) this.boss.notifyWorker(id);
  }
}

const preparedNames = new Map<string, string>();

/** pg-boss builds a few long statements again and again; prepared, each is planned once a connection. */
function preparedName(text: string): string {
  const known = preparedNames.get(text);
  if (known) return known;
  const name = `job-${preparedNames.size}`;
  preparedNames.set(text, name);
  return name;
}
