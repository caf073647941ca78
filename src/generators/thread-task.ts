import { observed } from '../database/observed-statements.js';
import { Client } from 'pg';
import { LAST_DAY } from '../farm-records/reader.js';
import type { GeneratorSource } from './catalogue.js';
import type { GenerationPeriod } from './generator.js';
import { declarationOf, type GeneratorClass, type ReportTypeDeclaration } from './report-generator.js';
import { offerKit } from './report-modules.js';

/** What threads that run generators have in common. */

/** The class of a report type, loaded in this thread, and what it says of itself. */
export async function loadGenerator(
  type: string,
  { moduleUrl, exportName }: GeneratorSource,
): Promise<{ class: GeneratorClass; declaration: ReportTypeDeclaration }> {
  offerKit();
  const module = (await import(moduleUrl)) as Record<string, GeneratorClass>;
  const found = module[exportName];
  const declaration = declarationOf(found);
  if (!found || !declaration) throw new Error(`${moduleUrl} no longer has ${type}`);
  return { class: found, declaration };
}

/** A connection of the thread's own. `lost` is told when it breaks; with `withinMs` it is not waited for longer. */
export async function connectThread(
  databaseUrl: string,
  purpose: string,
  lost: () => void,
  withinMs = 0,
): Promise<Client> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: `muster ${purpose}`,
    keepAlive: true,
    connectionTimeoutMillis: withinMs,
  });
  client.on('error', lost);
  observed(client);
  await client.connect();
  // Ends the query of a thread that is gone. Not every platform of PostgreSQL can; there the query ends by itself.
  await client.query(`SET client_connection_check_interval = '500ms'`).catch(() => undefined);
  return client;
}

/** Opens to a thread's connection what the pass names (migration 140). */
export async function showPass(client: Client, pass: string): Promise<void> {
  await client.query(`SELECT set_config('muster.generation_pass', $1, false)`, [pass]);
}

/** Up to the last day that records can have: a period may go on to the end of time, where no calendar can add a day. */
export function withRecords({ start, end, timeZone }: GenerationPeriod): GenerationPeriod {
  const clamped = (day: string) => (day.startsWith('+') || day > LAST_DAY ? LAST_DAY : day);
  return { start: clamped(start), end: clamped(end), timeZone };
}
