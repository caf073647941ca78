import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../config.js';
import { isPassing } from '../passing-failure.js';
import { sendError } from './oauth-answer.js';
import { OAuthError, serverError, unavailable } from './oauth-error.js';

/** Maps whatever was thrown under /oauth2/ to an OAuth error. */
@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('OAuth');

  constructor(private readonly config: Config) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const error = toOAuthError(thrown);
    if (error.status >= 500) {
      const { id: requestId } = http.getRequest<FastifyRequest>();
      this.logger.error({ err: thrown, requestId, status: error.status }, 'request failed');
    }
    const reply = http.getResponse<FastifyReply>();
    if (!reply.sent) void sendError(reply, error, this.config.publicUrl);
  }
}

function toOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  return isPassing(thrown) ? unavailable() : serverError();
}
