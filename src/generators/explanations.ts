import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Piscina } from 'piscina';
import { Config } from '../config.js';
import { Database, generatingUrl } from '../database/index.js';
import { bucketOf } from '../event-store/index.js';
import { SettleFarm } from '../farm-records/index.js';
import type { ExplainedRow, NotExplained } from '../reports/index.js';
import type { ExplanationOutcome, ExplanationTask } from './explanation.thread.js';
import { issuePass } from './generation-pass.js';

const LONGEST_SECONDS = 30;
const IDLE_MS = 60_000;
const AT_ONCE = 2;

/** The threads that explain rows, away from the event loop; there are none until somebody asks. */
@Injectable()
export class Explanations implements OnApplicationShutdown {
  private pool: Piscina<ExplanationTask, ExplanationOutcome> | undefined;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly commands: CommandBus,
  ) {}

  async explain(task: Omit<ExplanationTask, 'pass'>): Promise<ExplainedRow | NotExplained> {
    const signal = AbortSignal.timeout(LONGEST_SECONDS * 1000);
    const { farmId } = task;
    // Of no report: no content is opened.
    const nothing = { bucket: bucketOf(farmId), reportId: '', attempt: 0 };
    const pass = await issuePass(this.database, farmId, nothing, LONGEST_SECONDS);
    try {
      for (;;) {
        const outcome = await this.threads().run({ ...task, pass }, { signal });
        if (outcome !== 'unsettled') return outcome;
        await this.commands.execute(new SettleFarm(farmId));
      }
    } catch (error) {
      if (signal.aborted) return 'took too long';
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }

  private threads(): Piscina<ExplanationTask, ExplanationOutcome> {
    this.pool ??= new Piscina({
      filename: new URL('./explanation.thread.js', import.meta.url).href,
      name: 'explain',
      minThreads: 0,
      maxThreads: AT_ONCE,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: this.config.GENERATION_MEMORY_LIMIT },
      workerData: { databaseUrl: generatingUrl(this.config) },
      env: {},
    });
    return this.pool;
  }
}
