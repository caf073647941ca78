import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { Config } from '../config.js';
import { EmbeddedPostgres } from '../database/embedded/index.js';
import { migrate } from '../database/migrations.js';

/** A run's data is gone with the run; nothing waits for a disk. */
const FORGETFUL = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
/** Held by the run that makes or copies the template. */
const TEMPLATE_LOCK = 7_726_871_044;
const MIGRATIONS = new URL('../../migrations/', import.meta.url);

export interface TestDatabase {
  readonly url: string;
  leave(): Promise<void>;
}

/**
 * A migrated database of a test run's own on a real PostgreSQL, which the runs of a folder share and the last one stops. Its files
 * stay in node_modules/.cache, so that only the first run has to make them.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const folder = join(process.cwd(), 'node_modules', '.cache', 'muster-kit');
  const server = await EmbeddedPostgres.join(
    Object.assign(new Config(), { MUSTER_DATA_DIR: folder }),
    FORGETFUL,
  );
  const name = `farms_${process.pid}_${randomBytes(4).toString('hex')}`;
  await administer(server.url, async (admin) => {
    // Until the connection ends: a database is not copied while somebody migrates it.
    await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${await template(admin, server.url)}`);
  });
  return {
    url: named(server.url, name),
    leave: async () => {
      await administer(server.url, (admin) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      await server.leave();
    },
  };
}

/** The migrated database that others are copied from. One of other migrations, and what killed runs have left, goes. */
async function template(admin: Client, url: string): Promise<string> {
  const wanted = `muster_${await migrationsDigest()}`;
  const { rows } = await admin.query<{ name: string }>('SELECT datname AS name FROM pg_database');
  const names = rows.map(({ name }) => name);
  for (const name of names.filter((one) => isLeftOver(one) || (one.startsWith('muster_') && one !== wanted)))
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  if (!names.includes(wanted)) await admin.query(`CREATE DATABASE ${wanted}`);
  await migrate(named(url, wanted));
  return wanted;
}

async function migrationsDigest(): Promise<string> {
  const digest = createHash('sha256');
  for (const file of (await readdir(MIGRATIONS)).toSorted())
    digest.update(await readFile(new URL(file, MIGRATIONS)));
  return digest.digest('hex').slice(0, 16);
}

/** Of a run that was killed. */
function isLeftOver(name: string): boolean {
  const pid = Number(/^farms_(\d+)_/.exec(name)?.[1]);
  if (!pid) return false;
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

async function administer(url: string, work: (admin: Client) => Promise<unknown>): Promise<void> {
  const admin = new Client({ connectionString: url, application_name: 'muster kit' });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function named(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: database }).href;
}
