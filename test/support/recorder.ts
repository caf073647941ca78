import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

// Loaded into a service by `startService` before anything else (preload.mjs): writes down what the service was asked and what it answered, an
// answer a line, before the caller has it whole.

/** A request and its answer. */
export interface Recorded {
  /** Port that the request came to. */
  readonly port: number;
  readonly method: string;
  readonly url: string;
  readonly requestType: string;
  /** Of JSON up to 64 KiB. */
  readonly requestBody?: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Of JSON up to 1 MiB that was sent whole and is not compressed. */
  readonly body?: string;
  /** Bytes sent. */
  readonly bytes: number;
}

const LONGEST_REQUEST = 64 * 1024;
const LONGEST_BODY = 1024 * 1024;

const file = process.env.MUSTER_TEST_ANSWERS;

if (file !== undefined) {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    record(request, response, file);
  });
}

function record(request: IncomingMessage, response: ServerResponse, to: string): void {
  const sent: Buffer[] = [];
  const asked: Buffer[] = [];
  const port = request.socket.localPort ?? 0;
  let bytes = 0;
  let written = false;
  const isJson = (): boolean => /^content-type: application\/(problem\+)?json\b/im.test(headOf(response));
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const piece = typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : chunk;
    bytes += piece.length;
    if (bytes <= LONGEST_BODY && isJson()) sent.push(Buffer.from(piece));
  };
  const write = (whole: boolean): void => {
    const head = headOf(response);
    if (written || head === '') return;
    written = true;
    const readable = whole && isJson() && bytes <= LONGEST_BODY && !/^content-encoding:/im.test(head);
    const recorded: Recorded = {
      port,
      method: request.method ?? '',
      url: request.url ?? '',
      requestType: request.headers['content-type'] ?? '',
      ...(asked.length > 0 && { requestBody: Buffer.concat(asked).toString('utf8') }),
      status: response.statusCode,
      headers: headersOf(head),
      ...(readable && { body: Buffer.concat(sent).toString('utf8') }),
      bytes,
    };
    appendFileSync(to, `${JSON.stringify(recorded)}\n`);
  };

  const { write: originalWrite, end: originalEnd } = response;
  response.write = function (this: ServerResponse, ...given: unknown[]) {
    keep(given[0], given[1]);
    return Reflect.apply(originalWrite, this, given) as boolean;
  } as typeof originalWrite;
  response.end = function (this: ServerResponse, ...given: unknown[]) {
    keep(given[0], given[1]);
    write(true);
    return Reflect.apply(originalEnd, this, given) as ServerResponse;
  } as typeof originalEnd;
  response.once('close', () => write(response.writableFinished));

  if (!/^application\/json/i.test(request.headers['content-type'] ?? '')) return;
  const originalPush = request.push.bind(request);
  let length = 0;
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    length += chunk?.length ?? 0;
    if (length > LONGEST_REQUEST) asked.length = 0;
    else if (chunk) asked.push(Buffer.from(chunk));
    return originalPush(chunk, encoding);
  };
}

/** The head as it goes over the wire; empty before it is made. */
function headOf(response: ServerResponse): string {
  return (response as unknown as { _header: string | null })._header ?? '';
}

function headersOf(head: string): [string, string][] {
  return head
    .split('\r\n')
    .slice(1)
    .filter((line) => line.includes(':'))
    .map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
}
