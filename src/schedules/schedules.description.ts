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
  day,
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
import { DEPRECATION_HEADERS } from '../reports/index.js';
import { PERIODS } from './rhythm.js';
import type { ScheduleRun } from './schedule.js';
import { ChangeScheduleBody, CreateScheduleBody } from './schedule.bodies.js';
import type { ScheduleAnswer } from './schedules.controller.js';

const SCHEDULES: Tag = {
  name: 'Schedules',
  description: 'Have a report made after every month, week or financial year of a farm.',
};

const SAID = {
  every: { description: 'The period: a month, an ISO week, or a financial year as the farm has it.' },
  daysAfter: {
    description: 'Days after the last day of the period on which the report is made, 1 unless said.',
  },
  at: { description: 'The time of that day on the farm’s clocks, 06:00 unless said.', maxLength: 5 },
  enabled: { description: 'Whether reports are made.' },
};

const PERIOD = named(
  'SchedulePeriod',
  object<{ start: string; end: string }>(
    { start: day('Its first day.'), end: day('Its last day.') },
    { description: 'A period in days of the farm, both inclusive.' },
  ),
);

const SCHEDULE = named(
  'ReportSchedule',
  object<ScheduleAnswer['data']>(
    {
      id: text('Its id.', { maxLength: 64 }),
      owner: text('The credential that reports are made for: whoever changed the schedule last.'),
      type: text('The report type.', { maxLength: 512 }),
      tenantType: text('What it is about.', { const: 'farm' }),
      tenantId: text('The farm.', { minLength: 1, maxLength: 100 }),
      every: choice('The period.', PERIODS),
      daysAfter: whole('Days after the last day of the period on which the report is made.', {
        format: 'int32',
        minimum: 1,
        maximum: 60,
      }),
      at: text('The time of that day on the farm’s clocks.', { maxLength: 5 }),
      enabled: flag('Whether reports are made.'),
      stopped: optional(text('Why it was disabled by itself.')),
      nextDueDate: instant('When the next report is made, while the schedule is enabled.'),
      nextPeriod: PERIOD,
      creationDate: instant('When it was made.'),
      lastModifiedDate: instant('When it was changed last.'),
    },
    { description: 'A report that recurs.' },
  ),
);

const SCHEDULE_ANSWER = named(
  'ReportScheduleAnswer',
  object<ScheduleAnswer>({
    data: SCHEDULE,
    links: object<ScheduleAnswer['links']>({
      self: address('This schedule.'),
      runs: address('What it has made.'),
    }),
  }),
);

const RUN = named(
  'ScheduleRun',
  object<ScheduleRun>(
    {
      period: PERIOD,
      dueDate: instant('When it was due.'),
      runDate: instant('When the report was asked for.'),
      missed: whole('Periods before this one that fell due while no worker ran, and were left out.'),
      reportId: text('The report.', { maxLength: 64 }),
    },
    { description: 'A report that a schedule made.' },
  ),
);

const REQUEST_EXAMPLE = {
  type: 'livestock-reconciliation.v3',
  tenantType: 'farm',
  tenantId: 'farm-1',
  every: 'month',
};
const EXAMPLE = {
  id: 'sch-d9-0198f3a2-6c1e-7b7a-9d57-0c4b6f1d2a10',
  owner: 'api-key:ak_3vN0aTqLw5dPzJm3',
  ...REQUEST_EXAMPLE,
  daysAfter: 1,
  at: '06:00',
  enabled: true,
  nextDueDate: 1753992000000,
  nextPeriod: { start: '2025-07-01', end: '2025-07-31' },
  creationDate: 1753948800000,
  lastModifiedDate: 1753948800000,
};
const SELF = `${EXAMPLE_URL}/v2/report-schedules/${EXAMPLE.id}`;
const LINKS = { self: SELF, runs: `${SELF}/runs` };

const SCHEDULE_ID = parameter(
  'ReportScheduleId',
  pathParameter('id', 'The id of the schedule.', text('An id.', { maxLength: 512 }), EXAMPLE.id),
);
const HEADERS = { 'Cache-Control': NO_STORE };

type Answer = OperationDescription['answers'][number];

function scheduleAnswer(description: string, more: object = {}, headers: Answer['headers'] = {}): Answer {
  const content = json(SCHEDULE_ANSWER, { data: { ...EXAMPLE, ...more }, links: LINKS });
  return { description, headers: { ...HEADERS, ...DEPRECATION_HEADERS, ...headers }, content };
}

export const createReportSchedule: OperationDescription = {
  id: 'createReportSchedule',
  tag: SCHEDULES,
  summary: 'Have a report made again and again',
  description:
    'From the next due date on, in the name of the credential. Each period has one new report; of periods that fell due while no worker ran only the last is made.',
  body: {
    description: 'What to make, and when.',
    required: true,
    content: json(
      named(
        'ReportScheduleRequest',
        schemaOf(CreateScheduleBody, {
          type: { description: 'The report type.' },
          tenantType: { description: 'What it is about.' },
          tenantId: { description: 'The farm.' },
          ...SAID,
        }),
      ),
      REQUEST_EXAMPLE,
    ),
  },
  answers: {
    201: scheduleAnswer('The new schedule.', {}, { Location: LOCATION }),
  },
  problems: ['invalid-request', 'farm-not-accessible', 'too-many-report-schedules'],
};

export const listReportSchedules: OperationDescription = {
  id: 'listReportSchedules',
  tag: SCHEDULES,
  summary: 'List schedules',
  description: 'The schedules of the farms that the credential reaches, in the order of their ids, in pages.',
  parameters: [
    queryParameter('tenantId', 'Schedules of this farm.', text('A farm id.', { maxLength: 512 }), 'farm-1'),
    PAGE_LIMIT,
    PAGE_CURSOR,
  ],
  answers: {
    200: {
      description: 'A page of schedules.',
      headers: { ...HEADERS, Link: NEXT_HEADER },
      content: json(
        named(
          'ReportScheduleList',
          object<{ data: readonly object[]; links: object }>({
            data: list('Schedules.', SCHEDULE, PAGE.most),
            links: PAGE_LINKS,
          }),
        ),
        { data: [EXAMPLE], links: {} },
      ),
    },
  },
  problems: ['invalid-request'],
};

export const readReportSchedule: OperationDescription = {
  id: 'readReportSchedule',
  tag: SCHEDULES,
  summary: 'Read a schedule',
  description: 'Its settings, and what comes next.',
  parameters: [SCHEDULE_ID],
  answers: { 200: scheduleAnswer('The schedule.') },
  problems: ['report-schedule-not-found'],
};

export const changeReportSchedule: OperationDescription = {
  id: 'changeReportSchedule',
  tag: SCHEDULES,
  summary: 'Change, pause or resume a schedule',
  description:
    'What is left out stays as it is. From then on reports are made in the name of this credential; what fell due before is not made up for.',
  parameters: [SCHEDULE_ID],
  body: {
    description: 'What is to change.',
    required: true,
    content: json(named('ReportScheduleChange', schemaOf(ChangeScheduleBody, SAID)), { enabled: false }),
  },
  answers: { 200: scheduleAnswer('The schedule as it is now.', { enabled: false }) },
  problems: ['invalid-request', 'report-schedule-not-found'],
};

export const removeReportSchedule: OperationDescription = {
  id: 'removeReportSchedule',
  tag: SCHEDULES,
  summary: 'Remove a schedule',
  description: 'With its history; its reports stay.',
  parameters: [SCHEDULE_ID],
  answers: { 204: { description: 'It is gone.' } },
  problems: ['report-schedule-not-found'],
};

export const listScheduleRuns: OperationDescription = {
  id: 'listScheduleRuns',
  tag: SCHEDULES,
  summary: 'List what a schedule has made',
  description: 'The last first, in pages.',
  parameters: [SCHEDULE_ID, PAGE_LIMIT, PAGE_CURSOR],
  answers: {
    200: {
      description: 'A page of runs.',
      headers: { ...HEADERS, Link: NEXT_HEADER },
      content: json(
        named(
          'ScheduleRunList',
          object<{ data: readonly object[]; links: object }>({
            data: list('Runs.', RUN, PAGE.most),
            links: PAGE_LINKS,
          }),
        ),
        {
          data: [
            {
              period: { start: '2025-06-01', end: '2025-06-30' },
              dueDate: 1751313600000,
              runDate: 1751313600812,
              missed: 0,
              reportId: 'rpt-d9-0198f3a2-6c1e-7b7a-9d57-0c4b6f1d2a10',
            },
          ],
          links: {},
        },
      ),
    },
  },
  problems: ['invalid-request', 'report-schedule-not-found'],
};
