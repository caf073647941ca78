/** Reuse period without a directive, in seconds (http-api 1). */
const DEFAULT_PERIOD = 3600;

/** What a create's Cache-Control asks for. Periods in seconds. */
export interface ReusePolicy {
  /** Reuse a candidate of up to this age; undefined: make a new report. */
  readonly period?: number;
  /** Seconds that a reused report must stay fresh for. */
  readonly minFresh: number;
  /** Serve what exists or fail; never make a report. */
  readonly onlyIfCached: boolean;
  /** The new report may answer later requests. */
  readonly store: boolean;
  /** What could not be read, for Cache-Status. */
  readonly detail?: string;
}

export interface Candidate {
  readonly ageMs: number;
  /** It has not completed yet, or came into being after this request arrived. */
  readonly inFlight: boolean;
}

export type Reuse<Found extends Candidate> =
  | { readonly reuse: true; readonly candidate: Found; readonly cacheStatus: string }
  | {
      readonly reuse: false;
      readonly mayCreate: boolean;
      readonly reusable: boolean;
      readonly cacheStatus: string;
    };

const DIRECTIVE = /\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:=("(?:[^"\\]|\\.)*"|[^",]*))?[^,]*(?:,|$)/g;

/**
 * Reads the request directives of RFC 9111 as http-api 7 borrows them for reuse by the application.
 * Conflicting directives: the most restrictive. Unreadable numbers: no reuse. Never throws.
 * `retention` in seconds bounds every period.
 */
export function readCacheControl(header: string | undefined, retention: number): ReusePolicy {
  const given = directives(header ?? '');
  const maxAge = seconds(given.get('max-age'), Math.min);
  const minFresh = seconds(given.get('min-fresh'), Math.max);
  const ambiguous = new Set(given.get('max-age')).size > 1;
  const unreadable = ambiguous || maxAge === 'unreadable' || minFresh === 'unreadable';
  const refused = unreadable || given.has('no-cache') || given.has('no-store') || maxAge === 0;
  return {
    ...(!refused && { period: Math.min(retention, period(maxAge, given.get('max-stale'), retention)) }),
    minFresh: typeof minFresh === 'number' ? minFresh : 0,
    onlyIfCached: given.has('only-if-cached'),
    store: !given.has('no-store'),
    ...(unreadable && { detail: ambiguous ? 'ambiguous-max-age' : 'unreadable-cache-control' }),
  };
}

/** Whether the newest candidate answers the request, and the Cache-Status (RFC 9211) to say so. */
export function decideReuse<Found extends Candidate>(
  policy: ReusePolicy,
  candidate: Found | undefined,
): Reuse<Found> {
  const detail = policy.detail === undefined ? '' : `; detail=${policy.detail}`;
  if (policy.period !== undefined && candidate) {
    const left = policy.period - Math.max(0, candidate.ageMs) / 1000;
    if (left >= policy.minFresh) {
      const freshness = candidate.inFlight ? 'collapsed' : `ttl=${Math.floor(left)}`;
      return { reuse: true, candidate, cacheStatus: `reports; hit; ${freshness}` };
    }
  }
  const forwarded = policy.period === undefined ? 'request' : candidate ? 'stale' : 'miss';
  const stored = policy.store && !policy.onlyIfCached ? '; stored' : '';
  return {
    reuse: false,
    mayCreate: !policy.onlyIfCached,
    reusable: policy.store,
    cacheStatus: `reports; fwd=${forwarded}${stored}${detail}`,
  };
}

function directives(header: string): Map<string, (string | undefined)[]> {
  const found = new Map<string, (string | undefined)[]>();
  for (const [, name, value] of header.matchAll(DIRECTIVE)) {
    if (name === undefined) continue;
    const key = name.toLowerCase();
    found.set(key, [...(found.get(key) ?? []), unquote(value)]);
  }
  return found;
}

function unquote(value: string | undefined): string | undefined {
  return value?.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value?.trimEnd();
}

/** The one number that counts of a directive given once or more, clamped to what a number holds exactly. */
function seconds(
  values: readonly (string | undefined)[] | undefined,
  strictest: (...numbers: number[]) => number,
): number | 'unreadable' | undefined {
  if (!values) return undefined;
  if (!values.every((value) => value !== undefined && /^\d+$/.test(value))) return 'unreadable';
  return strictest(...values.map((value) => Math.min(Number(value), Number.MAX_SAFE_INTEGER)));
}

function period(
  maxAge: number | 'unreadable' | undefined,
  maxStale: readonly (string | undefined)[] | undefined,
  retention: number,
): number {
  const fresh = typeof maxAge === 'number' ? maxAge : DEFAULT_PERIOD;
  if (!maxStale) return fresh;
  if (maxStale.every((value) => value === undefined)) return retention;
  const extra = seconds(
    maxStale.filter((value) => value !== undefined),
    Math.min,
  );
  return typeof extra === 'number' ? fresh + extra : fresh;
}
