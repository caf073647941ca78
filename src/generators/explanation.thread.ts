import type { Client } from 'pg';
import { workerData } from 'piscina';
import { FarmUnsettled, openFarmRecords } from '../farm-records/open-farm-records.js';
import type { ExplainedRow } from '../reports/index.js';
import type { GeneratorSource } from './catalogue.js';
import { explainRow, type RowQuestion } from './explain-row.js';
import type { GenerationPeriod } from './generator.js';
import { ServerConnections } from './thread-connections.js';
import { loadGenerator, showPass, withRecords } from './thread-task.js';

const { databaseUrl } = workerData as { databaseUrl: string };

/** A row that somebody asks about, as a thread needs to know it. */
export interface ExplanationTask {
  readonly farmId: string;
  readonly type: string;
  readonly source: GeneratorSource;
  readonly period: GenerationPeriod;
  readonly question: RowQuestion;
  /** Opens the records of the farm to the thread's connection (migration 140). */
  readonly pass: string;
}

/** `unsettled`: the farm's records have to be booked first. */
export type ExplanationOutcome = ExplainedRow | 'not said' | 'unsettled';

const connections = new ServerConnections(databaseUrl);

/** Explains one row in this thread. The entry that the pool of threads calls. */
export async function explain(task: ExplanationTask): Promise<ExplanationOutcome> {
  try {
    const client = await connections.connection('explanation');
    await showPass(client, task.pass);
    return (await answer(client, task)) ?? 'not said';
  } catch (error) {
    await connections.end();
    if (error instanceof FarmUnsettled) return 'unsettled';
    throw error;
  }
}

async function answer(client: Client, task: ExplanationTask): Promise<ExplainedRow | undefined> {
  const { farmId, question } = task;
  const { class: generator } = await loadGenerator(task.type, task.source);
  const records = await openFarmRecords(client, farmId);
  const input = { farmId, period: withRecords(task.period), records, warn: () => undefined };
  const explained = await explainRow(new generator(), input, question);
  // Cursors that were left before their end are closed with the transaction.
  await client.query('ROLLBACK');
  return explained;
}
