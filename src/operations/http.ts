import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { arriving } from './arriving.js';
import { Problem } from './problem.js';
import { securityHeaders } from './security-headers.js';
import { traceRequest } from './tracing/trace-request.js';
import { workContext } from './work-context.js';

/** How a route reads its body; set with `@RouteConfig`. */
export interface BodyConfig {
  /** Bytes; 64 KiB unless said. */
  readonly bodyLimit?: number;
  /** Hands the controller the bytes of a JSON body instead of the parsed value. */
  readonly rawBody?: boolean;
  /** Takes NDJSON and CSV too, as streams. */
  readonly streamed?: boolean;
}

const DEFAULT_BODY_LIMIT = 64 * 1024;
const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/;

interface Route {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

const routes = new WeakMap<object, Route[]>();

/** A caller's X-Request-Id when it is a sane token, else a new one. */
export function requestId(request: { headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}

/** What every answer and every body has in common. Called before the first route is registered. */
export function prepareHttp(fastify: FastifyInstance, publicUrl: string | undefined): void {
  const headers = securityHeaders(publicUrl);
  const known: Route[] = [];
  routes.set(fastify.server, known);
  fastify.addHook('onRoute', ({ url, method }) => {
    known.push({ pattern: toPattern(url), methods: ([] as string[]).concat(method) });
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('X-Request-Id', request.id);
    const traceparent = traceRequest(request, reply);
    workContext.run({ requestId: request.id, ...(traceparent && { traceparent }) }, done);
  });
  fastify.removeContentTypeParser(['application/json', 'text/plain']);
  fastify.addContentTypeParser('application/json', readJson);
  fastify.addContentTypeParser(['application/x-ndjson', 'text/csv'], readStream);
  fastify.addContentTypeParser('*', readNothing);
}

/** The methods that the address of a request answers; none when it is no address. */
export function allowedMethods(request: FastifyRequest): string[] {
  const path = request.url.split('?', 1)[0] ?? '';
  const matching = (routes.get(request.server.server) ?? []).filter((route) => route.pattern.test(path));
  return [...new Set(matching.flatMap((route) => route.methods))].sort();
}

/**
 * For types that a route does not read. Where nothing was sent the type means nothing: a known client names one with every
 * request. Throws a 415 problem.
 */
export async function readNothing(request: FastifyRequest): Promise<undefined> {
  const { 'content-length': length = '0', 'transfer-encoding': transfer } = request.headers;
  if (!request.is404 && (length !== '0' || transfer !== undefined)) throw unreadableType(request);
  return undefined;
}

/** 415: says what the route reads. */
export function unreadableType({ routeOptions }: FastifyRequest): Problem {
  const { streamed = false } = routeOptions.config as BodyConfig;
  const types = streamed ? 'application/json, application/x-ndjson or text/csv' : 'application/json';
  return new Problem('unsupported-media-type', `Send the body as ${types}.`);
}

async function readStream(request: FastifyRequest, payload: IncomingMessage): Promise<Readable | undefined> {
  const { streamed = false } = request.routeOptions.config as BodyConfig;
  if (!streamed) return readNothing(request);
  refuseEncoded(request);
  return Readable.from(arriving(payload), { objectMode: false });
}

function refuseEncoded({ headers: { 'content-encoding': encoding = 'identity' } }: FastifyRequest): void {
  if (encoding.toLowerCase() !== 'identity')
    throw new Problem('unsupported-media-type', 'Send the body without a Content-Encoding.');
}

async function readJson(request: FastifyRequest, payload: IncomingMessage): Promise<unknown> {
  const { bodyLimit = DEFAULT_BODY_LIMIT, rawBody = false } = request.routeOptions.config as BodyConfig;
  refuseEncoded(request);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of arriving(payload)) {
    bytes += chunk.length;
    if (bytes > bodyLimit) {
      throw new Problem('body-too-large', `The body is larger than ${bodyLimit} bytes.`);
    }
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks, bytes);
  if (rawBody) return body;
  if (bytes === 0) return undefined;
  return parseJson(body);
}

/** Strict JSON in strict UTF-8, or a 400 problem. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    throw new Problem('malformed-json', 'The body cannot be read as JSON in UTF-8.');
  }
}

function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:[^/]+/g, '[^/]+').replace(/\*/g, '.*')}$`);
}
