/** What came of one attempt to deliver: an HTTP status, or why there is none. */
export interface AttemptResult {
  readonly status?: number;
  readonly error?: string;
  readonly durationMs: number;
  /** Of a Retry-After header. */
  readonly retryAfterSeconds?: number;
}

export type Verdict =
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'retrying'; readonly afterSeconds: number }
  | { readonly outcome: 'failed' }
  | { readonly outcome: 'gone' };

/** A delay grows by up to this part, so that what failed together does not come back together. */
const JITTER = 0.2;
/** No receiver may put a message off for longer. */
const LONGEST_WAIT_SECONDS = 86_400;
/** An endpoint that took nothing for this long is disabled when a message is given up. */
const GIVE_UP_AFTER_MS = 5 * 86_400_000;

/**
 * What follows from an attempt, by the Standard Webhooks specification: only 2xx is success, a redirect is a failure, 410
 * ends the endpoint, Retry-After is heeded. `schedule` has the seconds to wait after the first failed attempt, the second…;
 * `chance` is a random number from 0 to 1.
 */
export function judge(
  { status, retryAfterSeconds = 0 }: AttemptResult,
  triesBefore: number,
  schedule: readonly number[],
  chance: number,
): Verdict {
  if (status !== undefined && status >= 200 && status < 300) return { outcome: 'delivered' };
  if (status === 410) return { outcome: 'gone' };
  const delay = schedule[triesBefore];
  if (delay === undefined) return { outcome: 'failed' };
  const asked = Math.min(retryAfterSeconds, LONGEST_WAIT_SECONDS);
  return { outcome: 'retrying', afterSeconds: Math.max(delay * (1 + JITTER * chance), asked) };
}

/** Whether an endpoint that failed since `failingSince` is given up at `now`. Unix milliseconds. */
export function isGivenUp(failingSince: number | undefined, now: number): boolean {
  return failingSince !== undefined && now - failingSince >= GIVE_UP_AFTER_MS;
}

/** Why an attempt did not deliver, in words for the log of the endpoint's owner. */
export function failureOf({ status, error }: AttemptResult): string {
  if (status === undefined) return error ?? 'there was no answer';
  if (status === 410) return 'it answered 410: it is gone';
  if (status >= 300 && status < 400) return `it answered ${status}: redirects are not followed`;
  return `it answered ${status}`;
}
