import type { FastifyReply } from 'fastify';
import { invalidRequest, type OAuthError, unavailable } from './oauth-error.js';

const NOT_KEPT = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };
const JSON_TYPE = 'application/json;charset=UTF-8';

/** Where the errors are explained to developers. */
export const ERRORS_PATH = '/oauth2/errors';

export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.status(200).headers(NOT_KEPT).type(JSON_TYPE).send(json);
}

/** The one shape of failure under /oauth2/ (RFC 6749 5.2, all three members always). */
export function sendError(
  reply: FastifyReply,
  { error, description, status, headers }: OAuthError,
  publicUrl: string,
): FastifyReply {
  const body = { error, error_description: description, error_uri: `${publicUrl}${ERRORS_PATH}#${error}` };
  return reply
    .status(status)
    .headers({ ...NOT_KEPT, ...headers })
    .type(JSON_TYPE)
    .send(JSON.stringify(body));
}

/** Whether an address, in whatever encoding the router takes, is the authorization server's: its answers have their own shape. */
export function isOAuthPath(url: string): boolean {
  const path = url.split('?', 1)[0] ?? '';
  const decoded = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return /^\/oauth2(?=\/|$)/.test(decoded);
}

export function isTokenRequest({ url }: { readonly url: string }): boolean {
  return url.split('?', 1)[0] === '/oauth2/token';
}

/** 503 for a request that nothing was done about. */
export function sendUnavailable(reply: FastifyReply, publicUrl: string): void {
  void sendError(reply, unavailable(), publicUrl);
}

/** 400 for an address that cannot be decoded. */
export function sendUnreadableAddress(reply: FastifyReply, publicUrl: string): void {
  void sendError(reply, invalidRequest('The address is not well-formed.'), publicUrl);
}
