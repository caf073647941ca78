import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { type FreshDatabase, freshDatabase, openDatabase } from '../../test/support/database.js';
import { until } from '../../test/support/until.js';
import { servingUrl } from './connection-urls.js';
import { servingOptions } from './data-source.js';
import { Database } from './database.js';

let fresh: FreshDatabase;
let dataSource: DataSource;
let database: Database;
let idleErrors: Error[];

beforeEach(async () => {
  fresh = await freshDatabase();
  idleErrors = [];
  dataSource = await new DataSource(
    servingOptions({
      url: fresh.url,
      poolSize: 2,
      statementSeconds: 60,
      applicationName: 'muster spec',
      onIdleError: (error) => idleErrors.push(error),
    }),
  ).initialize();
  database = new Database((dataSource.driver as unknown as { master: Pool }).master);
});

afterEach(async () => {
  await dataSource.destroy();
  await fresh.drop();
});

it('serves in its own role, under its own name', async () => {
  const { rows } = await database.query(
    `SELECT current_user AS role, current_setting('application_name') AS name`,
  );
  expect(rows).toEqual([{ role: 'muster_service', name: 'muster spec' }]);
});

it('keeps the settings that an address carries itself', () => {
  const serving = new URL(
    servingUrl('postgres://host/db?options=-c%20statement_timeout%3D5s&sslmode=require'),
  );
  expect(serving.searchParams.get('options')).toMatch(/^-c role=muster_service .*-c statement_timeout=5s$/);
  expect(serving.searchParams.get('sslmode')).toBe('require');
});

it('rolls back what throws and gives the connection back', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.query('CREATE TEMPORARY TABLE half_done ()');
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect((await database.query(`SELECT to_regclass('half_done') AS found`)).rows).toEqual([{ found: null }]);
});

it('survives connections that break, idle or in a transaction, and goes on with new ones', async () => {
  const outage = database.transaction(async (tx) => {
    await tx.query('SELECT 1');
    await endConnections();
    return tx.query('SELECT 2');
  });
  await expect(outage).rejects.toThrow();
  expect((await database.query('SELECT 3 AS three')).rows).toEqual([{ three: 3 }]);
  await endConnections();
  await until('the pool hears of it', () => idleErrors.length > 0);
  expect((await database.query('SELECT 4 AS four')).rows).toEqual([{ four: 4 }]);
});

async function endConnections(): Promise<void> {
  const owner = openDatabase(fresh.ownerUrl);
  await owner.database.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'muster spec'`,
  );
  await owner.close();
}
