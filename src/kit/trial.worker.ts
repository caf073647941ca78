import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { Client } from 'pg';
import { fetching } from '../farm-records/snapshot-sql.js';
import { declarationFaults, entriesOf } from '../generators/catalogue.js';
import type { GeneratorClass } from '../generators/report-generator.js';
import { offerKit } from '../generators/report-modules.js';
import { liveInAnotherTime } from './another-time.js';
import { beginReport, makeReport } from './trial.js';
import type { Measured, ReportTask, Task, Told } from './trial-tasks.js';

/** Rows between two looks at the memory, each of which collects all garbage. */
const LOOK_EVERY_ROWS = 100;
const ROWS_READ_AT_ONCE = 50;

offerKit();
if (!parentPort) liveInAnotherTime();

/** A thread or a process of its own that tries report types out: what a test's own thread must not do, or could not end. */
function say(told: Told): void {
  if (parentPort) parentPort.postMessage(told);
  else process.send?.(told);
}

async function take(task: Task): Promise<void> {
  try {
    say({ id: task.id, result: await perform(task) });
  } catch (error) {
    say({ id: task.id, error: (error as Error).message });
  }
}

function perform(task: Task): Promise<unknown> {
  switch (task.do) {
    case 'describe':
      return describe(task.moduleUrl);
    case 'make':
      return withReport(task, (client, generator) => makeReport(client, generator, task.farmId, task.days));
    case 'measure':
      return withReport(task, (client, generator) => measure(client, generator, task));
    case 'run':
      return withReport(task, (client, generator) => run(client, generator, task));
  }
}

async function describe(moduleUrl: string) {
  return (await entriesOf(moduleUrl)).map(({ declaration, source }) => ({
    declaration,
    source,
    faults: declarationFaults(declaration),
  }));
}

async function withReport<T>(
  task: ReportTask,
  work: (client: Client, generator: GeneratorClass) => Promise<T>,
): Promise<T> {
  const module = (await import(task.source.moduleUrl)) as Record<string, GeneratorClass>;
  const client = new Client({
    connectionString: task.databaseUrl,
    application_name: task.connection ?? 'muster trial',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SET client_connection_check_interval = '500ms'`).catch(() => undefined);
    return await work(client, module[task.source.exportName] as GeneratorClass);
  } finally {
    await client.end();
  }
}

/** Live bytes are what is held when all garbage is collected, at the worst moment between two batches. */
async function measure(client: Client, generator: GeneratorClass, task: ReportTask): Promise<Measured> {
  fetching.rowsAtOnce = ROWS_READ_AT_ONCE;
  const { rows } = await beginReport(client, generator, task.farmId, task.days);
  const collectGarbage = garbageCollector();
  const measured = { rows: 0, largestBatch: 0, liveBytes: 0 };
  let next = 0;
  for await (const batch of rows) {
    measured.rows += batch.length;
    measured.largestBatch = Math.max(measured.largestBatch, batch.length);
    if (measured.rows < next) continue;
    next = measured.rows + LOOK_EVERY_ROWS;
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    measured.liveBytes = Math.max(measured.liveBytes, heapUsed + arrayBuffers);
  }
  return measured;
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** Says when it begins and when rows come, so that it can be stopped there. */
async function run(client: Client, generator: GeneratorClass, task: ReportTask): Promise<void> {
  const { rows } = await beginReport(client, generator, task.farmId, task.days);
  say({ id: task.id, reached: 'begin' });
  let first = true;
  for await (const _ of rows) {
    if (first) say({ id: task.id, reached: 'rows' });
    first = false;
  }
}

if (parentPort) parentPort.on('message', (task: Task) => void take(task));
else process.on('message', (task: Task) => void take(task));
