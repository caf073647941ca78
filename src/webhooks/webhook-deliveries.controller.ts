import { Body, Controller, Get, Header, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Caller, type Principal, RequireScope } from '../auth/index.js';
import { Config } from '../config.js';
import { Describe } from '../operations/describe.js';
import { cursorOf, nextPage, readPage } from '../operations/page.js';
import { ValidationProblem } from '../operations/problem.js';
import { readBody } from '../operations/read-body.js';
import { type DeliveryAttempt, EVENT_ID, type WebhookDelivery } from './endpoint.js';
import {
  type DeliveryCursor,
  FindWebhookDelivery,
  ListWebhookDeliveries,
  ReplayWebhookDeliveries,
  ReplayWebhookDelivery,
  TestWebhookEndpoint,
} from './messages.js';
import { isStatus, ReplayBody, STATUSES } from './webhook.bodies.js';
import { deliveryNotFound, endpointNotFound, storable } from './webhook.problems.js';
import {
  listWebhookDeliveries,
  readWebhookDelivery,
  replayWebhookDeliveries,
  replayWebhookDelivery,
  testWebhookEndpoint,
} from './webhooks.description.js';

export type ShownDelivery = Omit<WebhookDelivery, 'endpointId' | 'eventId'> & { readonly id: string };

export interface DeliveryAnswer {
  readonly data: ShownDelivery & { readonly log?: readonly DeliveryAttempt[] };
  readonly links: { readonly self: string };
}

/** The messages of a webhook endpoint: what became of them, and sending them again. */
@Controller('v2/webhook-endpoints/:id')
@RequireScope('read:reports')
export class WebhookDeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly config: Config,
  ) {}

  @Post('test')
  @Header('Cache-Control', 'no-store')
  @Describe(testWebhookEndpoint)
  @HttpCode(202)
  async test(@Caller() { id: owner }: Principal, @Param('id') id: string): Promise<DeliveryAnswer> {
    const delivery = await this.commands.execute(new TestWebhookEndpoint(owner, storable(id)));
    if (!delivery) throw endpointNotFound();
    return this.answer(delivery);
  }

  @Get('deliveries')
  @Header('Cache-Control', 'no-store')
  @Describe(listWebhookDeliveries)
  async list(
    @Caller() { id: owner, farms }: Principal,
    @Param('id') id: string,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ data: readonly ShownDelivery[]; links: { next?: string } }> {
    const { limit, after } = readPage(query, 2);
    const { status } = query;
    if (status !== undefined && !isStatus(status)) throw badStatus();
    const filter = { farms, ...(status !== undefined && { status }) };
    const page = await this.queries.execute(
      new ListWebhookDeliveries(owner, storable(id), filter, limit, after && readCursor(after)),
    );
    if (!page) throw endpointNotFound();
    const cursor = page.next && cursorOf([page.next.createdAt, page.next.eventId]);
    const path = `/v2/webhook-endpoints/${id}/deliveries`;
    return { data: page.deliveries.map(shown), links: nextPage(reply, this.config, path, query, cursor) };
  }

  @Get('deliveries/:eventId')
  @Header('Cache-Control', 'no-store')
  @Describe(readWebhookDelivery)
  async read(
    @Caller() { id: owner, farms }: Principal,
    @Param('id') id: string,
    @Param('eventId') eventId: string,
  ): Promise<DeliveryAnswer> {
    const found = await this.queries.execute(new FindWebhookDelivery(owner, storable(id), eventId, farms));
    if (!found) throw deliveryNotFound();
    return this.answer(found.delivery, found.attempts);
  }

  @Post('deliveries/:eventId/replay')
  @Header('Cache-Control', 'no-store')
  @Describe(replayWebhookDelivery)
  @HttpCode(202)
  async replay(
    @Caller() { id: owner, farms }: Principal,
    @Param('id') id: string,
    @Param('eventId') eventId: string,
  ): Promise<DeliveryAnswer> {
    const command = new ReplayWebhookDelivery(owner, storable(id), eventId, farms);
    const delivery = await this.commands.execute(command);
    if (!delivery) throw deliveryNotFound();
    return this.answer(delivery);
  }

  @Post('replay')
  @Header('Cache-Control', 'no-store')
  @Describe(replayWebhookDeliveries)
  @HttpCode(202)
  async replaySince(
    @Caller() { id: owner, farms }: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<{ data: { deliveries: number }; links: object }> {
    const { since, until, statuses } = readBody(ReplayBody, body, 'a JSON object with since');
    const range = { since, ...(until !== undefined && { until }), ...(statuses && { statuses }) };
    const command = new ReplayWebhookDeliveries(owner, storable(id), range, farms);
    const deliveries = await this.commands.execute(command);
    if (deliveries === undefined) throw endpointNotFound();
    return { data: { deliveries }, links: {} };
  }

  private answer(delivery: WebhookDelivery, log?: readonly DeliveryAttempt[]): DeliveryAnswer {
    const { endpointId, eventId } = delivery;
    const self = `${this.config.publicUrl}/v2/webhook-endpoints/${endpointId}/deliveries/${eventId}`;
    return { data: { ...shown(delivery), ...(log && { log }) }, links: { self } };
  }
}

function shown({ endpointId: _, eventId: id, ...delivery }: WebhookDelivery): ShownDelivery {
  return { id, ...delivery };
}

function readCursor([createdAt = '', eventId = '']: readonly string[]): DeliveryCursor {
  const sane =
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(createdAt) && !Number.isNaN(Date.parse(createdAt));
  if (sane && EVENT_ID.test(eventId)) return { createdAt, eventId };
  const detail = 'cursor must be the cursor of a page before, given once.';
  throw new ValidationProblem([{ pointer: '/cursor', detail }]);
}

function badStatus(): ValidationProblem {
  const detail = `status must be one of ${STATUSES.join(', ')}, given once.`;
  return new ValidationProblem([{ pointer: '/status', detail }]);
}
