import { setTimeout as pause } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { Config } from '../config.js';
import { generatingUrl, replicaUrl } from '../database/index.js';
import type { TracingSettings } from '../operations/tracing/start-tracing.js';
import type { ReportManifest } from '../reports/index.js';
import type { GeneratorSource } from './catalogue.js';
import type { GenerationPeriod } from './generator.js';
import { MemoryWatch, type WatchedThread } from './memory-watch.js';

const FLUSH_WITHIN_MS = 2_000;

/** An attempt at a report, as a thread needs to know it. */
export interface GenerationTask {
  readonly bucket: number;
  readonly reportId: string;
  readonly attempt: number;
  readonly farmId: string;
  readonly type: string;
  readonly source: GeneratorSource;
  /** Of the trace that the attempt belongs to. */
  readonly traceparent?: string | undefined;
  readonly period: GenerationPeriod;
  /** Opens the records of the farm and the content of the attempt to the thread's connections (migration 140). */
  readonly pass: string;
  /** The records are read from the replica once it has come to this position of the primary's log; undefined: from the primary. */
  readonly replicaAt?: string | undefined;
}

/** What a thread is started with. */
export interface ThreadSettings {
  readonly databaseUrl: string;
  readonly replicaUrl?: string | undefined;
  readonly tracing?: TracingSettings | undefined;
}

/**
 * `refused`: the report's own check failed, so another try would fail too. `lost`: the database was, the report is not to
 * blame. `unsettled`: the farm's records have to be booked first. `passed over`: it was to be read from the replica, which could not do it.
 */
export type GenerationOutcome =
  | { readonly outcome: 'written'; readonly manifest: ReportManifest }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed' | 'lost'; readonly cause: string }
  | { readonly outcome: 'passed over'; readonly cause: string }
  | { readonly outcome: 'unsettled' };

/** What a thread says when it takes up a report. */
export interface TakenUp {
  readonly reportId: string;
  readonly threadId: number;
}

/** What a thread says of a report that it is making. */
export interface Progress {
  readonly reportId: string;
  /** Written so far. */
  readonly rows: number;
}

interface Running {
  threadId?: number;
  readonly overgrown: AbortController;
  readonly progress: (rows: number) => void;
}

export class OutOfMemory extends Error {}

/**
 * The threads generators run in, away from the event loop. A thread holds one report at a time and its own connections. One
 * that is stopped, or takes more memory than it is given, ends alone: another takes its place, and the server notices the
 * closed connection and ends the query.
 */
export class GenerationThreads {
  private readonly pool: Piscina<GenerationTask, GenerationOutcome>;
  private readonly watch: MemoryWatch;
  private readonly isTraced: boolean;
  private readonly running = new Map<string, Running>();

  constructor(config: Config) {
    const { GENERATION_CONCURRENCY: threads, GENERATION_MEMORY_LIMIT: limitMb } = config;
    this.isTraced = config.tracing !== undefined;
    this.pool = new Piscina({
      filename: new URL('./generation.thread.js', import.meta.url).href,
      name: 'generate',
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxOldGenerationSizeMb: limitMb },
      workerData: {
        databaseUrl: generatingUrl(config),
        replicaUrl: replicaUrl(config),
        tracing: config.tracing,
      } satisfies ThreadSettings,
      env: {},
    });
    this.pool.on('error', () => undefined);
    this.pool.on('message', (said: TakenUp | Progress) => {
      const running = this.running.get(said.reportId);
      if ('rows' in said) running?.progress(said.rows);
      else if (running) running.threadId = said.threadId;
    });
    this.watch = new MemoryWatch(
      () => [...this.running.values()].map((task) => this.watched(task)),
      threads * limitMb,
    );
  }

  /** Throws OutOfMemory, or what ended the thread; the signal's abort ends it at once, in the middle of a loop too. */
  async run(
    task: GenerationTask,
    signal: AbortSignal,
    progress: (rows: number) => void,
  ): Promise<GenerationOutcome> {
    const overgrown = new AbortController();
    this.running.set(task.reportId, { overgrown, progress });
    try {
      return await this.pool.run(task, { signal: AbortSignal.any([signal, overgrown.signal]) });
    } catch (error) {
      const outOfMemory =
        overgrown.signal.aborted || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      throw outOfMemory ? new OutOfMemory() : error;
    } finally {
      this.running.delete(task.reportId);
    }
  }

  async close(): Promise<void> {
    this.watch.close();
    if (this.isTraced) await this.flush();
    await this.pool.destroy();
  }

  /** Each thread is idle and takes one of these; a collector that does not answer is not waited for. */
  private async flush(): Promise<void> {
    const flushed = this.pool.threads.map(() => this.pool.run(undefined as never, { name: 'flush' }));
    await Promise.race([Promise.allSettled(flushed), pause(FLUSH_WITHIN_MS, undefined, { ref: false })]);
  }

  private watched({ threadId, overgrown }: Running): WatchedThread {
    const size = async () => {
      const stats = await this.pool.threads
        .find((thread) => thread.threadId === threadId)
        ?.getHeapStatistics();
      return stats ? stats.total_heap_size + stats.external_memory : 0;
    };
    return { size, end: () => overgrown.abort() };
  }
}
