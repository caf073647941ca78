import { type ProblemDocument, ProblemError } from './errors.js';

/**
 * How an application proves who it is. `token` gives a Bearer token; it is asked anew, with the one that was refused, when the
 * service answers 401, so that it can refresh.
 */
export type Credentials =
  { readonly apiKey: string } | { readonly token: (refused?: string) => string | Promise<string> };

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

const TRIES = 4;
/** The service asks for it: nothing was done. */
const PASSING = new Set([429, 503]);
const LONGEST_PAUSE_SECONDS = 60;

/** Requests to one service: credentials, what passes by itself tried again, refusals as ProblemError. */
export class Connection {
  constructor(
    readonly url: string,
    private readonly credentials: Credentials,
  ) {}

  /** Throws ProblemError. A request that may be sent twice is tried again after 429, 503 and a broken connection. */
  async send(address: string, sent: Sent = {}, mayRepeat = true): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const response = await this.once(address, sent).catch((error: unknown) => {
        sent.signal?.throwIfAborted();
        if (!mayRepeat || tries === TRIES) throw error;
        return undefined;
      });
      if (response?.ok) return response;
      if (response && !(mayRepeat && PASSING.has(response.status) && tries < TRIES))
        throw await refusal(response);
      await response?.body?.cancel();
      await pause(retryAfterSeconds(response) ?? tries, sent.signal);
    }
  }

  private async once(address: string, sent: Sent): Promise<Response> {
    if ('apiKey' in this.credentials)
      return this.ask(address, sent, { 'x-api-key': this.credentials.apiKey });
    const token = await this.credentials.token();
    const response = await this.ask(address, sent, { authorization: `Bearer ${token}` });
    if (response.status !== 401) return response;
    const fresh = await this.credentials.token(token);
    if (fresh === token) return response;
    await response.body?.cancel();
    return this.ask(address, sent, { authorization: `Bearer ${fresh}` });
  }

  private ask(
    address: string,
    { method = 'GET', headers, body, signal }: Sent,
    proof: Record<string, string>,
  ): Promise<Response> {
    return fetch(new URL(address, this.url), {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers, ...proof },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      redirect: 'error',
    });
  }
}

/** Undefined when the answer does not say. */
export function retryAfterSeconds(response: Response | undefined): number | undefined {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), LONGEST_PAUSE_SECONDS);
}

/** Throws the signal's reason when it is aborted meanwhile. */
export async function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), seconds * 1000);
  const abort = (): void => reject(signal?.reason as Error);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function refusal(response: Response): Promise<ProblemError> {
  const text = await response.text();
  return new ProblemError(
    response.status,
    read(text, response),
    response.headers.get('x-request-id') ?? undefined,
  );
}

/** A proxy in between may answer something else. */
function read(text: string, { status, statusText, headers }: Response): ProblemDocument {
  if (headers.get('content-type')?.startsWith('application/problem+json'))
    return JSON.parse(text) as ProblemDocument;
  return { type: 'about:blank', title: statusText, status, detail: text.slice(0, 200) };
}
