import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOAuthPath, sendUnreadableAddress } from '../auth/index.js';
import type { Config } from '../config.js';
import { securityHeaders } from './security-headers.js';

/** Answers a request whose address cannot be decoded, before there is a route to it. Left alone, Fastify would echo it. */
export function unreadableAddress(config: Config) {
  return (_error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    void reply.headers({
      ...securityHeaders(config.PUBLIC_URL),
      'X-Request-Id': request.id,
      'Cache-Control': 'no-store',
    });
    if (isOAuthPath(request.url)) {
      sendUnreadableAddress(reply, config.publicUrl);
      return;
    }
    void reply
      .status(400)
      .type('application/problem+json')
      .send(
        JSON.stringify({
          type: `${config.publicUrl}/problems/bad-request`,
          title: 'The request cannot be read',
          status: 400,
          detail: 'The address is not well-formed.',
        }),
      );
  };
}
