import type { IncomingMessage } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { EventBus } from '@nestjs/cqrs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../config.js';
import { readNothing } from '../../operations/http.js';
import { TokenRequestAnswered } from '../messages.js';
import { addressSubject, Failures } from '../failures.js';
import { CLIENT_FAILURES } from './client-authentication.js';
import { isOAuthPath, isTokenRequest, sendError } from './oauth-answer.js';
import { invalidRequest, nothingHere, OAuthError, tooManyFailures, wrongMethod } from './oauth-error.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const LONGEST_BODY = 64 * 1024;

/** The addresses under /oauth2/ and their methods; those of clients rather than of browsers are `machine`. */
const ENDPOINTS: Readonly<
  Record<string, { readonly methods: readonly string[]; readonly machine: boolean }>
> = {
  '/oauth2/token': { methods: ['POST'], machine: true },
  '/oauth2/revoke': { methods: ['POST'], machine: true },
  '/oauth2/introspect': { methods: ['POST'], machine: true },
  '/oauth2/authorize': { methods: ['GET', 'HEAD', 'POST'], machine: false },
  '/oauth2/errors': { methods: ['GET', 'HEAD'], machine: false },
};

/** A form as it came: its bytes, or that there were too many. */
export type RawForm = Buffer | 'too-large';

/**
 * The first steps of oauth.md 2, before Fastify reads a body and with it goes its own way: address, method, limit per
 * address, content type. Forms come through as bytes, up to 64 KiB of them.
 */
@Injectable()
export class OAuthGate implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly failures: Failures,
    private readonly config: Config,
    private readonly events: EventBus,
  ) {}

  onModuleInit(): void {
    // A worker and the command line have no HTTP side.
    const { httpAdapter } = this.host as Partial<HttpAdapterHost>;
    if (!httpAdapter) return;
    const fastify = httpAdapter.getInstance<FastifyInstance>();
    fastify.addContentTypeParser(FORM_TYPE, (request: FastifyRequest, payload: IncomingMessage) =>
      /^\/(oauth2|account)\//.test(request.url) ? readBytes(payload) : readNothing(request),
    );
    fastify.addHook('onRequest', (request, reply, next) => {
      const refusal = this.refuse(request);
      if (!refusal) {
        next();
        return;
      }
      if (isTokenRequest(request)) this.events.publish(new TokenRequestAnswered('none', refusal.reason));
      this.answer(reply, refusal);
    });
  }

  private refuse(request: FastifyRequest): OAuthError | undefined {
    const path = request.url.split('?', 1)[0] ?? '';
    if (!isOAuthPath(path)) return undefined;
    const endpoint = Object.hasOwn(ENDPOINTS, path) ? ENDPOINTS[path] : undefined;
    if (!endpoint) return nothingHere();
    if (!endpoint.methods.includes(request.method)) return wrongMethod(endpoint.methods.join(', '));
    const seconds = endpoint.machine
      ? this.failures.remembered(addressSubject(CLIENT_FAILURES, request.ip))
      : undefined;
    if (seconds !== undefined) return tooManyFailures(seconds);
    return request.method === 'POST' ? refuseContent(request.headers) : undefined;
  }

  /** What is left of the body is not waited for. */
  private answer(reply: FastifyReply, refusal: OAuthError): void {
    void sendError(reply.header('Connection', 'close'), refusal, this.config.publicUrl);
  }
}

function refuseContent(headers: IncomingMessage['headers']): OAuthError | undefined {
  const [type, ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (type !== FORM_TYPE) return invalidRequest('The body must be application/x-www-form-urlencoded.');
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  if (!charsets.every((charset) => /^charset="?utf-8"?$/.test(charset)))
    return invalidRequest('The charset must be UTF-8.');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return invalidRequest('Content-Encoding is not supported.');
  return undefined;
}

async function readBytes(payload: IncomingMessage): Promise<RawForm> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= LONGEST_BODY) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > 16 * LONGEST_BODY) break;
  }
  return bytes > LONGEST_BODY ? 'too-large' : Buffer.concat(chunks);
}
