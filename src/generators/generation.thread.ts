import { parentPort, threadId } from 'node:worker_threads';
import type { Client } from 'pg';
import { workerData } from 'piscina';
import { FarmUnsettled, openFarmRecords } from '../farm-records/open-farm-records.js';
import type { ReportManifest } from '../reports/index.js';
import type {
  GenerationOutcome,
  GenerationTask,
  Progress,
  TakenUp,
  ThreadSettings,
} from './generation-threads.js';
import { traced, tracer, useTracer } from '../operations/tracing/tracer.js';
import { FORMATS } from './formats/index.js';
import { SelfCheckFailed } from './generator.js';
import { openArtifact } from './postgres-artifacts.js';
import { writeReport } from './report-writer.js';
import { type Reading, Replica, ReplicaPassedOver, ServerConnections } from './thread-connections.js';
import { loadGenerator, showPass, withRecords } from './thread-task.js';

const { databaseUrl, replicaUrl, tracing } = workerData as ThreadSettings;

if (tracing) {
  const { startTracing } = await import('../operations/tracing/start-tracing.js');
  useTracer(startTracing(tracing));
}

const PROGRESS_MS = 1_000;

const primary = new ServerConnections(databaseUrl);
const replica = replicaUrl === undefined ? undefined : new Replica(replicaUrl);

/** Makes one report in this thread. The entry that the pool of threads calls. */
export async function generate(task: GenerationTask): Promise<GenerationOutcome> {
  const { reportId, traceparent } = task;
  parentPort?.postMessage({ reportId, threadId } satisfies TakenUp);
  const context = { reportId, ...(traceparent !== undefined && { traceparent }) };
  return traced(`make ${task.type}`, 'internal', context, {}, () => make(task));
}

/** Sends on what this thread has traced. */
export async function flush(): Promise<void> {
  await tracer()?.flush();
}

async function make(task: GenerationTask): Promise<GenerationOutcome> {
  const from = task.replicaAt === undefined ? undefined : replica;
  try {
    const reading = await (from ? from.readingAt(task.replicaAt as string) : primary.reading());
    const artifacts = await primary.connection('generation artifacts');
    for (const client of [reading.records, reading.copies, artifacts]) await showPass(client, task.pass);
    return { outcome: 'written', manifest: await write(task, reading, artifacts) };
  } catch (error) {
    const outcome = outcomeOf(error as Error, from !== undefined);
    if (outcome.outcome === 'passed over') await from?.rest();
    await Promise.all([primary.end(), replica?.end()]);
    return outcome;
  }
}

async function write(task: GenerationTask, reading: Reading, artifacts: Client): Promise<ReportManifest> {
  const { records, copies } = reading;
  const generator = await loadGenerator(task.type, task.source);
  const { title, version, columns } = generator.declaration;
  const heading = { type: task.type, farm: task.farmId, period: task.period, title, columns };
  const artifact = await openArtifact(artifacts, task);
  const snapshot = await openFarmRecords(records, task.farmId, copies);
  const warnings = new Set<string>();
  const rows = new generator.class().rows({
    farmId: task.farmId,
    period: withRecords(task.period),
    records: snapshot,
    warn: (text) => void warnings.add(text),
  });
  const progress = tellProgress(task.reportId);
  const written = await writeReport(heading, rows, warnings, artifact, FORMATS, progress);
  await reading.commit();
  return {
    generator: task.type,
    generatorVersion: version,
    recordsPosition: String(snapshot.position),
    ...written,
    warnings: warnings.size,
  };
}

/** Once a second. */
function tellProgress(reportId: string): (rows: number) => void {
  let told = performance.now();
  return (rows) => {
    if (performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    parentPort?.postMessage({ reportId, rows } satisfies Progress);
  };
}

/** Connection exceptions, shutdowns, a server out of space, memory or connections, and cut sockets. */
const LOST = /^(08|57P0|53|25P03|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/;

/** What a replica answers a statement that stands in the way of what it has to replay. */
const IN_THE_WAY = /^40(001|P01)$/;

function outcomeOf(error: Error, isReplica: boolean): GenerationOutcome {
  const cause = error.stack ?? error.message;
  if (error instanceof ReplicaPassedOver) return { outcome: 'passed over', cause: error.message };
  if (error instanceof FarmUnsettled) return { outcome: 'unsettled' };
  if (error instanceof SelfCheckFailed) return { outcome: 'refused', reason: error.message };
  if (isReplica && causes(error).some((one) => isLost(one) || IN_THE_WAY.test(one.code ?? '')))
    return { outcome: 'passed over', cause };
  return { outcome: isLost(error) ? 'lost' : 'failed', cause };
}

type Fault = Error & { readonly code?: string };

function isLost({ code, message }: Fault): boolean {
  return (
    LOST.test(code ?? '') || /^Connection terminated|^Client has encountered a connection error/.test(message)
  );
}

/** The error and what it says it comes from: generators of others may throw errors of their own. */
function causes(error: Error): Fault[] {
  return error.cause instanceof Error ? [error, ...causes(error.cause)] : [error];
}
