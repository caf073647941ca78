import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Job, PgBoss } from 'pg-boss';
import { Config } from '../config.js';
import { JOB_SCHEMA, servingUrl, type Transaction } from '../database/index.js';

const GENERATE = 'generate-report';
const UPKEEP = 'report-upkeep';
const LONGEST_JOB_SECONDS = 86_400;

/** A report that wants to be generated. */
export interface GenerationJob {
  readonly reportId: string;
}

/** A piece of work of which the queue made this attempt; an error hands it back to be tried again by any process. */
export type Work<Data> = (data: Data) => Promise<void>;

/**
 * The durable jobs behind reports, in pg-boss. A job whose process died is noticed by its missing heartbeat after 10 s
 * and given to another; so is one that a process hands back by throwing. How often a report may fail is not the queue's
 * business: it never gives up by itself.
 */
@Injectable()
export class GenerationQueue implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('GenerationQueue');
  private readonly boss: PgBoss;

  constructor(private readonly config: Config) {
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
    this.boss.on('error', (error) => this.log.warn({ err: error }, 'the job queue met an error'));
  }

  async onModuleInit(): Promise<void> {
    await this.boss.start();
  }

  /** Runs after the host has let go of its jobs. */
  async onApplicationShutdown(): Promise<void> {
    await this.boss.stop({ graceful: false });
  }

  /** Adds a job in the transaction that makes it necessary, to start `afterSeconds` from then. */
  async enqueue(tx: Transaction, farmId: string, job: GenerationJob, afterSeconds = 0): Promise<void> {
    await this.boss.send(GENERATE, job, {
      group: { id: farmId },
      retryLimit: 1_000,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 10,
      expireInSeconds: Math.min(this.config.GENERATION_TIME_LIMIT + 120, LONGEST_JOB_SECONDS),
      ...(afterSeconds > 0 && { startAfter: afterSeconds }),
      db: {
        executeSql: (text, values) => tx.query({ name: preparedName(text), text, values: values ?? [] }),
      },
    });
  }

  /** Begins to take jobs, as many at a time as this process may run; no farm takes more than its share. */
  async generate(work: Work<GenerationJob>): Promise<void> {
    const options = {
      localConcurrency: this.config.GENERATION_CONCURRENCY,
      groupConcurrency: this.config.GENERATION_FARM_CONCURRENCY,
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 0.5,
    } as const;
    await this.boss.work<GenerationJob>(GENERATE, options, async (jobs) => {
      for (const job of jobs) await work(job.data);
      this.takeNext();
    });
  }

  /** Begins to do the upkeep when it is due, every ten minutes, in one process at a time. */
  async upkeep(work: () => Promise<void>): Promise<void> {
    await this.boss.schedule(UPKEEP, '*/10 * * * *');
    await this.boss.work(UPKEEP, { pollingIntervalSeconds: 2 }, async (_: Job[]) => work());
  }

  /** Takes no more jobs; those that run go on. */
  async takeNoMore(): Promise<void> {
    await Promise.all([GENERATE, UPKEEP].map((queue) => this.boss.offWork(queue, { wait: false })));
  }

  /** Answers when every job that ran here is settled in the database. */
  async settled(): Promise<void> {
    await Promise.all([GENERATE, UPKEEP].map((queue) => this.boss.offWork(queue, { wait: true })));
  }

  /** What waited for its farm's share has not been notified of the end of a job: look at once, not at the next poll. */
  private takeNext(): void {
    for (const { id, name } of this.boss.getWipData()) if (name === GENERATE) this.boss.notifyWorker(id);
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
