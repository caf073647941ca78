import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { embeddedGenerationUrl } from '../../src/database/index.js';
import type { StartedService } from '../support/service.js';
import { Ground } from './support/ground.js';
import { until } from '../support/until.js';
import type { OwnPostgres } from './support/own-postgres.js';

/** One thread, so that each test knows who reads where. */
const ALONE = { GENERATION_CONCURRENCY: '1' };
const PASSED_OVER = 'made from the primary, not the replica';

let ground: Ground;
let replica: OwnPostgres;
let api: StartedService;

beforeAll(async () => {
  ground = await Ground.open();
  replica = await ground.postgres.replica();
  api = await ground.start('api');
});

afterEach(() => ground.killAll('worker'));

afterAll(async () => {
  await replica?.remove();
  await ground?.close();
});

function startWorker(): Promise<StartedService> {
  return ground.start('worker', {
    ...ALONE,
    OPERATIONS_PORT: '0',
    DATABASE_REPLICA_URL: embeddedGenerationUrl(replica.url),
  });
}

async function farmWith(head: number): Promise<string> {
  const farm = await ground.farm();
  const lines = [{ species: 'Sheep', ageClass: 'ewe', mobId: 'm1', head, value: '100' }];
  const meta = { source: 'test', sourceId: 'o1', modified: '2024-07-01T00:00:00Z' };
  const stock = { resourceType: 'OpeningStock', date: '2024-07-01', lines, id: 'o1', meta };
  const told = await ground.send(api.url, 'POST', `/v2/farms/${farm}/records`, [stock]);
  expect(told.status).toBe(200);
  return farm;
}

async function ask(farm: string, type = 'livestock-reconciliation.v3'): Promise<string> {
  return ground.createForSure(() => api.url, type, farm);
}

/** The content once it is made, at the first attempt. */
async function content(id: string): Promise<string> {
  await ground.allEnded();
  expect(await ground.life(id)).toEqual(['ReportRequested', 'ReportGenerationStarted', 'ReportCompleted']);
  return (await ground.send(api.url, 'GET', `/v2/report/${id}/download`)).body as string;
}

async function readers(postgres: OwnPostgres): Promise<number> {
  const [row] = await postgres.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'muster generation records'`,
  );
  return Number(row?.count);
}

/** How long what reads at the replica may hold up what it replays. */
async function replayWaitsFor(longest: string): Promise<void> {
  await replica.query(`ALTER SYSTEM SET max_standby_streaming_delay = '${longest}'`);
  await replica.query('SELECT pg_reload_conf()');
}

async function theThreadWaits(): Promise<void> {
  await until('the thread looks how far the replica is', async () => (await readers(replica)) === 1);
}

it('a report of records that were just imported waits for the replica to have them, and is read there', async () => {
  const worker = await startWorker();
  await replica.query('SELECT pg_wal_replay_pause()');
  const id = await ask(await farmWith(1234));
  await theThreadWaits();
  await replica.query('SELECT pg_wal_replay_resume()');
  expect(await content(id)).toContain('1234');
  expect([await readers(replica), await readers(ground.postgres)]).toEqual([1, 0]);
  expect(worker.logs()).not.toContain(PASSED_OVER);
});

it('a replica that does not catch up is not waited for', async () => {
  const worker = await startWorker();
  await replica.query('SELECT pg_wal_replay_pause()');
  const [id, later] = [await ask(await farmWith(2345)), await ask(await farmWith(3456))];
  expect([await content(id), await content(later)]).toEqual([
    expect.stringContaining('2345'),
    expect.stringContaining('3456'),
  ]);
  expect(worker.logs()).toContain('too far behind');
  await replica.query('SELECT pg_wal_replay_resume()');
});

it('a report that stands in the way of the replica is made from the primary, at the same attempt', async () => {
  await replayWaitsFor('50ms');
  await ground.postgres.query('CREATE TABLE gone AS SELECT generate_series(1, 1000)');
  const worker = await startWorker();
  const farm = await ground.farm();
  const id = await ask(farm, 'gated.v1');
  await until('its snapshot is open', async () => {
    const [row] = await replica.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'muster generation records' AND state = 'idle in transaction'`,
    );
    return row?.count === '1';
  });
  await ground.postgres.query('DELETE FROM gone');
  await ground.postgres.query('VACUUM gone');
  await until('the replica has ended it', async () => (await readers(replica)) === 0);
  await ground.openGate(farm);
  expect((await content(id)).trim().split('\n')).toHaveLength(21);
  await replayWaitsFor('30s');
  expect(worker.logs()).toContain(PASSED_OVER);
});

it('without its replica the service goes on from the primary', async () => {
  const worker = await startWorker();
  expect(await content(await ask(await farmWith(4567)))).toContain('4567');
  expect(await readers(replica)).toBe(1);
  await replica.kill();
  for (const head of [5678, 6789])
    expect(await content(await ask(await farmWith(head)))).toContain(`${head}`);
  expect(worker.logs()).toContain(PASSED_OVER);
  const scraped = await (await fetch(new URL('/metrics', worker.operationsUrl))).text();
  expect(scraped).toMatch(/^muster_replica_passed_over_total [1-9]/m);
  await ground.audited();
});
