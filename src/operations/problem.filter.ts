import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config.js';
import { allowedMethods } from './http.js';
import { Problem, UnavailableProblem } from './problem.js';

/** PostgreSQL conditions, and those of its connection, that pass by themselves. */
const PASSING = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '53100',
  '53200',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '25006',
  '40001',
  '40P01',
]);

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
    if (problem.status >= 500)
      this.logger.error({ err: thrown, requestId: request.id, status: problem.status }, 'request failed');
    if (reply.sent) return;
    void reply
      .status(problem.status)
      .headers({ ...problem.extras.headers, 'Cache-Control': 'no-store' })
      .type('application/problem+json')
      .send(
        JSON.stringify({
          type: `${this.config.publicUrl}/problems/${problem.slug}`,
          title: problem.title,
          status: problem.status,
          detail: problem.detail,
          instance: request.url.split('?', 1)[0],
          ...(problem.extras.errors && { errors: problem.extras.errors }),
          ...problem.extras.members,
        }),
      );
  }
}

function toProblem(thrown: unknown, request: FastifyRequest): Problem {
  if (thrown instanceof Problem) return thrown;
  const code = codeOf(thrown);
  if (code !== undefined && PASSING.has(code)) return new UnavailableProblem();
  if (
    thrown instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/.test(thrown.message)
  ) {
    return new UnavailableProblem();
  }
  const status = thrown instanceof HttpException ? thrown.getStatus() : statusOf(thrown);
  if (status === 404) return unrouted(request);
  if (status === 413) return new Problem('body-too-large', 'The body is larger than this resource accepts.');
  if (status === 415) {
    return new Problem('unsupported-media-type', 'Send the body as application/json.');
  }
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

function codeOf(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

function statusOf(thrown: unknown): number {
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : 500;
}
