import { EXAMPLE_URL, header, type Header } from '../operations/describe.js';
import { PAGE_LINKS } from '../operations/described-parts.js';
import { PAGE } from '../operations/page.js';
import {
  address,
  choice,
  day,
  instant,
  list,
  mapOf,
  Named,
  named,
  object,
  optional,
  type Schema,
  text,
  whole,
} from '../operations/schema.js';
import { schemaOf } from '../operations/validated-schema.js';
import { CreateReportBody } from './create-report.body.js';
import { STATUSES } from './list-query.js';
import type { LifecycleEvent, ReportProgress, ReportRecord } from './messages.js';
import type { ReportEvent, ReportFile, ReportManifest, ReportPeriod } from './report.js';
import type { ReportAnswer, ReportLinks } from './report.representation.js';

/** One of the report types that are installed; those that are deprecated are marked. */
export const REPORT_TYPE = new Named<Schema>('schemas', 'ReportType');

const PERIOD_END = 'the farm-local day it falls on is the last day of the period';

const REQUEST_FIELDS = {
  tenantType: { description: 'What the tenant is: a farm.' },
  tenantId: { description: 'The id of the farm.', examples: ['farm-1'] },
  reportingPeriodStart: {
    description:
      'Unix milliseconds; the farm-local day it falls on is the first day of the period. Values from 62135596800000 on are read as milliseconds since 0001-01-01, with a warning.',
    examples: [1719756000000],
  },
  reportingPeriodEnd: {
    description: `Unix milliseconds; ${PERIOD_END}, itself included.`,
    examples: [1751205600000],
  },
};

export const REPORT_REQUEST = named('ReportRequest', {
  description: 'What a report is asked about. Other members are ignored.',
  ...schemaOf(CreateReportBody, {
    type: { allOf: [REPORT_TYPE] },
    ...REQUEST_FIELDS,
  }),
});

/** Of a request whose type stands in the path. */
export const FARM_AND_PERIOD = named('FarmAndPeriod', {
  description: 'A farm and a period. Other members are ignored.',
  ...withoutType(schemaOf(CreateReportBody, { type: {}, ...REQUEST_FIELDS })),
});

function withoutType({ required, properties, ...schema }: Schema): Schema {
  const { type: _, ...rest } = properties as Record<string, Schema>;
  return { ...schema, required: (required as string[]).filter((name) => name !== 'type'), properties: rest };
}

const STATUS = named(
  'ReportStatus',
  choice(
    '`pending`, then `processing` (a run that will be retried stays so), then one of `completed`, `failed`, `cancelled`; a completed report becomes `expired` when its content is no longer kept.',
    STATUSES,
  ),
);

const PERIOD = named(
  'ReportPeriod',
  object<ReportPeriod>(
    {
      start: day('First day.', { examples: ['2024-07-01'] }),
      end: day('Last day, included.', { examples: ['2025-06-30'] }),
      timeZone: text("The farm's IANA time zone.", { maxLength: 64, examples: ['Australia/Sydney'] }),
    },
    { description: 'How the period was read: days on the farm.' },
  ),
);

const FILE = named(
  'ReportFile',
  object<ReportFile>(
    {
      format: choice('Format of the content.', ['csv', 'json', 'ndjson', 'xlsx']),
      bytes: whole('Length.'),
      sha256: text('Digest in lower-case hexadecimal digits.', { pattern: '^[0-9a-f]{64}$', maxLength: 64 }),
    },
    { description: 'One rendering of the content.' },
  ),
);

const MANIFEST = named(
  'ReportManifest',
  object<ReportManifest>(
    {
      generator: text('The report type that made the content: the successor for a deprecated type.', {
        maxLength: 100,
      }),
      generatorVersion: text('Version of the content that type makes.', { maxLength: 40 }),
      recordsPosition: text(
        "Position of the farm's records that was read. The same position and request give the same files.",
        { maxLength: 40 },
      ),
      rows: whole('Rows of the content.'),
      files: list('The content in every format.', FILE, 20),
      controlTotals: mapOf('Sums over the rows by column, exact decimals.', text('Sum.', { maxLength: 100 })),
      warnings: whole('Warnings in the content.'),
    },
    { description: 'What a completed report is made of.' },
  ),
);

export const REPORT = named(
  'Report',
  object<ReportRecord>(
    {
      id: text('The id of the report.', { maxLength: 64 }),
      type: REPORT_TYPE,
      tenantType: { type: 'string', const: 'farm', description: REQUEST_FIELDS.tenantType.description },
      tenantId: text(REQUEST_FIELDS.tenantId.description),
      reportingPeriodStart: whole(REQUEST_FIELDS.reportingPeriodStart.description),
      reportingPeriodEnd: whole(REQUEST_FIELDS.reportingPeriodEnd.description),
      status: STATUS,
      creationDate: instant('When it was asked for'),
      lastModifiedDate: instant('When its status changed last'),
      period: PERIOD,
      warnings: list('What the caller should know about the request.', text('A warning.'), 100),
      attempt: optional(whole('The run that is going on or was the last.', { format: 'int32' })),
      failureReason: optional(text('Why it failed.')),
      manifest: optional(MANIFEST),
      progress: optional(
        object<ReportProgress>(
          {
            rows: whole('Rows written so far, as of a second or so ago.'),
            estimatedRows: optional(
              whole(
                'As many as the last completed report of the type on the farm had; absent once that is passed.',
              ),
            ),
          },
          {
            description: 'How far the making of a `processing` report has come; absent in its first second.',
          },
        ),
      ),
      queue: optional(
        object<{ position: number }>(
          {
            position: whole('1 when it is next. It grows when a farm that waits for less asks meanwhile.', {
              format: 'int32',
              minimum: 1,
            }),
          },
          { description: 'Where a pending report stands among those that wait; in its own record only.' },
        ),
      ),
    },
    { description: 'The record of a report: the request as it was sent, and what became of it.' },
  ),
);

const LINKS = named(
  'ReportLinks',
  object<ReportLinks>({
    self: address('This record.'),
    download: address('The content.'),
    events: address('Its life, event by event.'),
  }),
);

export const REPORT_ANSWER = named('ReportAnswer', object<ReportAnswer>({ data: REPORT, links: LINKS }));

export const REPORT_LIST = named(
  'ReportList',
  object<{ data: readonly ReportRecord[]; links: object }>({
    data: list('Reports, newest first.', REPORT, PAGE.most),
    links: PAGE_LINKS,
  }),
);

const EVENTS: Readonly<Record<ReportEvent['type'], string>> = {
  ReportRequested: 'somebody asked for it',
  ReportGenerationStarted: 'a run began',
  ReportCompleted: 'its content can be downloaded',
  ReportGenerationFailed: 'a run failed; `retrying` says whether another follows',
  ReportCancelled: 'somebody cancelled it',
  ReportExpired: 'its content is no longer kept',
  ReportReused: 'it answered a later request, `count` times',
  ReportDownloaded: 'its content was downloaded, `count` times',
};

export const LIFECYCLE_EVENT = named(
  'LifecycleEvent',
  object<LifecycleEvent>(
    {
      id: text('Id of the event.', { maxLength: 64 }),
      type: choice(
        Object.entries(EVENTS)
          .map(([event, meaning]) => `\`${event}\`: ${meaning}`)
          .join('; '),
        Object.keys(EVENTS),
      ),
      at: instant('When'),
      reportId: text('The id of the report.', { maxLength: 64 }),
      tenantId: text('The id of its farm.'),
      data: { type: 'object', description: 'What the event carries; members are added over time.' },
    },
    { description: 'Something that happened to a report.' },
  ),
);

export const EVENT_LIST = named(
  'EventList',
  object<{ data: readonly LifecycleEvent[]; links: object }>({
    data: list('Events, oldest first.', LIFECYCLE_EVENT),
    links: PAGE_LINKS,
  }),
);

const id = 'rpt-3f-0198f3a2-6c1e-7b7a-9d57-0c4b6f1d2a10';
const self = `${EXAMPLE_URL}/v2/report/${id}`;

export const REQUEST_EXAMPLE = {
  type: 'livestock-reconciliation.v3',
  tenantType: 'farm',
  tenantId: 'farm-1',
  reportingPeriodStart: 1719756000000,
  reportingPeriodEnd: 1751205600000,
};

export const PENDING_EXAMPLE = {
  data: {
    id,
    ...REQUEST_EXAMPLE,
    status: 'pending',
    creationDate: 1753948800000,
    lastModifiedDate: 1753948800000,
    period: { start: '2024-07-01', end: '2025-06-30', timeZone: 'Australia/Sydney' },
    warnings: [],
  },
  links: { self, download: `${self}/download`, events: `${self}/events` },
};

export const COMPLETED_EXAMPLE = {
  ...PENDING_EXAMPLE,
  data: {
    ...PENDING_EXAMPLE.data,
    status: 'completed',
    lastModifiedDate: 1753948800057,
    attempt: 1,
    manifest: {
      generator: 'livestock-reconciliation.v3',
      generatorVersion: '3.0',
      recordsPosition: '1042',
      rows: 14,
      files: [
        {
          format: 'csv',
          bytes: 2048,
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
      ],
      controlTotals: { opening: '1306', closing: '1213' },
      warnings: 0,
    },
  },
};

/** Of an answer about a deprecated type. */
export const DEPRECATION_HEADERS: Readonly<Record<string, Named<Header>>> = {
  Deprecation: header(
    'Deprecation',
    'Of a deprecated type: since when (RFC 9745).',
    { type: 'string', pattern: '^@[0-9]+$', maxLength: 32 },
    '@1751328000',
    false,
  ),
  Sunset: header(
    'Sunset',
    'Of a deprecated type: when it may be gone, once that is planned (RFC 8594).',
    { type: 'string', maxLength: 64 },
    'Wed, 01 Jul 2026 00:00:00 GMT',
    false,
  ),
  Link: header(
    'Link',
    'Links to other resources (RFC 8288): the successor of a deprecated type, the next page of a list.',
    { type: 'string', maxLength: 4096 },
    `<${EXAMPLE_URL}/v2/report-types/livestock-reconciliation.v3>; rel="successor-version"`,
    false,
  ),
};

export const ASK_AGAIN = header(
  'AskAgain',
  'Seconds to wait before asking again; absent once the report has ended.',
  { type: 'integer', format: 'int32', minimum: 1, maximum: 60 },
  1,
  false,
);
