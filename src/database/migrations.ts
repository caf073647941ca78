import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { owningDataSource } from './data-source.js';
import type { Sql } from './database.js';
import { makeGenerationLogin } from './generation-login.js';
import { installQueues, JOB_SCHEMA } from './queues.js';

const FOLDER = new URL('../../migrations/', import.meta.url);
const FILE = /^(\d{3})-[a-z0-9-]+(\.breaking)?\.sql$/;

/** Locks of PostgreSQL are numbers that a database's users agree on; this one is held by whoever migrates. */
const MIGRATION_LOCK = 7_726_871_001;

/** What the database lacks of the migrations this code comes with, and what it has beyond them. */
export interface SchemaState {
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
}

export class SchemaMismatch extends Error {}

type MigrationClass = new () => MigrationInterface & { readonly name: string };

/**
 * Brings the database that `url` names to the newest schema, as the owner of its tables, and answers the names of the
 * migrations applied. Any number of processes may call it at once: one works, the others wait and find nothing to do.
 * With `generationUrl` the login it names is made, or given its password, too. Migrations only go forward, each in a transaction of its own; the first that fails ends the run and names itself.
 */
export async function migrate(url: string, generationUrl?: string): Promise<string[]> {
  const guard = new Client({ connectionString: url, application_name: 'muster migrate' });
  await guard.connect();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await applyPending(url);
    await installQueues(url);
    await grantJobs(guard);
    if (generationUrl) await makeGenerationLogin(guard, generationUrl);
    return applied;
  } finally {
    await guard.end();
  }
}

/** Compares the migrations applied with the files of this code. */
export async function schemaState(sql: Sql): Promise<SchemaState> {
  const expected = (await migrationFiles()).map(recordedName);
  const { rows: made } = await sql.query(
    `SELECT FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = 'migration'`,
  );
  const { rows } =
    made.length > 0
      ? await sql.query<{ name: string }>('SELECT name FROM migration ORDER BY timestamp')
      : { rows: [] };
  const applied = new Set(rows.map(({ name }) => name));
  return {
    missing: expected.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !expected.includes(name)),
  };
}

/**
 * Throws SchemaMismatch unless this code can serve the database: every migration of ours is applied, and those we do not
 * know, of a newer release, leave older code working (their file does not end in `.breaking.sql`).
 */
export async function requireSchema(sql: Sql): Promise<void> {
  const { missing, unknown } = await schemaState(sql);
  const breaking = unknown.filter((name) => name.includes('.breaking-'));
  if (breaking.length > 0)
    throw new SchemaMismatch(
      `The database was changed by a newer release in a way this one cannot serve (${breaking.join(', ')}): start the newer release`,
    );
  if (missing.length > 0)
    throw new SchemaMismatch(
      `The database lacks ${missing.length} migrations (${missing[0]}…): run muster migrate first`,
    );
}

async function applyPending(url: string): Promise<string[]> {
  const dataSource = owningDataSource(url, await Promise.all((await migrationFiles()).map(migrationOf)));
  await dataSource.initialize();
  try {
    return (await dataSource.runMigrations()).map(({ name }) => name.replace(/-\d{13}$/, ''));
  } finally {
    await dataSource.destroy();
  }
}

async function migrationFiles(): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  const misnamed = files.find((file) => !FILE.test(file));
  if (misnamed) throw new Error(`migrations/${misnamed} is not named <nnn>-<idea>.sql`);
  return files;
}

/** TypeORM orders by a timestamp that ends the name, 13 digits; ours stands for the file's number. */
function recordedName(file: string): string {
  return `${file.slice(0, -'.sql'.length)}-${1_000_000_000_000 + Number(file.slice(0, 3))}`;
}

async function migrationOf(file: string): Promise<MigrationClass> {
  const statements = await readFile(new URL(file, FOLDER), 'utf8');
  return class {
    readonly name = recordedName(file);

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(statements).catch((cause: unknown) => {
        throw new Error(`migrations/${file}: ${(cause as Error).message}`, { cause });
      });
    }

    down(): Promise<void> {
      throw new Error('Migrations only go forward');
    }
  };
}

/** After every upgrade of pg-boss, whose new tables would otherwise be closed to the service. */
async function grantJobs(owner: Client): Promise<void> {
  await owner.query(`
    GRANT USAGE ON SCHEMA ${JOB_SCHEMA} TO muster_service;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${JOB_SCHEMA} TO muster_service;
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${JOB_SCHEMA} TO muster_service;
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${JOB_SCHEMA} TO muster_service`);
}
