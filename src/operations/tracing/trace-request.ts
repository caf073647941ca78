import type { FastifyReply, FastifyRequest } from 'fastify';
import { readTraceparent } from '../work-context.js';
import { tracer } from './tracer.js';

/** Traces a request until its answer has gone, where anything is traced. Answers the trace that its work belongs to, if any. */
export function traceRequest(request: FastifyRequest, { raw }: FastifyReply): string | undefined {
  const caller = readTraceparent(request.headers.traceparent);
  const { method, protocol, routeOptions } = request;
  const route = routeOptions.url;
  const span = tracer()?.begin(
    route === undefined ? method : `${method} ${route}`,
    'server',
    {
      'http.request.method': method,
      'http.route': route,
      'url.scheme': protocol,
      'url.path': request.url.split('?', 1)[0],
      'user_agent.original': request.headers['user-agent'],
    },
    caller,
  );
  if (span)
    raw.once('close', () => {
      const { statusCode } = raw;
      const attributes = { 'http.response.status_code': statusCode };
      span.end({ attributes, ...(statusCode >= 500 && { error: { code: String(statusCode) } }) });
    });
  return span?.traceparent ?? caller;
}
