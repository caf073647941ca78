import { hostname } from 'node:os';
import { ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { observeStatements } from '../../database/observed-statements.js';
import { isKept, workContext } from '../work-context.js';
import type { BegunSpan, Tracer } from './tracer.js';

/** Where spans go and which are kept; plain data, so that threads can be told. */
export interface TracingSettings {
  /** Base address of a collector that takes OTLP over HTTP. */
  readonly endpoint: string;
  /** What it asks for, such as a key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly role: string;
  /** Of traces that begin here, between 0 and 1; a caller's decision about its own trace is kept. */
  readonly ratio: number;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};
const FLUSH_EVERY_MS = 1_000;

/** Begins to trace this process or thread: loaded only where tracing is wanted. */
export function startTracing({ endpoint, headers, role, ratio }: TracingSettings): Tracer {
  const exporter = new OTLPTraceExporter({
    url: new URL('v1/traces', withSlash(endpoint)).href,
    headers: { ...headers },
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'muster',
      'service.instance.id': `${hostname()}-${process.pid}`,
      'muster.role': role,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: FLUSH_EVERY_MS })],
  });
  const otel = provider.getTracer('muster');
  const started: Tracer = {
    begin(name, kind, attributes, parent) {
      const remote = parent === undefined ? undefined : spanContextOf(parent);
      const context = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
      const span = otel.startSpan(name, { kind: KINDS[kind], attributes }, context);
      return begunSpan(span);
    },
    flush: () => provider.forceFlush(),
  };
  observeStatements(({ name, text }) => {
    const parent = workContext.getStore()?.traceparent;
    // Polling and upkeep belong to no trace; a trace that is not kept needs no spans.
    if (!isKept(parent)) return undefined;
    const operation = name ?? /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'statement';
    const attributes = {
      'db.system.name': 'postgresql',
      'db.query.text': text,
      'db.query.summary': operation,
    };
    const span = started.begin(operation, 'client', attributes, parent);
    return (error) => span.end({ error });
  });
  return started;
}

function begunSpan(span: ReturnType<ReturnType<TracerProvider['getTracer']>['startSpan']>): BegunSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
    end({ name, attributes, error } = {}) {
      if (name !== undefined) span.updateName(name);
      if (attributes) span.setAttributes(attributes);
      if (error !== undefined) {
        span.setAttribute('error.type', typeOf(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function spanContextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

/** Its code or class; a message may hold what a caller sent. */
function typeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : String(error);
}

function withSlash(endpoint: string): string {
  return endpoint.endsWith('/') ? endpoint : `${endpoint}/`;
}
