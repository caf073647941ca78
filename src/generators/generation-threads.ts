import { Piscina } from 'piscina';
import type { Config } from '../config.js';
import type { GeneratorSource } from './catalogue.js';
import type { GenerationPeriod } from './generator.js';
import type { ReportManifest } from '../reports/index.js';

/** An attempt at a report, as a thread needs to know it. */
export interface GenerationTask {
  readonly bucket: number;
  readonly reportId: string;
  readonly attempt: number;
  readonly farmId: string;
  readonly type: string;
  readonly source: GeneratorSource;
  readonly period: GenerationPeriod;
}

/** `refused`: the report's own check failed, so another try would fail too. `lost`: the database was, the report is not to blame. */
export type GenerationOutcome =
  | { readonly outcome: 'written'; readonly manifest: ReportManifest }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed' | 'lost'; readonly cause: string };

/**
 * The threads generators run in, away from the event loop. A thread holds one report at a time and its own connections. One that
 * is stopped, or takes more memory than it is given, ends alone: another takes its place, and the server notices the
 * closed connection and ends the query.
 */
export class GenerationThreads {
  private readonly pool: Piscina<GenerationTask, GenerationOutcome>;

  constructor(config: Config) {
    this.pool = new Piscina({
      filename: new URL('./generation.thread.js', import.meta.url).href,
      name: 'generate',
      minThreads: config.GENERATION_CONCURRENCY,
      maxThreads: config.GENERATION_CONCURRENCY,
      resourceLimits: { maxOldGenerationSizeMb: config.GENERATION_MEMORY_LIMIT },
      workerData: { databaseUrl: config.databaseUrl },
      env: {},
    });
    this.pool.on('error', () => undefined);
  }

  /** Throws OutOfMemory, or what ended the thread; the signal's abort ends it at once, in the middle of a loop too. */
  async run(task: GenerationTask, signal: AbortSignal): Promise<GenerationOutcome> {
    try {
      return await this.pool.run(task, { signal });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? new OutOfMemory() : error;
    }
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}

export class OutOfMemory extends Error {}
