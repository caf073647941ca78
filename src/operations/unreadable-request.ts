import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.js';
import { Problem, problemDocument } from './problem.js';
import { securityHeaders } from './security-headers.js';

/** What Node could not read as HTTP, by the code of its error; anything else is a 400. */
const REFUSALS: Readonly<Record<string, { readonly status: number; readonly detail: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not arrive in time.' },
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are larger than 16 KiB.' },
};
const MALFORMED = { status: 400, detail: 'The request is not well-formed HTTP.' };

/** Answers what is no request, for which there is no reply yet, with a problem like any other, and ends the connection. */
export function unreadableRequest(config: Config) {
  return ({ code = '' }: NodeJS.ErrnoException, socket: Socket): void => {
    if (code !== 'ECONNRESET' && socket.writable) socket.write(answer(config, REFUSALS[code] ?? MALFORMED));
    socket.destroy();
  };
}

function answer(config: Config, { status, detail }: { status: number; detail: string }): string {
  const body = problemDocument(new Problem('bad-request', detail, { status }), config.publicUrl);
  const headers = {
    ...securityHeaders(config.PUBLIC_URL),
    'X-Request-Id': randomUUID(),
    'Cache-Control': 'no-store',
    Connection: 'close',
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
