import { workContext, type WorkContext } from '../work-context.js';

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** Values of the names that OpenTelemetry's semantic conventions fix. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** A stretch of work that is being traced. */
export interface BegunSpan {
  /** For what the work causes elsewhere: the next process, a thread, a statement. */
  readonly traceparent: string;
  end(outcome?: { name?: string; attributes?: SpanAttributes; error?: unknown }): void;
}

/** Keeps spans and sends them on. There is one only where OTEL_EXPORTER_OTLP_ENDPOINT is set (start-tracing.ts). */
export interface Tracer {
  begin(name: string, kind: SpanKind, attributes: SpanAttributes, parent: string | undefined): BegunSpan;
  flush(): Promise<void>;
}

let current: Tracer | undefined;

/** The tracer of this process or thread; undefined where nothing is traced, and nothing of OpenTelemetry is loaded. */
export function tracer(): Tracer | undefined {
  return current;
}

export function useTracer(started: Tracer): void {
  current = started;
}

/**
 * Does `work` as a span of the trace that `context.traceparent`, or else the current work, belongs to. What it logs, stores and asks
 * of the database goes under that span; where nothing is traced, under the same trace id all the same.
 */
export async function traced<T>(
  name: string,
  kind: SpanKind,
  context: WorkContext,
  attributes: SpanAttributes,
  work: () => Promise<T>,
): Promise<T> {
  const around = { ...workContext.getStore(), ...context };
  const span = current?.begin(name, kind, attributes, around.traceparent);
  return workContext.run(span ? { ...around, traceparent: span.traceparent } : around, async () => {
    try {
      const result = await work();
      span?.end();
      return result;
    } catch (error) {
      span?.end({ error });
      throw error;
    }
  });
}
