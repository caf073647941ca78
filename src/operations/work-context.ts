import { AsyncLocalStorage } from 'node:async_hooks';

/** What the code that runs is doing it for: a caller's request, or an attempt at a report. */
export interface WorkContext {
  readonly requestId?: string;
  readonly reportId?: string;
  /** W3C trace context of the span the work belongs to; absent when nobody traces it. */
  readonly traceparent?: string;
}

/** Follows the work through awaits; empty outside of requests and attempts. */
export const workContext = new AsyncLocalStorage<WorkContext>();

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}/;

/** A caller's `traceparent` (W3C Trace Context), or undefined when it is none. */
export function readTraceparent(header: unknown): string | undefined {
  return typeof header === 'string' && header.length <= 512
    ? TRACEPARENT.exec(header)?.[0].replace(/^../, '00')
    : undefined;
}

/** The trace id in a traceparent. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.slice(3, 35);
}

/** Whether somebody keeps the trace: the lowest bit of its flags, beside which others may stand (W3C Trace Context). */
export function isKept(traceparent: string | undefined): boolean {
  return (Number.parseInt(traceparent?.split('-')[3] ?? '', 16) & 1) === 1;
}

/** Exemplar labels that lead from a measurement to its trace; none where the trace is not kept. */
export function exemplarOf(traceparent: string | undefined): Record<string, string> {
  const traceId = traceIdOf(traceparent);
  return traceId !== undefined && isKept(traceparent) ? { trace_id: traceId } : {};
}
