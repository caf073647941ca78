import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type Answer, apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { proxyTo } from './support/proxy.js';
import { startService } from './support/service.js';
import { until } from './support/until.js';

const FARM = 'farm-under-pressure';

let database: FreshDatabase;
let apiKey: string;

beforeAll(async () => {
  database = await freshDatabase();
  apiKey = await apiKeyFor(database.url, [FARM]);
});

afterAll(() => database.drop());

async function start(env: NodeJS.ProcessEnv, databaseUrl = database.url) {
  const service = await startService({ databaseUrl, role: 'api', env: { OPERATIONS_PORT: '0', ...env } });
  const caller = new Caller(service.url, apiKey);
  const readiness = async () => (await fetch(new URL('/health/ready', service.operationsUrl))).status;
  return { service, caller, readiness };
}

function expectUnavailable({ status, headers, body }: Answer): void {
  expect(status).toBe(503);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(body.type).toMatch(/\/problems\/unavailable$/);
}

describe('a slow database', () => {
  it('makes the service refuse what it cannot do, not pile it up', async () => {
    const { service, caller, readiness } = await start({
      DATABASE_POOL_SIZE: '2',
      DATABASE_QUEUE_LIMIT: '5',
    });
    expect((await caller.get('/v2/report')).status).toBe(200);
    const owner = new Client(database.ownerUrl);
    await owner.connect();
    await owner.query('BEGIN; LOCK TABLE report');
    const answered: Answer[] = [];
    const asked = Array.from({ length: 60 }, async () => answered.push(await caller.get('/v2/report')));
    await until('all that cannot wait are answered', () => answered.length >= 53);
    answered.forEach(expectUnavailable);
    expect(await readiness()).toBe(200);
    const metrics = await (await fetch(new URL('/metrics', service.operationsUrl))).text();
    expect(metrics).toMatch(/^muster_database_pool_waiting_requests 5$/m);
    expect(metrics).toMatch(/^muster_http_refused_requests_total\{reason="overloaded"\} 53$/m);
    const stream = await caller.get('/v2/events', { accept: 'text/event-stream' });
    expect([stream.status, stream.text]).toEqual([200, expect.stringMatching(/^retry: \d+\n\n$/)]);
    await owner.query('ROLLBACK');
    await owner.end();
    await Promise.all(asked);
    expect(answered.filter(({ status }) => status === 200)).toHaveLength(7);
    await service.kill();
  });
});

describe('a database that is cut off without a word', () => {
  it('is answered for with 503 in seconds, and used again once it is back', async () => {
    const proxy = await proxyTo(database.url);
    const { service, caller, readiness } = await start({ DATABASE_STATEMENT_SECONDS: '1' }, proxy.url);
    expect((await caller.get('/v2/report')).status).toBe(200);
    proxy.cut();
    expectUnavailable(await caller.get('/v2/report'));
    expect(await readiness()).toBe(503);
    proxy.mend();
    await until('it answers again', async () => (await caller.get('/v2/report')).status === 200);
    await until('it is ready again', async () => (await readiness()) === 200);
    await service.kill();
    proxy.close();
  });
});

describe('a process that is told to stop', () => {
  it('is not ready at once, answers for as long as balancers need, and ends well', async () => {
    const { service, caller, readiness } = await start({ DRAIN_DELAY_SECONDS: '2' });
    const stopped = service.stop();
    await until('it is not ready', async () => (await readiness()) === 503);
    expect((await caller.get('/v2/report')).status).toBe(200);
    expect(await stopped).toBe(0);
  });
});
