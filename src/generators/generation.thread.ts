import { parentPort, threadId } from 'node:worker_threads';
import type { Client } from 'pg';
import { workerData } from 'piscina';
import { FarmUnsettled, openFarmRecords } from '../farm-records/open-farm-records.js';
import type { ReportManifest } from '../reports/index.js';
import type { GenerationOutcome, GenerationTask, Progress, TakenUp } from './generation-threads.js';
import type { TracingSettings } from '../operations/tracing/start-tracing.js';
import { traced, tracer, useTracer } from '../operations/tracing/tracer.js';
import { FORMATS } from './formats/index.js';
import { SelfCheckFailed } from './generator.js';
import { openArtifact } from './postgres-artifacts.js';
import { writeReport } from './report-writer.js';
import { connectThread, loadGenerator, showPass, withRecords } from './thread-task.js';

const { databaseUrl, tracing } = workerData as { databaseUrl: string; tracing?: TracingSettings };

if (tracing) {
  const { startTracing } = await import('../operations/tracing/start-tracing.js');
  useTracer(startTracing(tracing));
}

const PROGRESS_MS = 1_000;

/** What a thread holds open from report to report. */
interface Connections {
  readonly records: Client;
  readonly artifacts: Client;
  /** Sends long results; made anew after a report that did not want all of one. */
  copies: Client | undefined;
}

let connections: Promise<Connections> | undefined;

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
  try {
    connections ??= connect();
    const open = await connections;
    const copies = (open.copies ??= await connectCopies(open));
    for (const client of [open.records, open.artifacts, copies]) await showPass(client, task.pass);
    return { outcome: 'written', manifest: await write(task, open, copies) };
  } catch (error) {
    await disconnect();
    return outcomeOf(error as Error);
  }
}

async function write(task: GenerationTask, open: Connections, copies: Client): Promise<ReportManifest> {
  const { records, artifacts } = open;
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
  await records.query('COMMIT');
  await open.copies?.query('COMMIT');
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

async function connect(): Promise<Connections> {
  const [records, artifacts] = await Promise.all(
    ['records', 'artifacts'].map((what) =>
      connectThread(databaseUrl, `generation ${what}`, () => void disconnect()),
    ) as [Promise<Client>, Promise<Client>],
  );
  // What is committed here is flushed at the latest with the report's completion, which comes later in the same log.
  await artifacts.query('SET synchronous_commit = off');
  return { records, artifacts, copies: undefined };
}

async function connectCopies(open: Connections): Promise<Client> {
  const copies = await connectThread(databaseUrl, 'generation copies', () => undefined);
  copies.once('end', () => (open.copies = undefined));
  return copies;
}

async function disconnect(): Promise<void> {
  const open = await connections?.catch(() => undefined);
  connections = undefined;
  await Promise.all([
    open?.records.end().catch(() => undefined),
    open?.artifacts.end().catch(() => undefined),
    open?.copies?.end().catch(() => undefined),
  ]);
}

/** Connection exceptions, shutdowns, a server out of space, memory or connections, and cut sockets. */
const LOST = /^(08|57P0|53|25P03|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/;

function outcomeOf(error: Error & { code?: string }): GenerationOutcome {
  if (error instanceof FarmUnsettled) return { outcome: 'unsettled' };
  if (error instanceof SelfCheckFailed) return { outcome: 'refused', reason: error.message };
  const lost =
    LOST.test(error.code ?? '') ||
    /^Connection terminated|^Client has encountered a connection error/.test(error.message);
  return { outcome: lost ? 'lost' : 'failed', cause: error.stack ?? error.message };
}
