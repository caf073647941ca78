import { Injectable } from '@nestjs/common';
import { Config } from '../config.js';
import { Jobs, type Transaction, type Work } from '../database/index.js';

const GENERATE = 'generate-report';
const UPKEEP = 'report-upkeep';
const LONGEST_JOB_SECONDS = 86_400;

/** A report that wants to be generated. */
export interface GenerationJob {
  readonly reportId: string;
}

/** The jobs behind reports. How often a report may fail is not the queue's business: it never gives up by itself. */
@Injectable()
export class GenerationQueue {
  constructor(
    private readonly config: Config,
    private readonly jobs: Jobs,
  ) {}

  /** Adds a job in the transaction that makes it necessary, to start `afterSeconds` from then. */
  async enqueue(tx: Transaction, farmId: string, job: GenerationJob, afterSeconds = 0): Promise<void> {
    await this.jobs.send(tx, GENERATE, job, {
      group: { id: farmId },
      retryLimit: 1_000,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 10,
      expireInSeconds: Math.min(this.config.GENERATION_TIME_LIMIT + 120, LONGEST_JOB_SECONDS),
      ...(afterSeconds > 0 && { startAfter: afterSeconds }),
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
    await this.jobs.work(GENERATE, options, work);
  }

  /** Begins to do the upkeep when it is due, every ten minutes, in one process at a time. */
  async upkeep(work: () => Promise<void>): Promise<void> {
    await this.jobs.every('*/10 * * * *', UPKEEP, work);
  }

  /** Takes no more jobs; those that run go on. */
  async takeNoMore(): Promise<void> {
    await this.jobs.takeNoMore(GENERATE, UPKEEP);
  }

  /** Answers when every job that ran here is settled in the database. */
  async settled(): Promise<void> {
    await this.jobs.settled(GENERATE, UPKEEP);
  }
}
