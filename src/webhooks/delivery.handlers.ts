import { randomUUIDv7 } from 'node:crypto';
import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Principal } from '../auth/index.js';
import { Database, type Sql, type Transaction } from '../database/index.js';
import {
  findDelivery,
  insertDelivery,
  listAttempts,
  listDeliveries,
  replayDelivery,
  type ReplayPlace,
  replayRange,
} from './delivery-rows.js';
import { type DeliveryAttempt, EVENT_ID, TEST_EVENT, type WebhookDelivery } from './endpoint.js';
import { findEndpoint, type StoredEndpoint } from './endpoint-rows.js';
import {
  type DeliveryCursor,
  FindWebhookDelivery,
  ListWebhookDeliveries,
  ReplayWebhookDeliveries,
  ReplayWebhookDelivery,
  TestWebhookEndpoint,
} from './messages.js';
import { WebhookQueue } from './webhook-queue.js';

const BATCH = 500;

@CommandHandler(TestWebhookEndpoint)
export class TestWebhookEndpointHandler implements ICommandHandler<TestWebhookEndpoint> {
  constructor(
    private readonly database: Database,
    private readonly queue: WebhookQueue,
  ) {}

  async execute({ owner, id: endpointId }: TestWebhookEndpoint): Promise<WebhookDelivery | undefined> {
    const found = await findEndpoint(this.database, owner, endpointId);
    if (!found) return undefined;
    const eventId = randomUUIDv7();
    const delivery: WebhookDelivery = {
      endpointId,
      eventId,
      event: TEST_EVENT,
      occurredAt: Date.now(),
      status: 'pending',
      attempts: 0,
    };
    return this.database.transaction(async (tx) => {
      if (!(await insertDelivery(tx, delivery))) return undefined;
      await this.queue.plan(tx, { endpointId, eventId, turn: 1, tries: 0 }, isFailing(found));
      return delivery;
    });
  }
}

@CommandHandler(ReplayWebhookDelivery)
export class ReplayWebhookDeliveryHandler implements ICommandHandler<ReplayWebhookDelivery> {
  constructor(
    private readonly database: Database,
    private readonly queue: WebhookQueue,
  ) {}

  async execute({ owner, id, eventId, farms }: ReplayWebhookDelivery): Promise<WebhookDelivery | undefined> {
    const found = EVENT_ID.test(eventId) && (await findEndpoint(this.database, owner, id));
    if (!found) return undefined;
    const delivery = await findVisible(this.database, id, eventId, farms);
    if (!delivery) return undefined;
    return this.database.transaction(async (tx) => {
      const replayed = await replayDelivery(tx, id, eventId);
      if (!replayed) return delivery;
      await this.queue.plan(tx, replayed.planned, isFailing(found));
      return replayed.delivery;
    });
  }
}

/** A batch a transaction: a replay that is cut short has planned what it has planned, and can be asked for again. */
@CommandHandler(ReplayWebhookDeliveries)
export class ReplayWebhookDeliveriesHandler implements ICommandHandler<ReplayWebhookDeliveries> {
  constructor(
    private readonly database: Database,
    private readonly queue: WebhookQueue,
  ) {}

  async execute({ owner, id, range, farms }: ReplayWebhookDeliveries): Promise<number | undefined> {
    const found = await findEndpoint(this.database, owner, id);
    if (!found) return undefined;
    const failing = isFailing(found);
    const replay = async (tx: Transaction, after: ReplayPlace | undefined) => {
      const batch = await replayRange(tx, id, range, farms, after, BATCH);
      for (const planned of batch.planned) await this.queue.plan(tx, planned, failing);
      return batch;
    };
    let count = 0;
    for (let after: ReplayPlace | undefined; ;) {
      const { planned, last } = await this.database.transaction((tx) => replay(tx, after));
      count += planned.length;
      if (planned.length < BATCH) return count;
      after = last;
    }
  }
}

@QueryHandler(ListWebhookDeliveries)
export class ListWebhookDeliveriesHandler implements IQueryHandler<ListWebhookDeliveries> {
  constructor(private readonly database: Database) {}

  async execute({
    owner,
    id,
    filter,
    limit,
    after,
  }: ListWebhookDeliveries): Promise<{ deliveries: WebhookDelivery[]; next?: DeliveryCursor } | undefined> {
    if (!(await findEndpoint(this.database, owner, id))) return undefined;
    return listDeliveries(this.database, id, filter, limit, after);
  }
}

@QueryHandler(FindWebhookDelivery)
export class FindWebhookDeliveryHandler implements IQueryHandler<FindWebhookDelivery> {
  constructor(private readonly database: Database) {}

  async execute({
    owner,
    id,
    eventId,
    farms,
  }: FindWebhookDelivery): Promise<{ delivery: WebhookDelivery; attempts: DeliveryAttempt[] } | undefined> {
    if (!EVENT_ID.test(eventId) || !(await findEndpoint(this.database, owner, id))) return undefined;
    const delivery = await findVisible(this.database, id, eventId, farms);
    return delivery && { delivery, attempts: await listAttempts(this.database, id, eventId) };
  }
}

/** A delivery, unless it is about a farm that lies out of reach. */
async function findVisible(
  sql: Sql,
  endpointId: string,
  eventId: string,
  farms: Principal['farms'],
): Promise<WebhookDelivery | undefined> {
  const delivery = await findDelivery(sql, endpointId, eventId);
  const hidden = delivery?.tenantId !== undefined && farms !== 'all' && !farms.has(delivery.tenantId);
  return hidden ? undefined : delivery;
}

function isFailing({ endpoint }: StoredEndpoint): boolean {
  return endpoint.failingSince !== undefined;
}
