import { EXAMPLE_URL } from '../operations/describe.js';
import { choice, named, object, text } from '../operations/schema.js';
import { LIFECYCLE_EVENT, REPORT_EVENTS, REPORT_TYPE } from '../reports/index.js';
import { TEST_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from '../webhooks/index.js';
import { bounded } from './bounded.js';
import { Components, type LateSchemas } from './components.js';
import { INTRODUCTION } from './introduction.js';

export interface AsyncApi {
  readonly asyncapi: string;
  readonly [member: string]: unknown;
}

const MEANING: Readonly<Record<WebhookEvent, string>> = {
  'report.completed': 'The content of a report can be downloaded.',
  'report.failed': 'A report could not be made.',
  'report.cancelled': 'A report was cancelled.',
  'report.expired': 'The content of a report is no longer kept.',
};

const REPORT_ENDED = named(
  'ReportEnded',
  object<{ id: string; farm: string; type: string }>(
    {
      id: text('The id of the report.', { maxLength: 64 }),
      farm: text('The id of its farm.'),
      type: REPORT_TYPE,
    },
    { description: 'Which report it is about; ask for more with a credential.' },
  ),
);

const SIGNED = {
  type: 'object',
  description: 'Who sends the message, by the Standard Webhooks specification.',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': text('The id of the event: the same for every attempt, so that doubles are known by it.', {
      maxLength: 64,
    }),
    'webhook-timestamp': text('When the attempt was made (Unix seconds).', { pattern: '^[0-9]+$' }),
    'webhook-signature': text(
      'HMAC-SHA-256 signatures of `id.timestamp.body`, space-separated: two while a secret is being rotated.',
      { pattern: '^v1,' },
    ),
  },
};

const MOMENT = '2025-07-31T08:00:00.057Z';
const REPORT_ID = 'rpt-3f-0198f3a2-6c1e-7b7a-9d57-0c4b6f1d2a10';

const STREAM_MESSAGES = Object.fromEntries(
  REPORT_EVENTS.map((type) => [
    type,
    {
      name: type,
      title: type,
      summary: 'An event of a stream: `id`, `event` (its type) and `data` (the payload).',
      contentType: 'application/json',
      payload: LIFECYCLE_EVENT,
      examples: [
        {
          payload: {
            id: '0198f3a2-6c20-7c51-b0a5-3d1f5d6e7a01',
            type,
            at: 1753948800011,
            reportId: REPORT_ID,
            tenantId: 'farm-1',
            data: {},
          },
        },
      ],
    },
  ]),
);

const WEBHOOK_MESSAGES = Object.fromEntries([
  ...WEBHOOK_EVENTS.map((event) =>
    messageOf(event, MEANING[event], REPORT_ENDED, {
      id: REPORT_ID,
      farm: 'farm-1',
      type: 'livestock-sale.v1',
    }),
  ),
  messageOf(
    TEST_EVENT,
    'Sent on request, to see whether an endpoint listens.',
    object<{ endpoint: string }>({ endpoint: text('The id of the endpoint.', { maxLength: 64 }) }),
    { endpoint: 'we_Jm3Kx0a9TqLw5dPz' },
  ),
]);

function messageOf(event: string, summary: string, data: object, example: object): [string, object] {
  const message = {
    name: event,
    title: event,
    summary,
    contentType: 'application/json',
    headers: SIGNED,
    payload: object<{ type: string; timestamp: string; data: object }>({
      type: choice('What happened.', [event]),
      timestamp: text('When it happened.', { format: 'date-time', maxLength: 40 }),
      data: data as Readonly<Record<string, unknown>>,
    }),
    examples: [{ payload: { type: event, timestamp: MOMENT, data: example } }],
  };
  return [event.replaceAll('.', '-'), message];
}

const CHANNELS = {
  reportEvents: {
    address: '/v2/report/{id}/events',
    title: 'The life of a report',
    description:
      'Server-Sent Events (`Accept: text/event-stream`), oldest first; `Last-Event-ID` resumes; the stream closes when the report has ended.',
    parameters: { id: { description: 'The id of the report.' } },
    servers: [{ $ref: '#/servers/service' }],
    messages: STREAM_MESSAGES,
  },
  allEvents: {
    address: '/v2/events',
    title: 'The reports of all farms in reach',
    description: 'Server-Sent Events, from now on or after `Last-Event-ID`.',
    servers: [{ $ref: '#/servers/service' }],
    messages: STREAM_MESSAGES,
  },
  webhooks: {
    address: null,
    title: 'Webhooks',
    description:
      'POST requests to the endpoints that a client has registered. Any 2xx takes a message; 410 disables the endpoint; a redirect is a failure. Each event is sent at least once.',
    messages: WEBHOOK_MESSAGES,
  },
};

/** The description of events and webhooks (AsyncAPI 3.0), from the schemas that the HTTP interface has. */
export function asyncApi(publicUrl: string, late: LateSchemas): AsyncApi {
  const components = new Components(late);
  const channels = bounded(components.resolve(CHANNELS));
  const { summary: _, license, ...info } = INTRODUCTION;
  const { host, protocol } = new URL(publicUrl);
  const document = {
    asyncapi: '3.0.0',
    info: {
      ...info,
      title: 'Muster, events and webhooks',
      license: { name: license.name },
      tags: [{ name: 'Reports', description: 'What happens to reports.' }],
      description: `What Muster tells by itself. The rest is in [openapi.json](${EXAMPLE_URL}/openapi.json).`,
    },
    defaultContentType: 'application/json',
    servers: {
      service: {
        host,
        protocol: protocol.slice(0, -1),
        description: 'This service.',
        security: [
          { $ref: '#/components/securitySchemes/bearer' },
          { $ref: '#/components/securitySchemes/apiKey' },
        ],
      },
    },
    channels,
    operations: {
      sendReportEvents: operation('reportEvents', 'Tell the life of a report'),
      sendAllEvents: operation('allEvents', 'Tell the lives of all reports in reach'),
      sendWebhooks: operation('webhooks', 'Tell an endpoint that a report has ended'),
    },
    components: {
      ...(bounded(components.collected()) as object),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'httpApiKey', in: 'header', name: 'x-api-key' },
      },
    },
  };
  return JSON.parse(JSON.stringify(document).replaceAll(EXAMPLE_URL, publicUrl)) as AsyncApi;
}

function operation(channel: string, summary: string): object {
  return {
    action: 'send',
    summary,
    description: `${summary}, as it happens.`,
    channel: { $ref: `#/channels/${channel}` },
  };
}
