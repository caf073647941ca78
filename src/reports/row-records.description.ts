import { json, type OperationDescription, pathParameter, queryParameter } from '../operations/describe.js';
import { NEXT_HEADER, NO_STORE, PAGE_CURSOR, PAGE_LIMIT, PAGE_LINKS } from '../operations/described-parts.js';
import { PAGE } from '../operations/page.js';
import {
  choice,
  day,
  flag,
  list,
  mapOf,
  named,
  object,
  optional,
  type Schema,
  text,
  whole,
} from '../operations/schema.js';
import { REPORT_ID, REPORTS } from './report.description.js';
import { ASK_AGAIN, PENDING_EXAMPLE, REPORT_ANSWER } from './report.schema.js';

const FIGURES = mapOf('Figures by column: whole numbers, and exact decimals as text.', {
  type: ['integer', 'string'],
  maxLength: 100,
});

const CELL: Schema = { type: ['integer', 'string', 'null'] };

interface Evidence {
  source: string;
  sourceId: string;
  resourceType: string;
  day: string;
  time: string | null;
  brings: object;
  record?: object;
}

const EVIDENCE = named(
  'RowRecord',
  object<Evidence>(
    {
      source: text('Source of the record.'),
      sourceId: text('Its id there.'),
      resourceType: text('Its kind.'),
      day: day('The farm-local day it happened on.'),
      time: {
        type: ['string', 'null'],
        pattern: '^[0-9]{2}:[0-9]{2}:[0-9]{2}$',
        description: 'Local time; null when it names a day only.',
      },
      brings: FIGURES,
      record: optional({
        type: 'object',
        description: 'The record as it was imported; absent when it was withdrawn meanwhile.',
      }),
    },
    { description: 'A record behind a row, with what it brings to the figures of the row.' },
  ),
);

interface RowAnswer {
  data: object;
  row: object;
  broughtForward: object;
  records: object;
  links: object;
}

const EXPLAINED_ROW = named(
  'ExplainedRow',
  object<RowAnswer>({
    data: list('Records in the order they happened.', EVIDENCE, PAGE.most),
    row: object<{ number: number; rowType: string; cells: object }>({
      number: whole('The number asked for.', { minimum: 1 }),
      rowType: choice('What kind of row it is.', ['detail', 'subtotal', 'total']),
      cells: mapOf('The row as it was delivered, by column.', CELL),
    }),
    broughtForward: FIGURES,
    records: object<{ positionOfReport: string; positionNow: string; changed: boolean; notice?: string }>({
      positionOfReport: text("Position of the farm's records that the report was made from.", {
        maxLength: 40,
      }),
      positionNow: text('Position that this answer was read at.', { maxLength: 40 }),
      changed: flag('The two differ: the records are told as they are now.'),
      notice: optional(text('The same in words.')),
    }),
    links: PAGE_LINKS,
  }),
);

export const explainRow: OperationDescription = {
  id: 'explainRow',
  tag: REPORTS,
  summary: 'Find the records behind a row',
  description: `Leads from a figure to the records it comes from, each as it was imported, with what it brings to every figure that is a sum of records: what all of them bring, with \`broughtForward\`, is the figure. Names, dates, rates and averages are no such sums.

Rows are counted from 1, totals among them, in the order of the CSV and NDJSON content, whose JSON forms name each number as \`row\`. Needs the scopes \`read:reports\` and \`read:records\`.

The records are read as they are now; when the farm's records have changed since the report was made, \`records\` says so. Rows that say exactly the same share their records.`,
  parameters: [
    REPORT_ID,
    pathParameter('row', 'The number of the row.', whole('A row.', { minimum: 1 }), 3),
    queryParameter(
      'column',
      'Only records that bring something to this figure; `opening` of a reconciliation leads to the records before the period.',
      text('A column of the report type.', { maxLength: 100 }),
      'sales',
    ),
    PAGE_LIMIT,
    PAGE_CURSOR,
  ],
  answers: {
    200: {
      description: 'Records behind the row, a page of them.',
      headers: { 'Cache-Control': NO_STORE, Link: NEXT_HEADER },
      content: json(EXPLAINED_ROW, {
        data: [
          {
            source: 'stockbook',
            sourceId: 'sale-81',
            resourceType: 'icarGroupMovementDepartureEventResource',
            day: '2025-02-11',
            time: '08:30:00',
            brings: { sales: 120, closing: -120 },
            record: { resourceType: 'icarGroupMovementDepartureEventResource', departureKind: 'Sale' },
          },
        ],
        row: {
          number: 3,
          rowType: 'detail',
          cells: { species: 'Sheep', age_class: 'wether', opening: 300, sales: 120, closing: 180 },
        },
        broughtForward: { opening: 300, closing: 300 },
        records: { positionOfReport: '212', positionNow: '212', changed: false },
        links: {},
      }),
    },
    202: {
      description: 'The report is not made yet: its record.',
      headers: { 'Cache-Control': NO_STORE, 'Retry-After': ASK_AGAIN },
      content: json(REPORT_ANSWER, PENDING_EXAMPLE),
    },
  },
  problems: [
    'invalid-request',
    'report-not-found',
    'row-not-found',
    'row-not-explained',
    'explanation-too-long',
    'report-failed',
    'report-cancelled',
    'report-expired',
  ],
};
