import { EXAMPLE_URL, json, type OperationDescription, pathParameter } from '../operations/describe.js';
import { NO_STORE, PUBLIC } from '../operations/described-parts.js';
import { PAGE_HTML, PAGE_POLICY } from '../operations/operations.description.js';
import {
  address,
  choice,
  flag,
  list,
  named,
  object,
  optional,
  type Schema,
  text,
  whole,
} from '../operations/schema.js';
import {
  ASK_AGAIN,
  COMPLETED_EXAMPLE,
  DEPRECATION_HEADERS,
  FARM_AND_PERIOD,
  PENDING_EXAMPLE,
  REPORT,
  REPORT_TYPES_TAG,
} from '../reports/index.js';
import type { ComparisonAnswer } from './comparison.controller.js';
import type {
  CellDifference,
  ColumnDifferences,
  ComparedReports,
  Comparison,
  ComparisonPending,
  RowCounts,
} from './messages.js';

const TYPE = text('A report type.', { maxLength: 512 });
const NAME = text('Name of a column.', { maxLength: 100 });
const CELL: Schema = { type: ['string', 'number', 'null'], description: 'The cell; null is blank.' };
const REPORTS = object<ComparedReports>({ deprecated: REPORT, replacement: REPORT });

const PENDING = named(
  'ComparisonPending',
  object<ComparisonPending>({
    status: choice('The reports are being made.', ['pending']),
    type: TYPE,
    replacedBy: TYPE,
    reports: REPORTS,
  }),
);

const DIFFERENCE = named('RowDifference', {
  ...object<{
    kind: string;
    deprecatedRow?: number;
    replacementRow?: number;
    cells?: readonly CellDifference[];
  }>({
    kind: choice('A row with other cells, or one that a side lacks.', [
      'changed',
      'only-deprecated',
      'only-replacement',
    ]),
    deprecatedRow: optional(whole('The row of the deprecated report, from 1.')),
    replacementRow: optional(whole('The row of the replacement, from 1.')),
    cells: optional(
      list(
        'The cells that differ.',
        object<CellDifference>({ column: NAME, deprecated: CELL, replacement: CELL }),
        1000,
      ),
    ),
  }),
  description: 'A row that is not the same on both sides.',
});

const COMPARISON = named(
  'Comparison',
  object<Comparison>({
    status: choice('Both reports were made of the same records.', ['compared']),
    type: TYPE,
    replacedBy: TYPE,
    same: flag('All columns, rows and cells are the same.'),
    columns: object<ColumnDifferences>({
      onlyDeprecated: list('Columns that the replacement lacks.', NAME, 1000),
      onlyReplacement: list('Columns that only the replacement has.', NAME, 1000),
      changed: list('Columns of another type or unit.', NAME, 1000),
    }),
    rows: object<RowCounts>({
      same: whole('Rows that are the same.'),
      changed: whole('Rows with other cells.'),
      onlyDeprecated: whole('Rows that the replacement lacks.'),
      onlyReplacement: whole('Rows that only the replacement has.'),
    }),
    differences: list('The first rows that are not the same.', DIFFERENCE, 100),
    reports: REPORTS,
  }),
);

const LINKS = object<ComparisonAnswer['links']>({
  deprecated: address('The report of the deprecated type.'),
  replacement: address('The report of its replacement.'),
});

const self = (id: string) => `${EXAMPLE_URL}/v2/report/${id}`;
const example = ({ data }: { data: { id: string; type: string } }, status: object) => ({
  data: {
    ...status,
    type: 'livestock-reconciliation.v1',
    replacedBy: 'livestock-reconciliation.v3',
    reports: { deprecated: { ...data, type: 'livestock-reconciliation.v1' }, replacement: data },
  },
  links: { deprecated: self(data.id), replacement: self(data.id) },
});

export const compareReports: OperationDescription = {
  id: 'compareReports',
  tag: REPORT_TYPES_TAG,
  summary: 'Compare a deprecated type with its replacement',
  description:
    'Makes the report of a deprecated type and that of its replacement for a farm and a period, as two creates would (recent ones are reused), and tells whether they say the same, and where not. While they are being made the answer is 202: ask again. Where one of them failed within the last hour it is 409, and nothing is made; creating that report anew has it tried again. Needs `read:reports` too.',
  parameters: [pathParameter('type', 'A deprecated report type.', TYPE, 'livestock-reconciliation.v1')],
  body: {
    description: 'The farm and the period.',
    required: true,
    content: json(FARM_AND_PERIOD, {
      tenantType: 'farm',
      tenantId: 'farm-1',
      reportingPeriodStart: 1719756000000,
      reportingPeriodEnd: 1751205600000,
    }),
  },
  answers: {
    200: {
      description: 'What is the same and what is not.',
      headers: { 'Cache-Control': NO_STORE, ...DEPRECATION_HEADERS },
      content: json(
        object<ComparisonAnswer>({ data: COMPARISON, links: LINKS }),
        example(COMPLETED_EXAMPLE, {
          status: 'compared',
          same: true,
          columns: { onlyDeprecated: [], onlyReplacement: [], changed: [] },
          rows: { same: 14, changed: 0, onlyDeprecated: 0, onlyReplacement: 0 },
          differences: [],
        }),
      ),
    },
    202: {
      description: 'The reports are being made.',
      headers: { 'Cache-Control': NO_STORE, 'Retry-After': ASK_AGAIN, ...DEPRECATION_HEADERS },
      content: json(
        object<ComparisonAnswer>({ data: PENDING, links: LINKS }),
        example(PENDING_EXAMPLE, { status: 'pending' }),
      ),
    },
  },
  problems: [
    'invalid-request',
    'report-type-not-found',
    'type-not-deprecated',
    'farm-not-accessible',
    'report-failed',
  ],
};

export const readDeprecations: OperationDescription = {
  id: 'readDeprecations',
  tag: REPORT_TYPES_TAG,
  summary: 'Read which report types are deprecated',
  description: 'A page for people: deprecated types, what to ask for instead, and their sunset.',
  answers: {
    200: {
      description: 'The page.',
      headers: {
        'Cache-Control': PUBLIC,
        'Content-Security-Policy': PAGE_POLICY,
      },
      content: PAGE_HTML,
    },
  },
};
