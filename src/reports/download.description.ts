import {
  type Content,
  header,
  headerParameter,
  type OperationDescription,
  queryParameter,
} from '../operations/describe.js';
import { ETAG, IF_MATCH, IF_NONE_MATCH, REVALIDATED, NO_STORE } from '../operations/described-parts.js';
import { choice, Named, type Schema, text } from '../operations/schema.js';
import { MEDIA_TYPES } from './download.js';
import { PREFER, PREFERENCE_APPLIED, REPORT_ID, REPORTS } from './report.description.js';
import { ASK_AGAIN, DEPRECATION_HEADERS, PENDING_EXAMPLE, REPORT_ANSWER } from './report.schema.js';

/** Made of the columns of the report types that are installed. */
const REPORT_CONTENT = new Named<Schema>('schemas', 'ReportContent');

const ROW =
  '{"row_type":"detail","species":"Sheep","enterprise":"Merino","age_class":"ewe","opening":820,"closing":793}';

const CONTENTS: Readonly<Record<string, Content>> = {
  'text/csv': {
    schema: text(
      'RFC 4180 in UTF-8 with CRLF; the header row first; the column `row_type` tells details from subtotals and totals.',
      { maxLength: Number.MAX_SAFE_INTEGER },
    ),
    example: 'row_type,species,enterprise,age_class,opening,closing\r\ndetail,Sheep,Merino,ewe,820,793\r\n',
  },
  'application/json': {
    schema: REPORT_CONTENT,
  },
  'application/x-ndjson': {
    schema: text('One JSON object a row, totals among them, told apart by `row_type`.', {
      maxLength: Number.MAX_SAFE_INTEGER,
    }),
    example: `${ROW}\n`,
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    schema: {
      type: 'string',
      format: 'binary',
      maxLength: Number.MAX_SAFE_INTEGER,
      description: 'A workbook: a data sheet with real numbers and dates, and a sheet of notes.',
    },
  },
};

const HEADERS = {
  ETag: ETAG,
  'Cache-Control': REVALIDATED,
  'Content-Disposition': header(
    'Content-Disposition',
    'A name for the file.',
    { type: 'string', maxLength: 512 },
    'attachment; filename="livestock-sale_farm-1_2024-07-01_2025-06-30.csv"',
  ),
  Vary: header(
    'Vary',
    'What the content was chosen by.',
    { type: 'string', maxLength: 128 },
    'Accept, Accept-Encoding',
  ),
  'Accept-Ranges': header(
    'Accept-Ranges',
    'Ranges are in bytes.',
    { type: 'string', const: 'bytes' },
    'bytes',
  ),
  'Content-Encoding': header(
    'Content-Encoding',
    'When the content is compressed.',
    { type: 'string', const: 'gzip' },
    'gzip',
    false,
  ),
  'Content-Length': header(
    'Content-Length',
    'Bytes of this answer, when it is not compressed.',
    { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    2048,
    false,
  ),
  'Repr-Digest': header(
    'Repr-Digest',
    'Digest of the whole content (RFC 9530), when it is not compressed.',
    { type: 'string', maxLength: 128 },
    'sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:',
    false,
  ),
  'Preference-Applied': PREFERENCE_APPLIED,
  ...DEPRECATION_HEADERS,
};

const HELD: Readonly<Record<string, Content>> = Object.fromEntries(
  Object.values(MEDIA_TYPES).map((type) => {
    const bare = type.split(';', 1)[0] ?? type;
    return [bare, CONTENTS[bare] ?? { schema: text('The content.') }];
  }),
);

export const downloadReport: OperationDescription = {
  id: 'downloadReport',
  tag: REPORTS,
  summary: 'Download a report’s content',
  description: `The content in the format that \`?format=\` or \`Accept\` asks for, CSV when anything will do. Until it is there the answer is 202 with the record, and \`Retry-After\` says when to ask again.

Ranges, compression and digests make large files safe to fetch in parts. A Content-Type on the request means nothing here.`,
  parameters: [
    REPORT_ID,
    queryParameter(
      'format',
      'The format; wins over Accept.',
      choice('A format.', Object.keys(MEDIA_TYPES)),
      'csv',
    ),
    IF_MATCH,
    IF_NONE_MATCH,
    PREFER,
    headerParameter(
      'Range',
      'A part of the content, in bytes.',
      text('A range.', { maxLength: 8192 }),
      'bytes=0-1023',
    ),
    headerParameter(
      'If-Range',
      'The ETag that the part before came with: the whole content when it is another by now.',
      text('An entity tag.', { maxLength: 8192 }),
      '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
    ),
  ],
  answers: {
    200: { description: 'The content.', headers: HEADERS, content: HELD },
    202: {
      description: 'The report is not made yet: its record.',
      headers: {
        'Cache-Control': NO_STORE,
        'Retry-After': ASK_AGAIN,
        'Preference-Applied': PREFERENCE_APPLIED,
        ...DEPRECATION_HEADERS,
      },
      content: { 'application/json': { schema: REPORT_ANSWER, example: PENDING_EXAMPLE } },
    },
    206: {
      description: 'The part of the content that Range asked for.',
      headers: {
        ...HEADERS,
        'Content-Range': header(
          'Content-Range',
          'Which part it is, and of how many bytes.',
          { type: 'string', maxLength: 64 },
          'bytes 0-1023/2048',
        ),
      },
      content: Object.fromEntries(
        Object.keys(HELD).map((type) => [
          type,
          {
            schema: {
              type: 'string',
              format: 'binary',
              maxLength: Number.MAX_SAFE_INTEGER,
              description: 'Bytes of the content.',
            },
          },
        ]),
      ),
    },
    304: {
      description: 'The content is the one of that ETag.',
      headers: { ETag: ETAG, 'Cache-Control': REVALIDATED, Vary: HEADERS.Vary },
    },
  },
  problems: [
    'invalid-request',
    'report-not-found',
    'not-acceptable',
    'report-failed',
    'report-cancelled',
    'report-expired',
    'precondition-failed',
    'range-not-satisfiable',
  ],
};
