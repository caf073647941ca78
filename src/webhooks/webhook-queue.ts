import { Injectable } from '@nestjs/common';
import { Config } from '../config.js';
import { Jobs, type Transaction, type Work } from '../database/index.js';
import type { PlannedAttempt } from './delivery-rows.js';

const FIRST = 'deliver-webhook';
const AGAIN = 'redeliver-webhook';
export const DELIVERING = [FIRST, AGAIN] as const;
const UPKEEP = 'webhook-upkeep';

/** Attempts at one endpoint at the same time, over all processes. */
const ENDPOINT_CONCURRENCY = 2;
/** Beyond any time limit of an answer. */
const LONGEST_JOB_SECONDS = 120;
/** A message that waits is owed for as long as it takes: left alone, pg-boss drops a job after a fortnight. */
const OWED_SECONDS = 10 * 365 * 86_400;

/**
 * The jobs behind deliveries: one job an attempt. What goes to an endpoint that failed before waits in a queue of its own,
 * with workers of its own, and no endpoint holds more than two of them: the slow and the dead keep nobody waiting but
 * themselves.
 */
@Injectable()
export class WebhookQueue {
  constructor(
    private readonly config: Config,
    private readonly jobs: Jobs,
  ) {}

  /** Adds an attempt in the transaction that plans it. `failing`: the last attempt at the endpoint failed. */
  async plan(tx: Transaction, attempt: PlannedAttempt, failing: boolean, afterSeconds = 0): Promise<void> {
    await this.jobs.send(tx, failing ? AGAIN : FIRST, attempt, {
      group: { id: attempt.endpointId },
      retryLimit: 1_000,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: LONGEST_JOB_SECONDS,
      retentionSeconds: Math.ceil(afterSeconds) + OWED_SECONDS,
      ...(afterSeconds > 0 && { startAfter: afterSeconds }),
    });
  }

  async deliver(work: Work<PlannedAttempt>): Promise<void> {
    const options = {
      localConcurrency: this.config.WEBHOOK_CONCURRENCY,
      groupConcurrency: ENDPOINT_CONCURRENCY,
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 1,
    } as const;
    await this.jobs.work(FIRST, options, work);
    await this.jobs.work(AGAIN, options, work);
  }

  /** Begins to do the upkeep, every hour, in one process at a time. */
  async upkeep(work: () => Promise<void>): Promise<void> {
    await this.jobs.every('17 * * * *', UPKEEP, work);
  }

  async takeNoMore(): Promise<void> {
    await this.jobs.takeNoMore(FIRST, AGAIN, UPKEEP);
  }

  async settled(): Promise<void> {
    await this.jobs.settled(FIRST, AGAIN, UPKEEP);
  }
}
