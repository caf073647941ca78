import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPassing } from '../../database/index.js';
import { messagePage } from './message.page.js';
import { show } from './page.js';

/** Tells a person in a browser that something failed. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Pages');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const status = isPassing(thrown) ? 503 : 500;
    this.logger[status === 503 ? 'debug' : 'error'](
      { err: thrown, requestId: http.getRequest<FastifyRequest>().id, status },
      'page failed',
    );
    const reply = http.getResponse<FastifyReply>();
    const page = messagePage(
      'Something went wrong',
      'Nothing was changed. Please wait a moment and try again.',
    );
    if (!reply.sent) show(reply, { page, status, retryAfterSeconds: 5 });
  }
}
