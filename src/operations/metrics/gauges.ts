import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '../../config.js';
import { Database } from '../../database/index.js';
import { Subscriptions } from '../../event-store/index.js';
import { CountUnfinishedReports } from '../../reports/index.js';
import { Draining } from '../health/draining.js';
import { OperatorConnection } from '../operator-connection.js';
import { Metrics } from './metrics.js';

/** Sets the gauges at a scrape: those of this process, and those of what all processes share. */
@Injectable()
export class Gauges {
  private reading: Promise<void> | undefined;

  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly database: Database,
    private readonly draining: Draining,
    private readonly connection: OperatorConnection,
    private readonly subscriptions: Subscriptions,
    private readonly queries: QueryBus,
  ) {}

  /** Answers within the time the operators' connection has, whatever the database does. Scrapes at one moment share a reading. */
  async read(): Promise<void> {
    this.readProcess();
    this.reading ??= Promise.all([this.readDatabase(), this.readShared()])
      .then(() => undefined)
      .finally(() => (this.reading = undefined));
    await this.reading;
  }

  private readProcess(): void {
    const { totalCount, idleCount, waitingCount, options } = this.database.pool;
    this.metrics.poolConnections.set({ state: 'busy' }, totalCount - idleCount);
    this.metrics.poolConnections.set({ state: 'idle' }, idleCount);
    this.metrics.poolLimit.set(options.max);
    this.metrics.poolWaiting.set(waitingCount);
    this.metrics.processInfo.set({ role: this.config.ROLE }, 1);
    this.metrics.draining.set(this.draining.begun ? 1 : 0);
  }

  private async readDatabase(): Promise<void> {
    const up = await this.connection.query('SELECT 1').then(
      () => 1,
      () => 0,
    );
    this.metrics.databaseUp.set(up);
  }

  private async readShared(): Promise<void> {
    const { reportsInState, highestAttempt, oldestPendingAge, sharedStateUp } = this.metrics;
    try {
      const reports = await this.queries.execute(new CountUnfinishedReports(this.connection));
      reportsInState.set({ state: 'pending' }, reports.pending);
      reportsInState.set({ state: 'processing' }, reports.processing);
      highestAttempt.set(reports.highestAttempt);
      const { oldestPendingAt } = reports;
      oldestPendingAge.set(
        oldestPendingAt === undefined ? 0 : Math.max(0, (Date.now() - oldestPendingAt) / 1000),
      );
      await this.readSubscriptions();
      sharedStateUp.set(1);
    } catch {
      this.forgetShared();
    }
  }

  private async readSubscriptions(): Promise<void> {
    for (const { name, events, failingBuckets, deadLetters } of await this.subscriptions.lag(
      this.connection,
    )) {
      this.metrics.subscriptionLag.set({ name }, events);
      this.metrics.subscriptionFailing.set({ name }, failingBuckets);
      this.metrics.deadLetters.set({ name }, deadLetters);
    }
  }

  /** What was true at an earlier scrape is not said again. */
  private forgetShared(): void {
    const { metrics } = this;
    const { reportsInState, subscriptionLag, subscriptionFailing, deadLetters } = metrics;
    for (const gauge of [reportsInState, subscriptionLag, subscriptionFailing, deadLetters]) gauge.reset();
    for (const gauge of [metrics.oldestPendingAge, metrics.highestAttempt]) gauge.set(NaN);
    this.metrics.sharedStateUp.set(0);
  }
}
