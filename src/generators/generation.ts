import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CommandBus, EventBus } from '@nestjs/cqrs';
import { Config } from '../config.js';
import { Database } from '../database/database.js';
import { bucketOf, EventStore } from '../event-store/index.js';
import { SettleFarm } from '../farm-records/index.js';
import {
  CompleteGeneration,
  FailGeneration,
  type GenerationAttempt,
  NoteProgress,
  type ReportEvent,
  type ReportManifest,
  StartGeneration,
} from '../reports/index.js';
import { PostgresArtifacts } from './postgres-artifacts.js';
import { traced } from '../operations/tracing/tracer.js';
import { workContext } from '../operations/work-context.js';
import { Catalogue } from './catalogue.js';
import { issuePass, logPosition } from './generation-pass.js';
import { type GenerationJob, GenerationQueue } from './generation-queue.js';
import {
  type GenerationOutcome,
  type GenerationTask,
  GenerationThreads,
  OutOfMemory,
} from './generation-threads.js';
import { AttemptBegun, AttemptEnded, type AttemptOutcome, ReplicaPassedOver } from './messages.js';

/** How soon a running attempt notices that it has been cancelled or given to another worker. */
const WATCH_MS = 400;
/** Attempts that ended without a word from their worker, before the report is taken for the cause. */
const LOST_LIMIT = 20;

/** How a thread's work ended, its farm's records being booked and read from where they can be. */
type Ended = Exclude<GenerationOutcome, { outcome: 'unsettled' | 'passed over' }>;

/** Why an attempt was stopped from outside. */
type Stop = 'ended elsewhere' | 'time limit' | 'shutting down';

/** How an attempt ended; with an error it is handed back to the queue. */
interface End {
  readonly outcome: AttemptOutcome;
  readonly manifest?: ReportManifest;
  readonly error?: Error;
}

/** The attempt was not the report's fault; another process shall have it. */
class HandedBack extends Error {}

/** Turns jobs into reports: one attempt a job, from start to its completion or failure. Only where ROLE has a worker. */
@Injectable()
export class Generation implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Generation');
  private readonly running = new Set<AbortController>();
  private threads: GenerationThreads | undefined;

  constructor(
    private readonly config: Config,
    private readonly queue: GenerationQueue,
    private readonly catalogue: Catalogue,
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly artifacts: PostgresArtifacts,
    private readonly database: Database,
    private readonly events: EventBus,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.ROLE === 'api') return;
    this.threads = new GenerationThreads(this.config);
    await this.queue.generate((job) => this.tracedAttempt(job));
  }

  /** Lets running reports finish; what does not is handed back without counting as a failure. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.queue.takeNoMore();
    const deadline = setTimeout(
      () => this.running.forEach((attempt) => attempt.abort('shutting down' satisfies Stop)),
      this.config.GENERATION_DRAIN_SECONDS * 1000,
    );
    await this.queue.settled();
    clearTimeout(deadline);
    await this.threads?.close();
  }

  private tracedAttempt(job: GenerationJob): Promise<void> {
    const { reportId, traceparent } = job;
    const context = { reportId, ...(traceparent !== undefined && { traceparent }) };
    return traced('generate report', 'consumer', context, {}, () => this.attempt(job));
  }

  private async attempt({ reportId }: GenerationJob): Promise<void> {
    const attempt = await this.commands.execute(new StartGeneration(reportId));
    if (!attempt) return;
    if (attempt.attempt > LOST_LIMIT && attempt.attempt - (await this.failures(attempt)) > LOST_LIMIT) {
      await this.fail(attempt, `its workers were lost ${LOST_LIMIT} times`, 'lost too often', false);
      return;
    }
    const waitedSeconds = attempt.attempt === 1 ? (Date.now() - attempt.requestedAt) / 1000 : undefined;
    this.events.publish(new AttemptBegun(waitedSeconds, attempt.recovered));
    const begun = performance.now();
    const end = await this.runToEnd(attempt).catch((error: unknown): End => ({
      outcome: 'handed_back',
      error: error as Error,
    }));
    const seconds = (performance.now() - begun) / 1000;
    this.events.publish(new AttemptEnded(attempt.generator, end.outcome, seconds, end.manifest));
    if (!end.error) return;
    this.log.log({ reportId, attempt: attempt.attempt, err: end.error }, 'an attempt was handed back');
    // The queue makes another attempt of what ends with an error.
    throw end.error;
  }

  private async runToEnd(attempt: GenerationAttempt): Promise<End> {
    const stopped = new AbortController();
    this.running.add(stopped);
    try {
      return await this.settle(attempt, await this.run(attempt, stopped));
    } catch (error) {
      return { outcome: await this.ended(attempt, stopped.signal, error as Error) };
    } finally {
      this.running.delete(stopped);
    }
  }

  private async run(attempt: GenerationAttempt, stopped: AbortController): Promise<Ended> {
    const limit = setTimeout(
      () => stopped.abort('time limit' satisfies Stop),
      this.config.GENERATION_TIME_LIMIT * 1000,
    );
    const watch = setInterval(() => void this.stopWhenEnded(attempt, stopped), WATCH_MS);
    try {
      return await this.generate(await this.taskOf(attempt), stopped.signal);
    } finally {
      clearTimeout(limit);
      clearInterval(watch);
    }
  }

  /**
   * A thread can only read; what an import left unbooked is booked here, and the thread reads again. What the replica cannot do the
   * primary can. Either time the thread reads from the primary and begins its content anew.
   */
  private async generate(first: GenerationTask, signal: AbortSignal): Promise<Ended> {
    const { reportId, attempt, farmId } = first;
    // What does not reach the database is told again a second later.
    const progress = (rows: number) =>
      void this.commands.execute(new NoteProgress(reportId, attempt, rows)).catch(() => undefined);
    for (let task = first; ; task = { ...first, replicaAt: undefined }) {
      const result = await (this.threads as GenerationThreads).run(task, signal, progress);
      if (result.outcome === 'unsettled') await this.commands.execute(new SettleFarm(farmId));
      else if (result.outcome === 'passed over') this.passOver(reportId, attempt, result.cause);
      else return result;
      await this.artifacts.discard(first);
    }
  }

  private passOver(reportId: string, attempt: number, cause: string): void {
    this.log.log({ reportId, attempt, cause }, 'made from the primary, not the replica');
    this.events.publish(new ReplicaPassedOver(reportId));
  }

  private async taskOf({
    reportId,
    attempt,
    request,
    generator,
    period,
  }: GenerationAttempt): Promise<GenerationTask> {
    const entry = this.catalogue.find(generator);
    if (!entry) throw new Error(`there is no report type ${generator}`);
    const farmId = request.tenantId;
    const key = { bucket: bucketOf(farmId), reportId, attempt };
    return {
      ...key,
      farmId,
      type: generator,
      source: entry.source,
      period,
      traceparent: workContext.getStore()?.traceparent,
      pass: await issuePass(this.database, farmId, key, this.config.GENERATION_TIME_LIMIT),
      replicaAt: await this.replicaAt(attempt),
    };
  }

  /** Taken after the report was asked for, so that it shows all that was there then. Whatever was wrong the first time, the primary does it. */
  private async replicaAt(attempt: number): Promise<string | undefined> {
    return this.config.DATABASE_REPLICA_URL !== undefined && attempt === 1
      ? logPosition(this.database)
      : undefined;
  }

  private async settle(attempt: GenerationAttempt, result: Ended): Promise<End> {
    switch (result.outcome) {
      case 'written': {
        const { reportId, attempt: number } = attempt;
        const accepted = await this.commands.execute(
          new CompleteGeneration(reportId, number, result.manifest),
        );
        return accepted
          ? { outcome: 'completed', manifest: result.manifest }
          : { outcome: await this.discard(attempt) };
      }
      case 'refused':
        return { outcome: await this.fail(attempt, result.reason, result.reason, false) };
      case 'failed':
        return {
          outcome: await this.fail(attempt, 'the generator of this report type failed', result.cause),
        };
      case 'lost':
        throw new HandedBack(result.cause);
    }
  }

  private async ended(
    attempt: GenerationAttempt,
    signal: AbortSignal,
    error: Error,
  ): Promise<AttemptOutcome> {
    switch (signal.reason as Stop | undefined) {
      case 'ended elsewhere':
        return this.discard(attempt);
      case 'time limit':
        return this.fail(
          attempt,
          `it took longer than ${this.config.GENERATION_TIME_LIMIT} seconds`,
          'time limit',
        );
      case 'shutting down':
        throw new HandedBack('the process is shutting down');
      default:
        if (!(error instanceof OutOfMemory)) throw error;
        return this.fail(
          attempt,
          `it needed more than ${this.config.GENERATION_MEMORY_LIMIT} MB of memory`,
          'out of memory',
        );
    }
  }

  /** `reason` is for the caller, `cause` for the log. The event's projection enqueues the next attempt. */
  private async fail(
    attempt: GenerationAttempt,
    reason: string,
    cause: string,
    again = true,
  ): Promise<AttemptOutcome> {
    const { reportId, attempt: number, generator } = attempt;
    const retrying = again && (await this.failures(attempt)) + 1 < this.config.GENERATION_ATTEMPTS;
    this.log[retrying ? 'log' : 'warn'](
      { reportId, attempt: number, type: generator, retrying, cause },
      'an attempt at a report failed',
    );
    await this.artifacts.discard(keyOf(attempt));
    await this.commands.execute(new FailGeneration(reportId, number, reason, retrying));
    return retrying ? 'retrying' : 'failed';
  }

  private async discard(attempt: GenerationAttempt): Promise<AttemptOutcome> {
    await this.artifacts.discard(keyOf(attempt));
    return 'void';
  }

  private async failures(attempt: GenerationAttempt): Promise<number> {
    return (await this.history(attempt)).filter((event) => event.type === 'ReportGenerationFailed').length;
  }

  private async stopWhenEnded(attempt: GenerationAttempt, stopped: AbortController): Promise<void> {
    const history = await this.history(attempt).catch(() => []);
    if (history.some((event) => endsAttempt(event, attempt.attempt)))
      stopped.abort('ended elsewhere' satisfies Stop);
  }

  private async history({ reportId, request }: GenerationAttempt): Promise<ReportEvent[]> {
    const recorded = await this.store.read({ bucket: bucketOf(request.tenantId), streamId: reportId });
    return recorded.map(({ event }) => event as ReportEvent);
  }
}

function endsAttempt(event: ReportEvent, attempt: number): boolean {
  return (
    event.type === 'ReportCancelled' || (event.type === 'ReportGenerationStarted' && event.attempt > attempt)
  );
}

function keyOf({ reportId, attempt, request }: GenerationAttempt) {
  return { bucket: bucketOf(request.tenantId), reportId, attempt };
}
