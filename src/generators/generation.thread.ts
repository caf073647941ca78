import { parentPort, threadId } from 'node:worker_threads';
import { Client } from 'pg';
import { workerData } from 'piscina';
import { FarmUnsettled, openFarmRecords } from '../farm-records/reader.js';
import type { ReportManifest } from '../reports/index.js';
import type { GenerationOutcome, GenerationTask, TakenUp } from './generation-threads.js';
import { FORMATS } from './formats/index.js';
import { type GenerationPeriod, SelfCheckFailed } from './generator.js';
import { openArtifact } from './postgres-artifacts.js';
import { declarationOf, type GeneratorClass } from './report-generator.js';
import { writeReport } from './report-writer.js';

const { databaseUrl } = workerData as { databaseUrl: string };

/** What a thread holds open from report to report. */
interface Connections {
  readonly records: Client;
  readonly artifacts: Client;
}

let connections: Promise<Connections> | undefined;

/** Makes one report in this thread. The entry that the pool of threads calls. */
export async function generate(task: GenerationTask): Promise<GenerationOutcome> {
  parentPort?.postMessage({ reportId: task.reportId, threadId } satisfies TakenUp);
  try {
    connections ??= connect();
    const open = await connections;
    for (const client of [open.records, open.artifacts])
      await client.query(`SELECT set_config('muster.generation_pass', $1, false)`, [task.pass]);
    return { outcome: 'written', manifest: await write(task, open) };
  } catch (error) {
    await disconnect();
    return outcomeOf(error as Error);
  }
}

async function write(task: GenerationTask, { records, artifacts }: Connections): Promise<ReportManifest> {
  const generator = await generatorOf(task);
  const { title, version, columns } = generator.declaration;
  const heading = { type: task.type, farm: task.farmId, period: task.period, title, columns };
  const artifact = await openArtifact(artifacts, task);
  const snapshot = await openFarmRecords(records, task.farmId);
  const warnings = new Set<string>();
  const rows = new generator.class().rows({
    farmId: task.farmId,
    period: withRecords(task.period),
    records: snapshot,
    warn: (text) => void warnings.add(text),
  });
  const written = await writeReport(heading, rows, warnings, artifact, FORMATS);
  await records.query('COMMIT');
  return {
    generator: task.type,
    generatorVersion: version,
    recordsPosition: String(snapshot.position),
    ...written,
    warnings: warnings.size,
  };
}

/** No record lies beyond; a period may go on to the end of time, where no calendar can add a day. */
const LAST_DAY = '2199-12-30';

function withRecords({ start, end, timeZone }: GenerationPeriod): GenerationPeriod {
  const clamped = (day: string) => (day.startsWith('+') || day > LAST_DAY ? LAST_DAY : day);
  return { start: clamped(start), end: clamped(end), timeZone };
}

async function generatorOf({ type, source }: GenerationTask) {
  const module = (await import(source.moduleUrl)) as Record<string, GeneratorClass>;
  const found = module[source.exportName];
  const declaration = declarationOf(found);
  if (!found || !declaration) throw new Error(`${source.moduleUrl} no longer has ${type}`);
  return { class: found, declaration };
}

async function connect(): Promise<Connections> {
  const [records, artifacts] = await Promise.all([open('records'), open('artifacts')]);
  // What is committed here is flushed at the latest with the report's completion, which comes later in the same log.
  await artifacts.query('SET synchronous_commit = off');
  return { records, artifacts };
}

async function open(purpose: string): Promise<Client> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: `muster generation ${purpose}`,
    keepAlive: true,
  });
  client.on('error', () => void disconnect());
  await client.connect();
  // Ends the query of a thread that is gone. Not every platform of PostgreSQL can; there the query ends by itself.
  await client.query(`SET client_connection_check_interval = '500ms'`).catch(() => undefined);
  return client;
}

async function disconnect(): Promise<void> {
  const open = await connections?.catch(() => undefined);
  connections = undefined;
  await Promise.all([
    open?.records.end().catch(() => undefined),
    open?.artifacts.end().catch(() => undefined),
  ]);
}

/** Connection exceptions, shutdowns, too many connections and cut sockets. */
const LOST = /^(08|57P0|53300|25P03|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/;

function outcomeOf(error: Error & { code?: string }): GenerationOutcome {
  if (error instanceof FarmUnsettled) return { outcome: 'unsettled' };
  if (error instanceof SelfCheckFailed) return { outcome: 'refused', reason: error.message };
  const lost =
    LOST.test(error.code ?? '') ||
    /^Connection terminated|^Client has encountered a connection error/.test(error.message);
  return { outcome: lost ? 'lost' : 'failed', cause: error.stack ?? error.message };
}
