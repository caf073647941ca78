import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { Client, Pool } from 'pg';
import { servingUrl } from '../../src/database/connection-urls.js';
import { Database } from '../../src/database/database.js';

export interface FreshDatabase {
  /** As DATABASE_URL would say it: the service takes on its own role, `migrate` stays the owner. */
  readonly url: string;
  /** Acts as the owner of the tables whoever connects, for tests that break what the service cannot. */
  readonly ownerUrl: string;
  drop(): Promise<void>;
}

/** A migrated database without rows, of one test's own. It goes with the run's cluster at the latest. */
export function freshDatabase(): Promise<FreshDatabase> {
  return createDatabase('TEMPLATE muster_template');
}

/** A database that no migration has seen. */
export function emptyDatabase(): Promise<FreshDatabase> {
  return createDatabase('');
}

/** Another database with the same rows; nobody may be connected to the first. */
export function copyOf({ url }: FreshDatabase): Promise<FreshDatabase> {
  return createDatabase(`TEMPLATE ${new URL(url).pathname.slice(1)}`);
}

async function createDatabase(options: string): Promise<FreshDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} ${options}`);
  const url = new URL(clusterUrl());
  url.pathname = name;
  return {
    url: url.href,
    ownerUrl: `${url.href}?options=-c%20role%3Dnone`,
    drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** A fresh database for the tests of a file or of a `describe`, opened before them and dropped after; ask for it in a test. */
export function ownDatabase(poolSize?: number): () => Database {
  let fresh: FreshDatabase;
  let opened: ReturnType<typeof openDatabase>;
  beforeAll(async () => {
    fresh = await freshDatabase();
    opened = openDatabase(fresh.url, poolSize);
  });
  afterAll(async () => {
    await opened.close();
    await fresh.drop();
  });
  return () => opened.database;
}

/** Connections with the rights and settings of the service. */
export function openDatabase(url: string, poolSize = 10): { database: Database; close(): Promise<void> } {
  const pool = new Pool({ connectionString: servingUrl(url), max: poolSize });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { database: new Database(pool), close: () => pool.end() };
}

function clusterUrl(): string {
  const url = process.env.MUSTER_TEST_CLUSTER;
  if (!url) throw new Error('No cluster: test/support/global-setup.ts starts it, once per run');
  return url;
}

async function administer(statement: string): Promise<void> {
  const admin = new Client(clusterUrl());
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
