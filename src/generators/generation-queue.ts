import { Injectable } from '@nestjs/common';
import type { SendOptions } from 'pg-boss';
import { Config } from '../config.js';
import { Jobs, type Transaction, type Work } from '../database/index.js';
import { Turns } from './turns.js';

export const GENERATE = 'generate-report';
const UPKEEP = 'report-upkeep';
const LONGEST_JOB_SECONDS = 86_400;

/** A report that wants to be generated. */
export interface GenerationJob {
  readonly reportId: string;
  /** W3C trace context of what made the job. */
  readonly traceparent?: string | undefined;
}

/** The id of the job of a report's first attempt: the last part of the report's. */
export function jobIdOf(reportId: string): string {
  return reportId.slice(-36);
}

/** The jobs behind reports. How often a report may fail is not the queue's business: it never gives up by itself. */
@Injectable()
export class GenerationQueue {
  private readonly turns = new Turns();

  constructor(
    private readonly config: Config,
    private readonly jobs: Jobs,
  ) {}

  /** Adds the first job of a report in the transaction that makes it; its farm's turn decides what goes before it. */
  async enqueue(tx: Transaction, farmId: string, job: GenerationJob): Promise<void> {
    const priority = this.turns.next(farmId, Date.now());
    await this.send(tx, farmId, job, { id: jobIdOf(job.reportId), priority });
  }

  /** Adds the job of a further attempt, to start `afterSeconds` from now; it has waited for its turn before. */
  async enqueueAgain(
    tx: Transaction,
    farmId: string,
    job: GenerationJob,
    afterSeconds: number,
  ): Promise<void> {
    await this.send(tx, farmId, job, { startAfter: afterSeconds });
  }

  private async send(
    tx: Transaction,
    farmId: string,
    job: GenerationJob,
    options: Pick<SendOptions, 'id' | 'priority' | 'startAfter'>,
  ): Promise<void> {
    await this.jobs.send(tx, GENERATE, job, {
      ...options,
      group: { id: farmId },
      retryLimit: 1_000,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 10,
      expireInSeconds: Math.min(this.config.GENERATION_TIME_LIMIT + 120, LONGEST_JOB_SECONDS),
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
