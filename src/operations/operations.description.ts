import { header, json, type OperationDescription, pathParameter, type Tag } from './describe.js';
import { NO_STORE, PUBLIC } from './described-parts.js';
import type { Check, Readiness } from './health/readiness.js';
import { PROBLEM_PAGES } from './problem-pages.js';
import { choice, named, object, optional, text } from './schema.js';

const HEALTH: Tag = { name: 'Health', description: 'For operators and their load balancers.' };
export const ERROR_PAGES: Tag = {
  name: 'Error pages',
  description: 'What the `type` of a problem and the `error_uri` of an OAuth error point to.',
};

const STATUS = choice('Whether it works.', ['up', 'down']);

export const readLiveness: OperationDescription = {
  id: 'readLiveness',
  tag: HEALTH,
  summary: 'Ask whether the process turns',
  description: 'Depends on nothing but the process.',
  answers: {
    200: {
      description: 'It turns.',
      headers: { 'Cache-Control': NO_STORE },
      content: json(named('Liveness', object<{ status: 'up' }>({ status: { ...STATUS, enum: ['up'] } })), {
        status: 'up',
      }),
    },
  },
};

const CHECK = named(
  'Check',
  object<Check>(
    {
      status: STATUS,
      milliseconds: { type: 'number', minimum: 0, description: 'How long it took to look.' },
      detail: optional(text('What is wrong.', { maxLength: 1000 })),
    },
    { description: 'What was looked at.' },
  ),
);

const READINESS = named(
  'Readiness',
  object<Readiness>(
    {
      status: STATUS,
      checks: object<Readiness['checks']>({ process: CHECK, database: CHECK, migrations: CHECK }),
    },
    { description: 'Whether the process can serve.' },
  ),
);

const UP = { status: 'up', milliseconds: 0.4 };
const DOWN = { status: 'down', milliseconds: 2.1, detail: 'not reachable' };

export const readReadiness: OperationDescription = {
  id: 'readReadiness',
  tag: HEALTH,
  summary: 'Ask whether the process can serve',
  description:
    'A load balancer sends requests to processes that answer 200. On OPERATIONS_PORT instead, where one is set.',
  answers: {
    200: {
      description: 'It can serve.',
      headers: { 'Cache-Control': NO_STORE },
      content: json(READINESS, { status: 'up', checks: { process: UP, database: UP, migrations: UP } }),
    },
    503: {
      description: 'It cannot serve just now.',
      headers: { 'Cache-Control': NO_STORE },
      content: json(READINESS, { status: 'down', checks: { process: UP, database: DOWN, migrations: DOWN } }),
    },
  },
};

const EXPOSITION = {
  schema: text('Metrics.', { maxLength: 100_000_000 }),
  example: 'muster_reports_created_total{type="livestock-sale.v1",outcome="new"} 42\n',
};

export const readMetrics: OperationDescription = {
  id: 'readMetrics',
  tag: HEALTH,
  summary: 'Read the metrics of the process',
  description:
    'From this machine and outside production only; on OPERATIONS_PORT instead, where one is set, to whoever reaches that.',
  answers: {
    200: {
      description: 'The metrics, in the text format of Prometheus or as OpenMetrics.',
      headers: { 'Cache-Control': NO_STORE },
      content: { 'text/plain': EXPOSITION, 'application/openmetrics-text': EXPOSITION },
    },
  },
  problems: ['not-found'],
};

/** A page for people. */
export const PAGE_HTML = {
  'text/html': { schema: text('A page.', { maxLength: 10_000_000 }), example: '<!doctype html>…' },
};

/** Of a page for people. */
export const PAGE_POLICY = header(
  'Content-Security-Policy',
  'The page loads nothing and may not be framed.',
  { type: 'string', maxLength: 1024 },
  "default-src 'none'; frame-ancestors 'none'",
);

export const readProblemPage: OperationDescription = {
  id: 'readProblemPage',
  tag: ERROR_PAGES,
  summary: 'Read about a kind of problem',
  description: 'A page for people: what the problem means and what to do about it.',
  parameters: [
    pathParameter(
      'slug',
      'The kind of problem.',
      choice('A kind of problem.', Object.keys(PROBLEM_PAGES)),
      'report-not-found',
    ),
  ],
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
  problems: ['not-found'],
};
