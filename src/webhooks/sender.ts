import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { type DestinationRules, literalAddress, mayConnect } from './destination.js';
import type { AttemptResult } from './verdict.js';

/** Answers are read this far, so that a receiver finishes its work, and then cut off. */
const LONGEST_ANSWER = 16 * 1024;

interface Address {
  readonly address: string;
  readonly family: number;
}

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<Address[]>;

class Refused extends Error {}

/** A message ready to be sent. */
export interface Message {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends messages to addresses that strangers chose. A name is resolved once for each connection, and the very addresses
 * that were found permitted are connected to: a name that answers something else a moment later gains nothing. Each message
 * has a connection of its own, and redirects are answers like any other.
 */
export class Sender {
  constructor(
    private readonly rules: DestinationRules,
    private readonly timeoutMs: number,
    private readonly resolve: Resolve = (hostname) => lookup(hostname, { all: true, order: 'verbatim' }),
  ) {}

  /** Never throws: what went wrong is the result's `error`. */
  async send(message: Message): Promise<AttemptResult> {
    const begun = performance.now();
    const result = await this.exchange(message).catch((error: unknown) => ({ error: this.explain(error) }));
    return { ...result, durationMs: Math.round(performance.now() - begun) };
  }

  private async exchange({ url, body, headers }: Message): Promise<Omit<AttemptResult, 'durationMs'>> {
    const target = new URL(url);
    const literal = literalAddress(target);
    if (literal !== undefined && !mayConnect(literal, this.rules)) throw new Refused();
    const signal = AbortSignal.timeout(this.timeoutMs);
    const answer = await post(target, body, { headers, lookup: this.permitted, signal });
    await drain(answer).catch(() => undefined);
    const retryAfterSeconds = readRetryAfter(answer.headers['retry-after'], Date.now());
    return { status: answer.statusCode ?? 0, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  }

  /** Takes the place of Node's own look-up, whose answer is what is connected to. */
  private readonly permitted: LookupFunction = (hostname, { all }, done) => {
    void this.addressesOf(hostname).then(
      ([first, ...others]) => {
        if (all) done(null, [first, ...others]);
        else done(null, first.address, first.family);
      },
      (error: unknown) => done(error as NodeJS.ErrnoException, []),
    );
  };

  private async addressesOf(hostname: string): Promise<[Address, ...Address[]]> {
    const [first, ...others] = await this.resolve(hostname);
    if (!first || ![first, ...others].every(({ address }) => mayConnect(address, this.rules)))
      throw new Refused();
    return [first, ...others];
  }

  private explain(error: unknown): string {
    if (error instanceof Refused) return 'its address is not a public one';
    const { name, code } = error as NodeJS.ErrnoException;
    if (name === 'TimeoutError' || name === 'AbortError')
      return `it did not answer within ${this.timeoutMs / 1000} s`;
    return `it could not be reached${code === undefined ? '' : ` (${code})`}`;
  }
}

function post(url: URL, body: string, options: RequestOptions): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = {
    ...(options.headers as Record<string, string>),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Muster-Webhooks/1',
  };
  return new Promise((resolve, reject) => {
    request(url, { ...options, method: 'POST', headers, agent: false })
      .on('response', resolve)
      // Left alone, an answer that turns to another protocol would end in neither a response nor an error.
      .on('upgrade', (answer, socket) => {
        socket.destroy();
        resolve(answer.destroy());
      })
      .on('close', () => reject(new Error('the connection ended without an answer')))
      .on('error', (error) => reject(options.signal?.aborted ? (options.signal.reason as Error) : error))
      .end(body);
  });
}

/** The answer's content means nothing. What is too long, or comes too slowly for the time limit, is cut off. */
async function drain(answer: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>)
    if ((bytes += chunk.length) > LONGEST_ANSWER) return; // Leaving the loop destroys the stream.
}

/** Seconds from `now` on (RFC 9110, 10.2.3), or undefined when it cannot be read. */
function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return seconds > 0 ? seconds : undefined;
}
