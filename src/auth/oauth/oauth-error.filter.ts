import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import { EventBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Config } from '../../config.js';
import { isPassing } from '../../database/index.js';
import { type RequestedGrant, TokenRequestAnswered } from '../messages.js';
import type { FormRequest } from './client-authentication.js';
import { isTokenRequest, sendError } from './oauth-answer.js';
import { OAuthError, serverError, unavailable } from './oauth-error.js';

/** Maps whatever was thrown under /oauth2/ to an OAuth error. */
@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('OAuth');

  constructor(
    private readonly config: Config,
    private readonly events: EventBus,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FormRequest>();
    const error = toOAuthError(thrown);
    if (isTokenRequest(request))
      this.events.publish(new TokenRequestAnswered(grantOf(request), error.reason));
    if (error.status >= 500) {
      this.logger[error.status === 503 ? 'debug' : 'error'](
        { err: thrown, requestId: request.id, status: error.status },
        'request failed',
      );
    }
    const reply = http.getResponse<FastifyReply>();
    if (!reply.sent) void sendError(reply, error, this.config.publicUrl);
  }
}

function toOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  return isPassing(thrown) ? unavailable() : serverError();
}

/** A caller's own words would make counts without end. */
function grantOf({ form }: Partial<FormRequest>): RequestedGrant {
  const grant = form?.get('grant_type');
  if (grant === undefined) return 'none';
  return grant === 'authorization_code' || grant === 'refresh_token' ? grant : 'other';
}
