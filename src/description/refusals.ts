import { type Answer, EXAMPLE_URL, type Header, header } from '../operations/describe.js';
import { FIELD_PROBLEM } from '../operations/described-parts.js';
import { PROBLEM_PAGES, type ProblemSlug } from '../operations/problem-pages.js';
import { address, list, Named, named, object, optional, text, whole } from '../operations/schema.js';
import type { Route } from './routes.js';

interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  errors?: object[];
}

const PROBLEM = named(
  'Problem',
  object<ProblemDocument>(
    {
      type: address('The kind of problem: the address of a page that says what to do about it.'),
      title: text('The kind of problem in a few words.', { maxLength: 200 }),
      status: whole('The status of the answer.', { minimum: 400, maximum: 599, format: 'int32' }),
      detail: text('What happened this time, in plain words.'),
      instance: optional(
        text('The path that was asked for.', { format: 'uri-reference', maxLength: 16_384 }),
      ),
      errors: optional(list('Every bad field at once.', FIELD_PROBLEM, 1000)),
    },
    { description: 'Why the request was refused (RFC 9457).' },
  ),
);

const REQUEST_ID = header(
  'X-Request-Id',
  'The name of the request in the log of the service: the X-Request-Id that was sent when it is 1 to 128 letters, digits and `_.:-`, else a new one.',
  { type: 'string', minLength: 1, maxLength: 128 },
  '0f6e5a1c-8d2b-4f0e-9c11-6a1f3f0f2b77',
);

const RETRY_AFTER = header(
  'Retry-After',
  'Seconds to wait before the next request.',
  { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
  5,
);

const RATE_LIMIT = {
  'RateLimit-Policy': header(
    'RateLimit-Policy',
    'How many requests of this kind, reads, writes or imports, the credential may send in how many seconds (draft-ietf-httpapi-ratelimit-headers).',
    { type: 'string', maxLength: 128 },
    '"writes";q=6000;w=60',
    false,
  ),
  RateLimit: header(
    'RateLimit',
    'How many of them are left, and the seconds until all are again.',
    { type: 'string', maxLength: 128 },
    '"writes";r=5999;t=60',
    false,
  ),
};

const CHALLENGE = header(
  'WWW-Authenticate',
  'Which credential is wanted, and what was wrong with the one that was sent (RFC 6750).',
  { type: 'string', maxLength: 1024 },
  'Bearer realm="muster", error="invalid_token", error_description="The credential is not valid"',
);

const CONTENT_RANGE = header(
  'Unsatisfied-Range',
  'The length of the content.',
  { type: 'string', maxLength: 64 },
  'bytes */48213',
);

const HEADERS: Readonly<Record<number, Readonly<Record<string, Named<Header>>>>> = {
  401: { 'WWW-Authenticate': CHALLENGE },
  416: { 'Content-Range': CONTENT_RANGE },
  429: { 'Retry-After': RETRY_AFTER, ...RATE_LIMIT },
  503: { 'Retry-After': RETRY_AFTER },
};

/** What every answer of a route may have. */
export function commonHeaders({ anonymous }: Route): Readonly<Record<string, Named<Header>>> {
  return { 'X-Request-Id': REQUEST_ID, ...(!anonymous && RATE_LIMIT) };
}

/** What every route may refuse, and what a route of this kind may. */
function commonProblems({ anonymous, scope, description }: Route): ProblemSlug[] {
  return [
    'bad-request',
    ...(anonymous
      ? []
      : ([
          'doubled-credential',
          'no-credential',
          'invalid-credential',
          'too-many-requests',
        ] satisfies ProblemSlug[])),
    ...(scope ? (['insufficient-scope'] satisfies ProblemSlug[]) : []),
    ...(description?.body
      ? (['malformed-json', 'body-too-large', 'unsupported-media-type'] satisfies ProblemSlug[])
      : []),
    'internal-error',
    'unavailable',
  ];
}

/** The answers by which a route refuses, by status. */
export function refusalsOf(route: Route): Record<number, Named<Answer>> {
  if (route.description?.refuses === 'itself') return {};
  const slugs = new Set([...commonProblems(route), ...(route.description?.problems ?? [])]);
  const byStatus = Map.groupBy([...slugs].toSorted(), (slug) => PROBLEM_PAGES[slug].status);
  return Object.fromEntries([...byStatus].map(([status, kinds]) => [status, refusal(status, kinds)]));
}

const known = new Map<string, Named<Answer>>();

/** One part of the document for every combination of problems. */
function refusal(status: number, slugs: readonly ProblemSlug[]): Named<Answer> {
  const name = slugs.map(pascal).join('Or');
  const made = known.get(name) ?? new Named('responses', name, answerOf(status, slugs));
  known.set(name, made);
  return made;
}

function answerOf(status: number, slugs: readonly ProblemSlug[]): Answer {
  return {
    description: slugs.map((slug) => `\`${slug}\`: ${PROBLEM_PAGES[slug].advice}`).join('\n\n'),
    headers: { 'X-Request-Id': REQUEST_ID, ...HEADERS[status] },
    content: {
      'application/problem+json': {
        schema: PROBLEM,
        examples: Object.fromEntries(slugs.map((slug) => [slug, exampleOf(slug)])),
      },
    },
  };
}

function exampleOf(slug: ProblemSlug): { summary: string; value: ProblemDocument } {
  const { status, title, advice } = PROBLEM_PAGES[slug];
  const value = {
    type: `${EXAMPLE_URL}/problems/${slug}`,
    title,
    status,
    detail: advice,
    instance: '/v2/report',
  };
  if (slug !== 'invalid-request') return { summary: title, value };
  const detail = 'reportingPeriodEnd is missing.';
  return {
    summary: title,
    value: { ...value, detail, errors: [{ pointer: '/reportingPeriodEnd', detail }] },
  };
}

function pascal(slug: string): string {
  return slug.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
