import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import {
  emptyDatabase,
  type FreshDatabase,
  freshDatabase,
  openDatabase,
} from '../../test/support/database.js';
import { until } from '../../test/support/until.js';
import { migrate, requireSchema, SchemaMismatch, schemaState } from './migrations.js';

let fresh: FreshDatabase;
let opened: { close(): Promise<void> }[];

beforeEach(async () => {
  fresh = await freshDatabase();
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((pool) => pool.close()));
  await fresh.drop();
});

function open(url: string): ReturnType<typeof openDatabase>['database'] {
  const pool = openDatabase(url);
  opened.push(pool);
  return pool.database;
}

it('applies every file once when several processes start at the same moment', async () => {
  const empty = await emptyDatabase();
  const applied = await Promise.all([1, 2, 3].map(() => migrate(empty.url)));
  expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  expect(applied.flat()[0]).toBe('001-roles');
  await requireSchema(open(empty.url));
  await empty.drop();
});

it('gives the service the jobs but nothing of the schema', async () => {
  const service = open(fresh.url);
  await service.query(`UPDATE pgboss.queue SET updated_on = now() WHERE name = 'generate-report'`);
  await expect(service.query('CREATE TABLE own ()')).rejects.toThrow('permission denied');
  await expect(service.query('DELETE FROM migration')).rejects.toThrow('permission denied');
});

it('keeps the job of a report for as long as nobody makes it', async () => {
  const { rows } = await open(fresh.url).query<{ days: number }>(
    `SELECT retention_seconds / 86400 AS days FROM pgboss.queue WHERE name = 'generate-report'`,
  );
  expect(rows[0]?.days).toBeGreaterThan(3_000);
});

it('refuses to serve a database without its newest migration, and says what to run', async () => {
  const owner = open(fresh.ownerUrl);
  await owner.query('DELETE FROM migration WHERE id = (SELECT max(id) FROM migration)');
  expect((await schemaState(open(fresh.url))).missing).toHaveLength(1);
  await expect(requireSchema(open(fresh.url))).rejects.toThrow(/lacks 1 .*muster migrate/);
});

it('refuses to serve an empty database', async () => {
  const empty = await emptyDatabase();
  await expect(requireSchema(open(empty.ownerUrl))).rejects.toThrow(SchemaMismatch);
  await opened.pop()?.close();
  await empty.drop();
});

it('serves a database of a newer release, unless that release broke with ours', async () => {
  const owner = open(fresh.ownerUrl);
  await owner.query(
    `INSERT INTO migration (timestamp, name) VALUES (1000000000998, '998-a-column-1000000000998')`,
  );
  await requireSchema(open(fresh.url));
  await owner.query(
    `INSERT INTO migration (timestamp, name) VALUES (1000000000999, '999-a-split.breaking-1000000000999')`,
  );
  await expect(requireSchema(open(fresh.url))).rejects.toThrow(/newer release.*999-a-split.breaking/);
});

it('waits while another process migrates', async () => {
  const other = new Client(fresh.ownerUrl);
  await other.connect();
  const { rows } = await other.query<{ held: boolean }>('SELECT pg_try_advisory_lock(7726871001) AS held');
  expect(rows[0]?.held).toBe(true);
  let done = false;
  const migrating = migrate(fresh.url).then(() => (done = true));
  const waiting = `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS met`;
  await until('the other waits', async () => {
    const { rows: found } = await other.query<{ met: boolean }>(waiting);
    return found[0]?.met === true;
  });
  expect(done).toBe(false);
  await other.end();
  expect(await migrating).toBe(true);
});
