import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config } from '../config.js';
import { BUCKETS } from '../event-store/index.js';
import { ExpireReport } from '../reports/index.js';
import { GenerationQueue } from './generation-queue.js';
import { PostgresArtifacts } from './postgres-artifacts.js';

const DAY_MS = 86_400_000;
const BATCH = 100;
/** Beyond the time limit of an attempt, before its unpublished content is taken for dead. */
const GRACE_MS = 3_600_000;

/** Unpublished content opened before this instant has no worker any more. Unix milliseconds. */
export function abandonedBefore(now: number, { GENERATION_TIME_LIMIT }: Config): number {
  return now - GENERATION_TIME_LIMIT * 1000 - GRACE_MS;
}

/** Ends the life of contents past their retention, and removes what dead workers left. Only where ROLE has a worker. */
@Injectable()
export class Upkeep implements OnApplicationBootstrap {
  private readonly log = new Logger('Upkeep');

  constructor(
    private readonly config: Config,
    private readonly queue: GenerationQueue,
    private readonly artifacts: PostgresArtifacts,
    private readonly commands: CommandBus,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.ROLE !== 'api') await this.queue.upkeep(() => this.run(Date.now()));
  }

  private async run(now: number): Promise<void> {
    const expired = await this.expire(new Date(now - this.config.REPORT_RETENTION_DAYS * DAY_MS));
    const swept = await this.artifacts.sweep(new Date(abandonedBefore(now, this.config)));
    if (expired + swept > 0) this.log.log({ expired, swept }, 'removed old contents');
  }

  /** A batch at a time, each report in a short transaction of its own; ReportExpired removes the content. */
  private async expire(before: Date): Promise<number> {
    let expired = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      for (;;) {
        const reports = await this.artifacts.publishedBefore(bucket, before, BATCH);
        for (const reportId of reports) await this.commands.execute(new ExpireReport(reportId));
        expired += reports.length;
        if (reports.length < BATCH) break;
      }
    }
    return expired;
  }
}
