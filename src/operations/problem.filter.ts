import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config.js';
import { isPassing } from '../database/index.js';
import { allowedMethods, unreadableType } from './http.js';
import { Problem, problemDocument, UnavailableProblem } from './problem.js';

/** Maps whatever was thrown while answering to a problem document (http-api 8). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Problem');

  constructor(private readonly config: Config) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const problem = toProblem(thrown, request);
    // What passes by itself is seen in the metrics, and no line of its own each time.
    if (problem.status >= 500)
      this.logger[problem.status === 500 ? 'error' : 'debug'](
        { err: thrown, requestId: request.id, status: problem.status },
        'request failed',
      );
    if (reply.sent) return;
    void reply
      .status(problem.status)
      .headers({ ...problem.extras.headers, 'Cache-Control': 'no-store' })
      .type('application/problem+json')
      .send(problemDocument(problem, this.config.publicUrl, request.url.split('?', 1)[0]));
  }
}

function toProblem(thrown: unknown, request: FastifyRequest): Problem {
  if (thrown instanceof Problem) return thrown;
  if (isPassing(thrown)) return new UnavailableProblem();
  const status = thrown instanceof HttpException ? thrown.getStatus() : statusOf(thrown);
  if (status === 404) return unrouted(request);
  if (status === 413) return new Problem('body-too-large', 'The body is larger than this resource accepts.');
  if (status === 415) return unreadableType(request);
  if (status >= 400 && status < 500) {
    return new Problem('bad-request', 'The request is not well-formed.', { status });
  }
  return new Problem('internal-error', 'The service failed to answer. The failure has been logged.');
}

function unrouted(request: FastifyRequest): Problem {
  const allowed = allowedMethods(request);
  if (allowed.length === 0) return new Problem('not-found', 'There is nothing at this address.');
  const Allow = allowed.join(', ');
  return new Problem('method-not-allowed', `This resource answers ${Allow}.`, { headers: { Allow } });
}

function statusOf(thrown: unknown): number {
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : 500;
}
