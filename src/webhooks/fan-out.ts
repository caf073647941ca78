import { Injectable, type OnModuleInit } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { FindReaching, type Principal } from '../auth/index.js';
import { Config } from '../config.js';
import { type Transaction } from '../database/index.js';
import { type RecordedEvent, type SubscriptionDefinition, Subscriptions } from '../event-store/index.js';
import {
  FindReport,
  type ReportCancelled,
  type ReportCompleted,
  type ReportExpired,
  type ReportGenerationFailed,
} from '../reports/index.js';
import { insertDelivery } from './delivery-rows.js';
import type { WebhookEndpoint, WebhookEvent } from './endpoint.js';
import { endpointsFor } from './endpoint-rows.js';
import { WebhookQueue } from './webhook-queue.js';

type ToldEvent = ReportCompleted | ReportGenerationFailed | ReportCancelled | ReportExpired;

/** What each event is called to endpoints, unless `nameOf` leaves it out. */
export const TOLD_AS: Readonly<Record<ToldEvent['type'], WebhookEvent>> = {
  ReportCompleted: 'report.completed',
  ReportGenerationFailed: 'report.failed',
  ReportCancelled: 'report.cancelled',
  ReportExpired: 'report.expired',
};

/** Looks up what to tell; who may be told is another question. */
const SELF: Principal = { id: 'webhooks', scopes: new Set(['read:reports']), farms: 'all' };

/**
 * Turns the ends of reports into deliveries, in the transaction of the subscription's checkpoint: each event has one
 * delivery to each endpoint that wants it and whose credential reaches the farm. A disabled endpoint's are noted as skipped,
 * so that they can be replayed. It runs only where ROLE has a worker.
 */
@Injectable()
export class FanOut implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly subscriptions: Subscriptions,
    private readonly queries: QueryBus,
    private readonly queue: WebhookQueue,
  ) {}

  onModuleInit(): void {
    const definition: SubscriptionDefinition<ToldEvent> = {
      name: 'webhooks',
      types: Object.keys(TOLD_AS) as ToldEvent['type'][],
      handle: (event, tx) => this.tell(event, tx),
    };
    this.subscriptions.subscribe(definition, { runsHere: this.config.ROLE !== 'api' });
  }

  private async tell(recorded: RecordedEvent<ToldEvent>, tx: Transaction): Promise<void> {
    const { id: eventId, tenantId, streamId: reportId, event, recordedAt } = recorded;
    const name = nameOf(event);
    if (!name) return;
    const endpoints = await this.listening(name, tenantId, recordedAt, tx);
    if (endpoints.length === 0) return;
    const report = await this.queries.execute(new FindReport(SELF, reportId));
    if (!report) return;
    const about = { eventId, event: name, tenantId, reportId, reportType: report.type, occurredAt: event.at };
    for (const { id: endpointId, enabled, failingSince } of endpoints) {
      const status = enabled
        ? ({ status: 'pending' } as const)
        : ({ status: 'skipped', reason: 'the endpoint was disabled' } as const);
      const added = await insertDelivery(tx, { ...about, ...status, endpointId, attempts: 0 });
      if (added && enabled)
        await this.queue.plan(tx, { endpointId, eventId, turn: 1, tries: 0 }, failingSince !== undefined);
    }
  }

  private async listening(
    event: WebhookEvent,
    farmId: string,
    recordedAt: Date,
    tx: Transaction,
  ): Promise<WebhookEndpoint[]> {
    const wanting = await endpointsFor(tx, event, farmId, recordedAt);
    if (wanting.length === 0) return [];
    const owners = [...new Set(wanting.map(({ owner }) => owner))];
    const reaching = await this.queries.execute(new FindReaching(owners, farmId, 'read:reports'));
    return wanting.filter(({ owner }) => reaching.has(owner));
  }
}

function nameOf(event: ToldEvent): WebhookEvent | undefined {
  const retrying = event.type === 'ReportGenerationFailed' && event.retrying;
  return retrying ? undefined : TOLD_AS[event.type];
}
