import {
  type Content,
  header,
  headerParameter,
  json,
  type OperationDescription,
  parameter,
} from '../operations/describe.js';
import { NO_STORE } from '../operations/described-parts.js';
import { text } from '../operations/schema.js';
import { EVENT_LIST, REPORT_ID, REPORTS_TAG } from '../reports/index.js';

const EVENT = {
  id: '0198f3a2-6c20-7c51-b0a5-3d1f5d6e7a01',
  type: 'ReportGenerationStarted',
  at: 1753948800011,
  reportId: 'rpt-3f-0198f3a2-6c1e-7b7a-9d57-0c4b6f1d2a10',
  tenantId: 'farm-1',
  data: { attempt: 1 },
};

const LAST_EVENT_ID = parameter(
  'LastEventId',
  headerParameter(
    'Last-Event-ID',
    'The `id` of the last event that an earlier connection brought: the stream goes on after it.',
    text('An id.', { maxLength: 8192 }),
    EVENT.id,
  ),
);

const STREAM: Readonly<Record<string, Content>> = {
  'text/event-stream': {
    schema: text(
      'Events as the HTML Standard has them: `id`, `event` (the type) and `data` (the event as JSON, as in the list). Comments are signs of life.',
      { maxLength: Number.MAX_SAFE_INTEGER },
    ),
    example: `retry: 2000\n\nid: ${EVENT.id}\nevent: ${EVENT.type}\ndata: ${JSON.stringify(EVENT)}\n\n`,
  },
};

const VARY = header(
  'VaryAccept',
  'What the answer was chosen by.',
  { type: 'string', const: 'Accept' },
  'Accept',
);

export const readReportEvents: OperationDescription = {
  id: 'readReportEvents',
  tag: REPORTS_TAG,
  summary: 'Read or follow a report’s life',
  description:
    'Everything that happened to a report, oldest first: as a list, or as a stream that closes when the report has ended. A client that then connects again with the last id gets 204, at which an EventSource stops.',
  parameters: [REPORT_ID, LAST_EVENT_ID],
  answers: {
    200: {
      description: 'The events.',
      headers: { 'Cache-Control': NO_STORE, Vary: VARY },
      content: { ...json(EVENT_LIST, { data: [EVENT], links: {} }), ...STREAM },
    },
    204: {
      description: 'The report has ended and its last event was sent already.',
      headers: { 'Cache-Control': NO_STORE, Vary: VARY },
    },
  },
  problems: ['report-not-found', 'not-acceptable', 'too-many-streams'],
};

export const followReports: OperationDescription = {
  id: 'followReports',
  tag: REPORTS_TAG,
  summary: 'Follow all reports',
  description:
    'What happens to the reports on the farms that the credential reaches, from now on, or after `Last-Event-ID`. Of one farm an `id` is the id of the event; over several it is followed by `~` and the place in the stream. The stream ends when the credential does, or when its farms change.',
  parameters: [LAST_EVENT_ID],
  answers: {
    200: { description: 'The events.', headers: { 'Cache-Control': NO_STORE }, content: STREAM },
  },
  problems: ['unknown-event', 'not-acceptable', 'too-many-streams'],
};
