import type { OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { EventsHandler, type IEventHandler, QueryBus } from '@nestjs/cqrs';
import { TokenRequestAnswered } from '../../auth/index.js';
import { Config } from '../../config.js';
import { type EventMeta, EventStore } from '../../event-store/index.js';
import { RecordsImported } from '../../farm-records/index.js';
import { AttemptBegun, AttemptEnded, ReplicaPassedOver } from '../../generators/index.js';
import { ListReportTypes, ReportRequestAnswered } from '../../reports/index.js';
import { exemplarOf, workContext } from '../work-context.js';
import { Metrics } from './metrics.js';

type Counted =
  | ReportRequestAnswered
  | AttemptBegun
  | AttemptEnded
  | ReplicaPassedOver
  | RecordsImported
  | TokenRequestAnswered;

/** Turns what modules say has happened in this process into counts. */
@EventsHandler(
  ReportRequestAnswered,
  AttemptBegun,
  AttemptEnded,
  ReplicaPassedOver,
  RecordsImported,
  TokenRequestAnswered,
)
export class Counting implements IEventHandler<Counted>, OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly metrics: Metrics,
    private readonly store: EventStore,
    private readonly queries: QueryBus,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.store.onMeta(tracedMeta);
    this.store.onAppend((seconds) => this.metrics.appendSeconds.observe(seconds));
  }

  /** A series that began with the first failure would hide it: what grows from nothing has not grown. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.config.ROLE === 'api') return;
    for (const { type } of await this.queries.execute(new ListReportTypes()))
      this.metrics.generationSeconds.zero({ type, outcome: 'failed' });
  }

  handle(event: Counted): void {
    if (event instanceof ReportRequestAnswered) this.request(event);
    else if (event instanceof AttemptBegun) this.begun(event);
    else if (event instanceof AttemptEnded) this.ended(event);
    else if (event instanceof ReplicaPassedOver) this.metrics.replicaPassedOver.inc();
    else if (event instanceof RecordsImported) this.imported(event);
    else this.metrics.tokenRequests.inc({ grant: event.grant, result: event.result });
  }

  private request({ type, outcome, deprecated }: ReportRequestAnswered): void {
    this.metrics.reportsCreated.inc({ type, outcome });
    if (deprecated) this.metrics.deprecatedRequests.inc({ type });
  }

  private begun({ waitedSeconds, recovered }: AttemptBegun): void {
    if (waitedSeconds !== undefined) this.metrics.queueWait.observe(waitedSeconds);
    if (recovered) this.metrics.recoveries.inc();
  }

  private ended({ type, outcome, seconds, rows, files }: AttemptEnded): void {
    const exemplarLabels = exemplarOf(workContext.getStore()?.traceparent);
    this.metrics.generationSeconds.observe({ labels: { type, outcome }, value: seconds, exemplarLabels });
    if (rows > 0) this.metrics.rows.inc({ type }, rows);
    for (const { format, bytes } of files) this.metrics.bytes.inc({ format }, bytes);
  }

  private imported({ counts }: RecordsImported): void {
    for (const outcome of ['accepted', 'replaced', 'unchanged', 'rejected'] as const)
      this.metrics.recordsImported.inc({ outcome }, counts[outcome]);
  }
}

function tracedMeta(): EventMeta {
  const traceparent = workContext.getStore()?.traceparent;
  return traceparent === undefined ? {} : { traceparent };
}
