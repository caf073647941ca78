import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../config.js';
import { Database } from '../database/index.js';
import { sweepDeliveries } from './delivery-rows.js';
import { forgetOldSecrets } from './endpoint-rows.js';
import { WebhookQueue } from './webhook-queue.js';

const DAY_MS = 86_400_000;
const BATCH = 1_000;

/** Ends the delivery log where its time is over, and forgets secrets that were replaced. Only where ROLE has a worker. */
@Injectable()
export class WebhookUpkeep implements OnApplicationBootstrap {
  private readonly log = new Logger('WebhookUpkeep');

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly queue: WebhookQueue,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.ROLE !== 'api') await this.queue.upkeep(() => this.run(Date.now()));
  }

  async run(now: number): Promise<void> {
    await forgetOldSecrets(this.database);
    const before = new Date(now - this.config.WEBHOOK_LOG_DAYS * DAY_MS);
    let swept = 0;
    for (let batch = BATCH; batch === BATCH; swept += batch)
      batch = await sweepDeliveries(this.database, before, BATCH);
    if (swept > 0) this.log.log({ swept }, 'ended old entries of the delivery log');
  }
}
