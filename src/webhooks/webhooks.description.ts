import {
  EXAMPLE_URL,
  json,
  type OperationDescription,
  parameter,
  pathParameter,
  queryParameter,
  type Tag,
} from '../operations/describe.js';
import {
  LOCATION,
  NEXT_HEADER,
  NO_STORE,
  PAGE_CURSOR,
  PAGE_LIMIT,
  PAGE_LINKS,
} from '../operations/described-parts.js';
import { PAGE } from '../operations/page.js';
import {
  address,
  choice,
  flag,
  instant,
  list,
  named,
  object,
  optional,
  text,
  whole,
} from '../operations/schema.js';
import { schemaOf } from '../operations/validated-schema.js';
import { type DeliveryAttempt, TEST_EVENT, WEBHOOK_EVENTS } from './endpoint.js';
import {
  A_MONTH,
  ChangeEndpointBody,
  MOST_FARMS,
  RegisterEndpointBody,
  ReplayBody,
  RotateSecretBody,
  STATUSES,
} from './webhook.bodies.js';
import type { DeliveryAnswer, ShownDelivery } from './webhook-deliveries.controller.js';
import type { EndpointAnswer } from './webhook-endpoints.controller.js';

const WEBHOOKS: Tag = {
  name: 'Webhooks',
  description:
    'Be told when reports end, by the Standard Webhooks specification: endpoints, their secrets, and the log of what was sent.',
};

const FARM_ID = text('A farm id.', { minLength: 1, maxLength: 100 });
const EVENT = choice('What happened.', WEBHOOK_EVENTS);
const URL_TEXT = 'Where messages are sent: an https address that is public, unless the operator allows more.';
const SAID = {
  description: { description: 'What it is for.' },
  events: { description: 'What it is told: everything unless said.', items: EVENT },
  farms: {
    description: 'The farms it is told about; null, or left out: every farm that the credential reaches.',
    type: ['array', 'null'],
    items: FARM_ID,
  },
  enabled: { description: 'Whether messages are sent. Enabling forgives what failed before.' },
};

const ENDPOINT = named(
  'WebhookEndpoint',
  object<EndpointAnswer['data']>(
    {
      id: text('Its id.', { maxLength: 64 }),
      url: address('Where messages are sent.'),
      description: text('What it is for.', { maxLength: 200 }),
      events: list('What it is told.', EVENT, WEBHOOK_EVENTS.length),
      farms: optional(list('The farms it is told about; absent: every farm in reach.', FARM_ID, MOST_FARMS)),
      enabled: flag('Whether messages are sent.'),
      disabledReason: optional(
        text(
          'Why it is disabled: on request, because it answered 410, took no message for days, or its credential ended.',
        ),
      ),
      disabledDate: optional(instant('Since when it is disabled.')),
      failingSince: optional(instant('The first failed attempt since one succeeded.')),
      previousSecretUntil: optional(instant('Until when messages bear a signature of the old secret too.')),
      creationDate: instant('When it was registered.'),
      lastModifiedDate: instant('When it was changed last.'),
      secret: optional(
        text('The signing secret, only in the answer that made it.', { pattern: '^whsec_', maxLength: 64 }),
      ),
    },
    { description: 'An address that is told when reports end.' },
  ),
);

const ENDPOINT_ANSWER = named(
  'WebhookEndpointAnswer',
  object<EndpointAnswer>({
    data: ENDPOINT,
    links: object<EndpointAnswer['links']>({
      self: address('This endpoint.'),
      deliveries: address('What was sent to it.'),
    }),
  }),
);

const DELIVERY_MEMBERS = {
  id: text('The id of the event, and of the message (`webhook-id`).', { format: 'uuid', maxLength: 36 }),
  event: choice('What happened.', [...WEBHOOK_EVENTS, TEST_EVENT]),
  tenantId: optional(FARM_ID),
  reportId: optional(text('The report.', { maxLength: 64 })),
  reportType: optional(text('Its type.', { maxLength: 512 })),
  occurredAt: instant('When it happened.'),
  status: choice('What became of it. `skipped`: the endpoint was disabled, or may not be told.', STATUSES),
  reason: optional(text('Why it is not delivered.')),
  attempts: whole('Attempts so far.'),
  nextAttemptAt: optional(instant('When it is tried again.')),
};

const DELIVERY = named(
  'WebhookDelivery',
  object<ShownDelivery>(DELIVERY_MEMBERS, { description: 'A message to an endpoint.' }),
);

const ATTEMPT = named(
  'WebhookAttempt',
  object<DeliveryAttempt>(
    {
      number: whole('1 for the first.'),
      at: instant('When it began.'),
      durationMs: whole('How long it took, in milliseconds.'),
      status: optional(whole('Status of the answer, if there was one.', { format: 'int32', maximum: 999 })),
      error: optional(text('Why it failed; absent when it was delivered.')),
    },
    { description: 'An attempt to deliver a message.' },
  ),
);

const DELIVERY_ANSWER = named(
  'WebhookDeliveryAnswer',
  object<DeliveryAnswer>({
    data: object<DeliveryAnswer['data']>({
      ...DELIVERY_MEMBERS,
      log: optional(list('Every attempt, oldest first.', ATTEMPT)),
    }),
    links: object<DeliveryAnswer['links']>({ self: address('This message.') }),
  }),
);

const ENDPOINT_EXAMPLE = {
  id: 'we_Jm3Kx0a9TqLw5dPz',
  url: 'https://ledger.example/hooks/muster',
  description: 'Ledger',
  events: ['report.completed', 'report.failed'],
  enabled: true,
  creationDate: 1753948800000,
  lastModifiedDate: 1753948800000,
};
const SECRET_EXAMPLE = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwdJqT9L1mD2o=';
const SELF = `${EXAMPLE_URL}/v2/webhook-endpoints/${ENDPOINT_EXAMPLE.id}`;
const ENDPOINT_LINKS = { self: SELF, deliveries: `${SELF}/deliveries` };
const DELIVERY_EXAMPLE = {
  id: '0198f3a2-6c20-7c51-b0a5-3d1f5d6e7a01',
  event: 'report.completed',
  tenantId: 'farm-1',
  reportId: 'rpt-3f-0198f3a2-6c1e-7b7a-9d57-0c4b6f1d2a10',
  reportType: 'livestock-sale.v1',
  occurredAt: 1753948800011,
  status: 'pending',
  attempts: 0,
};
const DELIVERY_LINKS = { self: `${SELF}/deliveries/${DELIVERY_EXAMPLE.id}` };

const ENDPOINT_ID = parameter(
  'WebhookEndpointId',
  pathParameter('id', 'The id of the endpoint.', text('An id.', { maxLength: 512 }), ENDPOINT_EXAMPLE.id),
);
const DELIVERY_ID = parameter(
  'WebhookDeliveryId',
  pathParameter('eventId', 'The id of the message.', text('An id.', { maxLength: 512 }), DELIVERY_EXAMPLE.id),
);
const HEADERS = { 'Cache-Control': NO_STORE };

function endpointAnswer(description: string, more: object = {}): OperationDescription['answers'][number] {
  const content = json(ENDPOINT_ANSWER, { data: { ...ENDPOINT_EXAMPLE, ...more }, links: ENDPOINT_LINKS });
  return { description, headers: HEADERS, content };
}

function deliveryAnswer(description: string, more: object = {}): OperationDescription['answers'][number] {
  const content = json(DELIVERY_ANSWER, { data: { ...DELIVERY_EXAMPLE, ...more }, links: DELIVERY_LINKS });
  return { description, headers: HEADERS, content };
}

export const registerWebhookEndpoint: OperationDescription = {
  id: 'registerWebhookEndpoint',
  tag: WEBHOOKS,
  summary: 'Register an endpoint',
  description:
    'In the name of the credential, whose reach bounds what the endpoint is told. The answer holds the signing secret, this once.',
  body: {
    description: 'Where to send what.',
    required: true,
    content: json(
      named(
        'WebhookEndpointRequest',
        schemaOf(RegisterEndpointBody, { url: { description: URL_TEXT }, ...SAID }),
      ),
      { url: ENDPOINT_EXAMPLE.url, events: ENDPOINT_EXAMPLE.events },
    ),
  },
  answers: {
    201: {
      ...endpointAnswer('The new endpoint.', { secret: SECRET_EXAMPLE }),
      headers: { ...HEADERS, Location: LOCATION },
    },
  },
  problems: ['invalid-request', 'farm-not-accessible', 'too-many-webhook-endpoints'],
};

export const listWebhookEndpoints: OperationDescription = {
  id: 'listWebhookEndpoints',
  tag: WEBHOOKS,
  summary: 'List endpoints',
  description: 'The endpoints of the credential, the oldest first.',
  answers: {
    200: {
      description: 'The endpoints.',
      headers: HEADERS,
      content: json(
        named(
          'WebhookEndpointList',
          object<{ data: readonly object[]; links: object }>({
            data: list('Endpoints.', ENDPOINT, 20),
            links: PAGE_LINKS,
          }),
        ),
        { data: [ENDPOINT_EXAMPLE], links: {} },
      ),
    },
  },
};

export const readWebhookEndpoint: OperationDescription = {
  id: 'readWebhookEndpoint',
  tag: WEBHOOKS,
  summary: 'Read an endpoint',
  description: 'Its settings and state.',
  parameters: [ENDPOINT_ID],
  answers: { 200: endpointAnswer('The endpoint.') },
  problems: ['webhook-endpoint-not-found'],
};

export const changeWebhookEndpoint: OperationDescription = {
  id: 'changeWebhookEndpoint',
  tag: WEBHOOKS,
  summary: 'Change an endpoint',
  description: 'What is left out stays as it is.',
  parameters: [ENDPOINT_ID],
  body: {
    description: 'What is to change.',
    required: true,
    content: json(
      named(
        'WebhookEndpointChange',
        schemaOf(ChangeEndpointBody, { url: { description: URL_TEXT }, ...SAID }),
      ),
      { enabled: false },
    ),
  },
  answers: {
    200: endpointAnswer('The endpoint as it is now.', {
      enabled: false,
      disabledReason: 'it was disabled on request',
    }),
  },
  problems: ['invalid-request', 'farm-not-accessible', 'webhook-endpoint-not-found'],
};

export const removeWebhookEndpoint: OperationDescription = {
  id: 'removeWebhookEndpoint',
  tag: WEBHOOKS,
  summary: 'Remove an endpoint',
  description: 'With its log. What was not delivered is not delivered any more.',
  parameters: [ENDPOINT_ID],
  answers: { 204: { description: 'It is gone.' } },
  problems: ['webhook-endpoint-not-found'],
};

export const rotateWebhookSecret: OperationDescription = {
  id: 'rotateWebhookSecret',
  tag: WEBHOOKS,
  summary: 'Rotate a signing secret',
  description: 'The answer holds the new secret, this once. For a while messages bear signatures of both.',
  parameters: [ENDPOINT_ID],
  body: {
    description: 'How long the old secret stays valid; none is the same as an empty object.',
    required: false,
    content: json(
      named(
        'WebhookSecretRotation',
        schemaOf(RotateSecretBody, {
          graceSeconds: {
            description: 'Seconds for which messages are signed with the old secret too; 0 ends it at once.',
            default: 86_400,
            maximum: A_MONTH,
          },
        }),
      ),
      { graceSeconds: 3600 },
    ),
  },
  answers: {
    200: endpointAnswer('The endpoint with its new secret.', {
      secret: SECRET_EXAMPLE,
      previousSecretUntil: 1753952400000,
    }),
  },
  problems: ['invalid-request', 'webhook-endpoint-not-found'],
};

export const testWebhookEndpoint: OperationDescription = {
  id: 'testWebhookEndpoint',
  tag: WEBHOOKS,
  summary: 'Send a test message',
  description: `An \`${TEST_EVENT}\` is delivered as any other message is.`,
  parameters: [ENDPOINT_ID],
  answers: {
    202: {
      description: 'The message, which is sent soon.',
      headers: HEADERS,
      content: json(DELIVERY_ANSWER, {
        data: {
          id: DELIVERY_EXAMPLE.id,
          event: TEST_EVENT,
          occurredAt: DELIVERY_EXAMPLE.occurredAt,
          status: 'pending',
          attempts: 0,
        },
        links: DELIVERY_LINKS,
      }),
    },
  },
  problems: ['webhook-endpoint-not-found'],
};

export const listWebhookDeliveries: OperationDescription = {
  id: 'listWebhookDeliveries',
  tag: WEBHOOKS,
  summary: 'List what was sent',
  description: 'The messages to an endpoint about farms that the credential reaches, newest first, in pages.',
  parameters: [
    ENDPOINT_ID,
    queryParameter('status', 'Messages of this status.', choice('A status.', STATUSES), 'failed'),
    PAGE_LIMIT,
    PAGE_CURSOR,
  ],
  answers: {
    200: {
      description: 'A page of messages.',
      headers: { ...HEADERS, Link: NEXT_HEADER },
      content: json(
        named(
          'WebhookDeliveryList',
          object<{ data: readonly object[]; links: object }>({
            data: list('Messages.', DELIVERY, PAGE.most),
            links: PAGE_LINKS,
          }),
        ),
        { data: [DELIVERY_EXAMPLE], links: {} },
      ),
    },
  },
  problems: ['invalid-request', 'webhook-endpoint-not-found'],
};

export const readWebhookDelivery: OperationDescription = {
  id: 'readWebhookDelivery',
  tag: WEBHOOKS,
  summary: 'Read what became of a message',
  description: 'The message and every attempt to deliver it.',
  parameters: [ENDPOINT_ID, DELIVERY_ID],
  answers: {
    200: deliveryAnswer('The message.', {
      status: 'delivered',
      attempts: 1,
      log: [{ number: 1, at: 1753948800042, durationMs: 87, status: 204 }],
    }),
  },
  problems: ['webhook-delivery-not-found', 'webhook-endpoint-not-found'],
};

export const replayWebhookDelivery: OperationDescription = {
  id: 'replayWebhookDelivery',
  tag: WEBHOOKS,
  summary: 'Send a message again',
  description: 'Whatever became of it, with the same id and by the whole schedule.',
  parameters: [ENDPOINT_ID, DELIVERY_ID],
  answers: { 202: deliveryAnswer('The message, which is sent soon.') },
  problems: ['webhook-delivery-not-found', 'webhook-endpoint-not-found'],
};

export const replayWebhookDeliveries: OperationDescription = {
  id: 'replayWebhookDeliveries',
  tag: WEBHOOKS,
  summary: 'Send messages again',
  description: 'Everything that happened since an instant, or what has one of some statuses of it.',
  parameters: [ENDPOINT_ID],
  body: {
    description: 'What to send.',
    required: true,
    content: json(
      named(
        'WebhookReplay',
        schemaOf(ReplayBody, {
          since: { description: 'What happened from then on (Unix milliseconds).' },
          until: { description: 'What happened until then (Unix milliseconds).' },
          statuses: { description: 'Only messages of these statuses.', items: choice('A status.', STATUSES) },
        }),
      ),
      { since: 1753948800000, statuses: ['failed', 'skipped'] },
    ),
  },
  answers: {
    202: {
      description: 'How many messages are sent soon.',
      headers: HEADERS,
      content: json(
        named(
          'WebhookReplayAnswer',
          object<{ data: object; links: object }>({
            data: object<{ deliveries: number }>({ deliveries: whole('Messages.') }),
            links: object({}),
          }),
        ),
        { data: { deliveries: 12 }, links: {} },
      ),
    },
  },
  problems: ['invalid-request', 'webhook-endpoint-not-found'],
};
