import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOAuthPath, sendUnreadableAddress } from '../auth/index.js';
import type { Config } from '../config.js';
import { Problem, problemDocument } from './problem.js';
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
    const problem = new Problem('bad-request', 'The address is not well-formed.');
    void reply
      .status(problem.status)
      .type('application/problem+json')
      .send(problemDocument(problem, config.publicUrl));
  };
}
