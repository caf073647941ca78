import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Caller, type Principal, RequireScope } from '../auth/index.js';
import { Config } from '../config.js';
import { Describe } from '../operations/describe.js';
import { readBody, sentFields } from '../operations/read-body.js';
import { WEBHOOK_EVENTS, type WebhookEndpoint } from './endpoint.js';
import {
  ChangeWebhookEndpoint,
  FindWebhookEndpoint,
  ListWebhookEndpoints,
  RegisterWebhookEndpoint,
  RemoveWebhookEndpoint,
  RotateWebhookSecret,
} from './messages.js';
import { ChangeEndpointBody, RegisterEndpointBody, RotateSecretBody } from './webhook.bodies.js';
import { endpointNotFound, storable, toProblem } from './webhook.problems.js';
import {
  changeWebhookEndpoint,
  listWebhookEndpoints,
  readWebhookEndpoint,
  registerWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
} from './webhooks.description.js';

/** Seconds for which the secret before counts, unless the caller says. */
const A_DAY = 86_400;

export interface EndpointAnswer {
  /** `secret` only in the answer that made it. */
  readonly data: Omit<WebhookEndpoint, 'owner'> & { readonly secret?: string };
  readonly links: { readonly self: string; readonly deliveries: string };
}

/** The webhook endpoints of the calling credential. */
@Controller('v2/webhook-endpoints')
@RequireScope('read:reports')
export class WebhookEndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly config: Config,
  ) {}

  @Post()
  @Describe(registerWebhookEndpoint)
  async register(
    @Caller() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointAnswer> {
    const given = readBody(RegisterEndpointBody, body, 'a JSON object with a url');
    const { url, description = '', events = WEBHOOK_EVENTS, farms = null, enabled = true } = given;
    const settings = { url, description, events, farms, enabled };
    const command = new RegisterWebhookEndpoint(principal, settings);
    const { endpoint, secret } = await this.commands.execute(command).catch(toProblem);
    const answer = this.answer(endpoint, reply, secret);
    void reply.header('Location', answer.links.self);
    return answer;
  }

  @Get()
  @Describe(listWebhookEndpoints)
  async list(
    @Caller() { id }: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ data: readonly EndpointAnswer['data'][]; links: object }> {
    const endpoints = await this.queries.execute(new ListWebhookEndpoints(id));
    void reply.header('Cache-Control', 'no-store');
    return { data: endpoints.map(shown), links: {} };
  }

  @Get(':id')
  @Describe(readWebhookEndpoint)
  async read(
    @Caller() { id: owner }: Principal,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointAnswer> {
    const endpoint = await this.queries.execute(new FindWebhookEndpoint(owner, storable(id)));
    return this.answer(endpoint, reply);
  }

  @Patch(':id')
  @Describe(changeWebhookEndpoint)
  async change(
    @Caller() { id: owner }: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointAnswer> {
    const given = readBody(ChangeEndpointBody, body, 'a JSON object with what is to change');
    const command = new ChangeWebhookEndpoint(owner, storable(id), sentFields(given));
    return this.answer(await this.commands.execute(command).catch(toProblem), reply);
  }

  @Delete(':id')
  @HttpCode(204)
  @Describe(removeWebhookEndpoint)
  async remove(@Caller() { id: owner }: Principal, @Param('id') id: string): Promise<void> {
    if (!(await this.commands.execute(new RemoveWebhookEndpoint(owner, storable(id)))))
      throw endpointNotFound();
  }

  @Post(':id/rotate-secret')
  @Describe(rotateWebhookSecret)
  @HttpCode(200)
  async rotate(
    @Caller() { id: owner }: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointAnswer> {
    const { graceSeconds = A_DAY } = readBody(RotateSecretBody, body ?? {}, 'a JSON object');
    const command = new RotateWebhookSecret(owner, storable(id), graceSeconds);
    const rotated = await this.commands.execute(command);
    return this.answer(rotated?.endpoint, reply, rotated?.secret);
  }

  private answer(
    endpoint: WebhookEndpoint | undefined,
    reply: FastifyReply,
    secret?: string,
  ): EndpointAnswer {
    if (!endpoint) throw endpointNotFound();
    void reply.header('Cache-Control', 'no-store');
    const self = `${this.config.publicUrl}/v2/webhook-endpoints/${endpoint.id}`;
    return {
      data: { ...shown(endpoint), ...(secret !== undefined && { secret }) },
      links: { self, deliveries: `${self}/deliveries` },
    };
  }
}

function shown({ owner: _, ...endpoint }: WebhookEndpoint): EndpointAnswer['data'] {
  return endpoint;
}
