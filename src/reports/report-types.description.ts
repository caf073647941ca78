import {
  EXAMPLE_URL,
  json,
  type OperationDescription,
  pathParameter,
  type Tag,
} from '../operations/describe.js';
import { address, choice, flag, list, named, object, optional, text, whole } from '../operations/schema.js';
import { MEDIA_TYPES } from './download.js';
import type { ReportColumnDescription, ReportTypeDescription } from './messages.js';
import { DEPRECATION_HEADERS, REPORT_TYPE } from './report.schema.js';

export const REPORT_TYPES: Tag = {
  name: 'Report types',
  description: 'What can be asked for: every report type with its columns, units, formats and JSON Schema.',
};

const COLUMN = named(
  'ReportColumn',
  object<ReportColumnDescription>(
    {
      name: text('Name of the column, and of the member in JSON.', { maxLength: 100 }),
      type: choice(
        '`decimal` is exact: a text such as "27022.79" in JSON; `date` is YYYY-MM-DD, `time` HH:MM:SS.',
        ['text', 'integer', 'decimal', 'date', 'time'],
      ),
      unit: optional(
        text('Unit of its values, such as `head`, `kg`, `days` or `currency`; `none` without one.', {
          maxLength: 100,
        }),
      ),
      description: optional(text('What stands in it.')),
      jsonOnly: optional(flag('It stands in JSON and NDJSON only.')),
    },
    { description: 'A column of a report.' },
  ),
);

const TYPE_DESCRIPTION = named(
  'ReportTypeDescription',
  object<ReportTypeDescription>(
    {
      type: REPORT_TYPE,
      title: text('Title.', { maxLength: 200 }),
      description: text('What the report tells.'),
      generator: text('The type that makes the content: itself unless deprecated.', { maxLength: 100 }),
      deprecated: flag('A successor should be asked for instead.'),
      replacedBy: optional(text('The successor of a deprecated type.', { maxLength: 100 })),
      deprecatedSince: optional(whole('Since when it is deprecated (Unix seconds).')),
      sunset: optional(whole('When it may be gone (Unix seconds).')),
      formats: list('Formats of the content.', choice('A format.', Object.keys(MEDIA_TYPES)), 20),
      columns: list('The columns of a row, in order.', COLUMN, 1000),
      schema: {
        type: 'object',
        description: 'JSON Schema (2020-12) of the content as JSON.',
      },
      rowSchema: { type: 'object', description: 'JSON Schema (2020-12) of a line of the content as NDJSON.' },
    },
    { description: 'What a report type says of itself.' },
  ),
);

const EXAMPLE = {
  type: 'livestock-classification-transitions.v1',
  title: 'Livestock classification transitions',
  description: 'Which head changed their age class or enterprise, by day.',
  generator: 'livestock-classification-transitions.v1',
  deprecated: false,
  formats: Object.keys(MEDIA_TYPES),
  columns: [{ name: 'kind', type: 'text', unit: 'none', description: 'What changed' }],
  schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
  rowSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
};

export const listReportTypes: OperationDescription = {
  id: 'listReportTypes',
  tag: REPORT_TYPES,
  summary: 'List the report types',
  description: 'Every report type there is, the deprecated ones too.',
  answers: {
    200: {
      description: 'The report types, in alphabetical order.',
      content: json(
        named(
          'ReportTypeList',
          object<{ data: readonly ReportTypeDescription[]; links: object }>({
            data: list('Report types.', TYPE_DESCRIPTION, 1000),
            links: object({}, { description: 'None.' }),
          }),
        ),
        { data: [EXAMPLE], links: {} },
      ),
    },
  },
};

export const describeReportType: OperationDescription = {
  id: 'describeReportType',
  tag: REPORT_TYPES,
  summary: 'Describe a report type',
  description: 'One report type.',
  parameters: [
    pathParameter('type', 'A report type.', text('A report type.', { maxLength: 512 }), 'livestock-sale.v1'),
  ],
  answers: {
    200: {
      description: 'The report type.',
      headers: DEPRECATION_HEADERS,
      content: json(
        named(
          'ReportTypeAnswer',
          object<{ data: ReportTypeDescription; links: { self: string } }>({
            data: TYPE_DESCRIPTION,
            links: object<{ self: string }>({ self: address('This description.') }),
          }),
        ),
        { data: EXAMPLE, links: { self: `${EXAMPLE_URL}/v2/report-types/${EXAMPLE.type}` } },
      ),
    },
  },
  problems: ['report-type-not-found'],
};
