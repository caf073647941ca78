import {
  header,
  headerParameter,
  json,
  type OperationDescription,
  parameter,
  pathParameter,
  queryParameter,
  type Tag,
} from '../operations/describe.js';
import {
  IF_MATCH,
  IF_NONE_MATCH,
  LOCATION,
  ETAG,
  NEXT_HEADER,
  NO_STORE,
  PAGE_CURSOR,
  PAGE_LIMIT,
  REVALIDATED,
} from '../operations/described-parts.js';
import { choice, text } from '../operations/schema.js';
import { IDEMPOTENCY_KEY } from './idempotency.js';
import { STATUSES } from './list-query.js';
import { LONGEST_WAIT } from './prefer.js';
import {
  ASK_AGAIN,
  COMPLETED_EXAMPLE,
  DEPRECATION_HEADERS,
  PENDING_EXAMPLE,
  REPORT_ANSWER,
  REPORT_LIST,
  REPORT_REQUEST,
  REQUEST_EXAMPLE,
} from './report.schema.js';

export const REPORTS: Tag = {
  name: 'Reports',
  description: 'Ask for a report on a farm and a period, wait for it, download it.',
};

export const REPORT_ID = parameter(
  'ReportId',
  pathParameter(
    'id',
    'The id of the report.',
    text('A report id.', { maxLength: 512 }),
    PENDING_EXAMPLE.data.id,
  ),
);

const CACHE_STATUS = header(
  'Cache-Status',
  'Whether an earlier report answers the request, and why not (RFC 9211).',
  { type: 'string', maxLength: 256 },
  'reports; hit; ttl=3540',
);

export const PREFER = parameter(
  'Prefer',
  headerParameter(
    'Prefer',
    `\`wait=N\` (RFC 7240): answer as soon as the report has ended, at the latest after N seconds, ${LONGEST_WAIT} at most; then as without it.`,
    text('Preferences.', { maxLength: 8192 }),
    'wait=30',
  ),
);

export const PREFERENCE_APPLIED = header(
  'Preference-Applied',
  'How long the answer would have waited.',
  { type: 'string', pattern: '^wait=\\d{1,2}$', maxLength: 7 },
  'wait=30',
  false,
);

const ABOUT_RECORD = {
  'Cache-Control': NO_STORE,
  'Retry-After': ASK_AGAIN,
  'Preference-Applied': PREFERENCE_APPLIED,
  ...DEPRECATION_HEADERS,
};

export const createReport: OperationDescription = {
  id: 'createReport',
  tag: REPORTS,
  summary: 'Ask for a report',
  description: `Makes a report, or answers with one of the same request that is at most an hour old. \`Cache-Control\` steers that: \`no-cache\` makes a new report, \`max-age=86400\` accepts one of up to a day, \`only-if-cached\` never makes one. Identical requests at the same moment make one report, which the others join.

\`Idempotency-Key\` makes retries safe: the same key gives the same report for 24 hours, even with \`no-cache\`.`,
  parameters: [
    headerParameter(
      'Cache-Control',
      'Whether an earlier report of the same request may answer (RFC 9111 request directives).',
      text('Directives.', { maxLength: 8192 }),
      'max-age=86400',
    ),
    headerParameter(
      'Idempotency-Key',
      'Names the request, so that sending it again makes nothing new.',
      text('A key.', { maxLength: 255, pattern: IDEMPOTENCY_KEY.source }),
      '8e03978e-40d5-43e8-bc93-6894a57f9324',
    ),
    PREFER,
  ],
  body: {
    description: 'The type of the report, the farm and the period.',
    required: true,
    content: json(REPORT_REQUEST, REQUEST_EXAMPLE),
  },
  answers: {
    200: {
      description: 'An earlier report of the same request, or one that another request is having made.',
      headers: {
        ...ABOUT_RECORD,
        'Content-Location': header(
          'Content-Location',
          'The record of the report.',
          { type: 'string', format: 'uri', maxLength: 4096 },
          PENDING_EXAMPLE.links.self,
        ),
        'Cache-Status': CACHE_STATUS,
        Age: header(
          'Age',
          'Seconds since the report was asked for.',
          { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
          60,
        ),
      },
      content: json(REPORT_ANSWER, COMPLETED_EXAMPLE),
    },
    201: {
      description: 'A new report, which is pending.',
      headers: {
        ...ABOUT_RECORD,
        Location: LOCATION,
        'Cache-Status': CACHE_STATUS,
      },
      content: json(REPORT_ANSWER, PENDING_EXAMPLE),
    },
  },
  problems: [
    'invalid-request',
    'invalid-idempotency-key',
    'farm-not-accessible',
    'idempotency-key-in-use',
    'idempotency-key-reused',
    'nothing-reusable',
  ],
};

export const listReports: OperationDescription = {
  id: 'listReports',
  tag: REPORTS,
  summary: 'List reports',
  description: 'The reports of the farms that the credential reaches, newest first, in pages.',
  parameters: [
    queryParameter('tenantId', 'Reports of this farm.', text('A farm id.'), 'farm-1'),
    queryParameter('type', 'Reports of this type.', text('A report type.'), 'livestock-sale.v1'),
    queryParameter('status', 'Reports in this status.', choice('A status.', STATUSES), 'completed'),
    queryParameter(
      'createdSince',
      'Reports asked for at this moment or later: Unix milliseconds or ISO 8601, in UTC unless it names a zone.',
      text('A moment.', { maxLength: 64 }),
      '2025-07-01',
    ),
    queryParameter(
      'createdUntil',
      'Reports asked for at this moment or earlier: Unix milliseconds or ISO 8601, in UTC unless it names a zone.',
      text('A moment.', { maxLength: 64 }),
      '2025-07-31T23:59:59Z',
    ),
    PAGE_LIMIT,
    PAGE_CURSOR,
  ],
  answers: {
    200: {
      description: 'A page of reports.',
      headers: { 'Cache-Control': NO_STORE, Link: NEXT_HEADER },
      content: json(REPORT_LIST, { data: [COMPLETED_EXAMPLE.data], links: {} }),
    },
  },
  problems: ['invalid-request'],
};

export const readReport: OperationDescription = {
  id: 'readReport',
  tag: REPORTS,
  summary: 'Read a report’s record',
  description:
    'What was asked for and what became of it. While it has not ended, `Retry-After` says when to ask again.',
  parameters: [REPORT_ID, IF_MATCH, IF_NONE_MATCH, PREFER],
  answers: {
    200: {
      description: 'The record.',
      headers: {
        ETag: ETAG,
        'Cache-Control': REVALIDATED,
        'Retry-After': ASK_AGAIN,
        'Preference-Applied': PREFERENCE_APPLIED,
        ...DEPRECATION_HEADERS,
      },
      content: json(REPORT_ANSWER, COMPLETED_EXAMPLE),
    },
    304: {
      description: 'Nothing has changed since the answer with that ETag.',
      headers: {
        ETag: ETAG,
        'Cache-Control': REVALIDATED,
        'Retry-After': ASK_AGAIN,
        'Preference-Applied': PREFERENCE_APPLIED,
        ...DEPRECATION_HEADERS,
      },
    },
  },
  problems: ['report-not-found', 'precondition-failed'],
};

export const cancelReport: OperationDescription = {
  id: 'cancelReport',
  tag: REPORTS,
  summary: 'Cancel a report',
  description: 'Ends a pending or processing report within a second.',
  parameters: [REPORT_ID, IF_MATCH],
  answers: {
    200: {
      description: 'The record of the cancelled report.',
      headers: { 'Cache-Control': NO_STORE, ...DEPRECATION_HEADERS },
      content: json(REPORT_ANSWER, {
        ...PENDING_EXAMPLE,
        data: { ...PENDING_EXAMPLE.data, status: 'cancelled' },
      }),
    },
  },
  problems: ['report-not-found', 'report-ended', 'precondition-failed'],
};
