import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { builtCopyWith } from './support/built-copy.js';
import type { Caller as CallerType } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import type { ServiceOptions, StartedService } from './support/service.js';
import { until } from './support/until.js';

/** A report type of one column whose rows come from `body`, the body of an async generator. */
const reportType = (stem: string, body: string) => (signs: string) => `
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { ReportGenerator, SelfCheckFailed } from '../generator.js';

const signs = ${JSON.stringify(signs)};
const row = (head) => ({ rowType: 'detail', cells: [head] });
const gate = async (farm) => { while (!existsSync(signs + '/' + farm)) await setTimeout(20); };

class Dropped {
  async *rows({ farmId, period, records, warn }) { ${body} }
}
ReportGenerator({
  type: '${stem}.v1', title: '${stem}', description: 'Of a test', version: '7',
  columns: [{ name: 'head', type: 'integer', unit: 'head', description: 'Head', controlTotal: true }],
})(Dropped);
export { Dropped };
`;

const copy = await builtCopyWith({
  'head-count': reportType(
    'head-count',
    `yield [row(1), row(2)]; warn('two only'); yield [{ rowType: 'total', cells: [3] }];`,
  ),
  patient: reportType('patient', 'await gate(farmId); yield [row(1)];'),
  gradual: reportType(
    'gradual',
    `for (let batch = 0; batch < 100; batch++) {
       yield Array.from({ length: 10 }, () => row(1));
       if (!existsSync(signs + '/' + farmId)) await setTimeout(150);
     }`,
  ),
  reading: reportType(
    'reading',
    'await gate(farmId); for await (const _ of records.headLines(period)); yield [row(1)];',
  ),
  failing: reportType('failing', `yield [row(1)]; throw new Error('SELECT a_secret FROM somewhere');`),
  'wrong-sum': reportType(
    'wrong-sum',
    `throw new SelfCheckFailed('opening + in - out is 5, but 6 are there');`,
  ),
  'wrong-rows': reportType('wrong-rows', `yield [{ rowType: 'detail', cells: [1, 2] }];`),
  endless: reportType('endless', 'for (;;);'),
  hungry: reportType(
    'hungry',
    'const held = []; for (;;) held.push({ head: held.length, text: String(held.length) });',
  ),
  hoarding: reportType('hoarding', 'const held = []; for (;;) held.push(Buffer.alloc(1_000_000, 1));'),
});
process.env.MUSTER_TEST_BUILD = copy.dist;
const { startService } = await import('./support/service.js');
const { apiKeyFor, Caller } = await import('./support/caller.js');

let database: FreshDatabase;
let owner: Client;
let api: StartedService;
let farmer: CallerType;
let farms = 0;
/** Stays from test to test, until one needs workers of its own. */
let usual: StartedService | undefined;
const workers: StartedService[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  owner = new Client(database.ownerUrl);
  await owner.connect();
  api = await startService({ databaseUrl: database.url, role: 'api' });
  farmer = new Caller(api.url, await apiKeyFor(database.url, ['*']));
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.kill()));
});

afterAll(async () => {
  await api?.stop();
  await owner?.end();
  await database?.drop();
  await copy.remove();
});

/** A worker that tries twice, which the test leaves as it was. */
async function usualWorker(): Promise<StartedService> {
  usual ??= await startService({
    databaseUrl: database.url,
    role: 'worker',
    env: { GENERATION_ATTEMPTS: '2' },
  });
  return usual;
}

/** A worker of the test's own, which finds no usual one beside it. */
async function startWorker(env: ServiceOptions['env'] = {}): Promise<StartedService> {
  await usual?.kill();
  usual = undefined;
  const worker = await startService({ databaseUrl: database.url, role: 'worker', env });
  workers.push(worker);
  return worker;
}

async function newFarm(): Promise<string> {
  const id = `farm-${++farms}`;
  const settings = {
    name: id,
    timeZone: 'Australia/Sydney',
    animalUnit: 'dse',
    areaUnit: 'ha',
    currency: 'AUD',
    financialYearStart: '07-01',
  };
  expect((await farmer.send('PUT', `/v2/farms/${id}`, settings)).status).toBe(201);
  return id;
}

async function create(type: string, farm: string, headers = {}, more = {}): Promise<string> {
  const period = {
    reportingPeriodStart: Date.parse('2024-06-30T14:00:00Z'),
    reportingPeriodEnd: Date.parse('2025-06-29T14:00:00Z'),
  };
  const { status, body } = await farmer.createReport(
    { type, tenantType: 'farm', tenantId: farm, ...period, ...more },
    headers,
  );
  expect(status).toBe(201);
  return body.data.id as string;
}

async function openGate(farm: string): Promise<void> {
  await writeFile(join(copy.signs, farm), '');
}

async function isProcessing(id: string): Promise<boolean> {
  return (await farmer.get(`/v2/report/${id}`)).body.data.status === 'processing';
}

async function events(id: string): Promise<{ type: string; data: any }[]> {
  return (await farmer.get(`/v2/report/${id}/events`)).body.data;
}

async function count(statement: string, values: unknown[] = []): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(statement, values);
  return Number(rows[0]?.count);
}

function generating(): Promise<number> {
  return count(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'muster generation%'`,
  );
}

describe('a report type dropped into a folder of its own', () => {
  it('is described, made and delivered in every format', async () => {
    await usualWorker();
    const id = await create('head-count.v1', await newFarm());
    const record = await farmer.ended(id);
    expect(record).toMatchObject({
      status: 'completed',
      manifest: {
        generator: 'head-count.v1',
        generatorVersion: '7',
        rows: 3,
        warnings: 1,
        controlTotals: { head: '3' },
      },
    });
    expect((await farmer.get('/v2/report-types/head-count.v1')).body.data).toMatchObject({
      type: 'head-count.v1',
      formats: ['csv', 'json', 'ndjson', 'xlsx'],
    });
    expect((await farmer.get(`/v2/report/${id}/download`)).text).toBe(
      'row_type,head\r\ndetail,1\r\ndetail,2\r\ntotal,3\r\n',
    );
    expect((await farmer.get(`/v2/report/${id}/download?format=json`)).body).toMatchObject({
      rows: [{ head: 1 }, { head: 2 }],
      totals: [{ row_type: 'total', head: 3 }],
      warnings: ['two only'],
    });
  });

  it('makes the same bytes again', async () => {
    await usualWorker();
    const farm = await newFarm();
    const first = await farmer.ended(await create('head-count.v1', farm));
    const second = await farmer.ended(await create('head-count.v1', farm, { 'cache-control': 'no-cache' }));
    expect(second.id).not.toBe(first.id);
    expect(second.manifest).toEqual(first.manifest);
  });

  it('keeps the service from starting when it claims a type that exists', async () => {
    const twice = await builtCopyWith({ 'head-count-2': reportType('head-count', '') });
    process.env.MUSTER_TEST_BUILD = twice.dist;
    try {
      const { runMuster } = await import(`./support/muster.js?${Math.random()}`);
      const { code, stderr, stdout } = await runMuster(['serve', '--role', 'worker'], {
        databaseUrl: database.url,
      });
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('head-count.v1 is claimed 2 times');
    } finally {
      process.env.MUSTER_TEST_BUILD = copy.dist;
      await twice.remove();
    }
  });
});

describe('a worker that dies', () => {
  it('leaves its report to another, which completes it within 15 s', async () => {
    const first = await startWorker();
    const farm = await newFarm();
    const id = await create('patient.v1', farm);
    await until('it is processing', () => isProcessing(id));
    await first.kill();
    await openGate(farm);
    await startWorker();
    await until('it is completed', async () => !(await isProcessing(id)), 15_000);
    expect((await events(id)).map(({ type }) => type)).toEqual([
      'ReportRequested',
      'ReportGenerationStarted',
      'ReportGenerationStarted',
      'ReportCompleted',
    ]);
    expect(await count('SELECT count(*) FROM artifact WHERE report_id = $1', [id])).toBe(1);
  });

  it('has its late result refused and its content removed when it was only frozen', async () => {
    const frozen = await startWorker();
    const farm = await newFarm();
    const id = await create('patient.v1', farm);
    await until('it is processing', () => isProcessing(id));
    frozen.child.kill('SIGSTOP');
    await startWorker();
    await until('it is started again', async () => (await events(id)).length === 3);
    frozen.child.kill('SIGCONT');
    await openGate(farm);
    await farmer.ended(id);
    await until(
      'one attempt is kept',
      async () => (await count('SELECT count(*) FROM artifact WHERE report_id = $1', [id])) === 1,
    );
    expect((await events(id)).filter(({ type }) => type === 'ReportCompleted')).toEqual([
      expect.objectContaining({ data: expect.objectContaining({ attempt: 2 }) }),
    ]);
  });
});

describe('a cancelled report', () => {
  it('stops a generator in the middle of a loop within a second', async () => {
    await usualWorker();
    const id = await create('endless.v1', await newFarm());
    await until('the thread reads', async () => (await generating()) > 0);
    expect((await farmer.send('DELETE', `/v2/report/${id}`)).status).toBe(200);
    await until('the thread is gone', async () => (await generating()) === 0, 1_500);
    await until(
      'nothing is left',
      async () => (await count('SELECT count(*) FROM artifact WHERE report_id = $1', [id])) === 0,
    );
  });

  it('stops the query it runs within a second', async () => {
    await usualWorker();
    const farm = await newFarm();
    const id = await create('reading.v1', farm);
    await until('it is processing', () => isProcessing(id));
    const locking = new Client(database.ownerUrl);
    await locking.connect();
    await locking.query('BEGIN');
    await locking.query('LOCK TABLE head_line IN ACCESS EXCLUSIVE MODE');
    try {
      const waiting = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name LIKE 'muster generation%'`;
      await openGate(farm);
      await until('the query waits', async () => (await count(waiting)) > 0);
      expect((await farmer.send('DELETE', `/v2/report/${id}`)).status).toBe(200);
      await until('the query is gone', async () => (await count(waiting)) === 0, 1_500);
    } finally {
      await locking.end();
    }
    expect((await events(id)).at(-1)?.type).toBe('ReportCancelled');
  });
});

describe('a generator that', () => {
  it('throws is tried again, then failed with a reason that gives nothing away', async () => {
    const worker = await usualWorker();
    const id = await create('failing.v1', await newFarm());
    const record = await farmer.ended(id);
    expect(record).toMatchObject({
      status: 'failed',
      attempt: 2,
      failureReason: 'the generator of this report type failed',
    });
    expect((await events(id)).map(({ type, data }) => [type, data.retrying])).toEqual([
      ['ReportRequested', undefined],
      ['ReportGenerationStarted', undefined],
      ['ReportGenerationFailed', true],
      ['ReportGenerationStarted', undefined],
      ['ReportGenerationFailed', false],
    ]);
    expect(worker.logs()).toContain('a_secret');
    expect(await count('SELECT count(*) FROM artifact WHERE report_id = $1', [id])).toBe(0);
  });

  it('finds itself wrong fails at once with that reason', async () => {
    await usualWorker();
    expect(await farmer.ended(await create('wrong-sum.v1', await newFarm()))).toMatchObject({
      status: 'failed',
      attempt: 1,
      failureReason: 'opening + in - out is 5, but 6 are there',
    });
  });

  it('gives other cells than it declares fails', async () => {
    await usualWorker();
    expect(await farmer.ended(await create('wrong-rows.v1', await newFarm()))).toMatchObject({
      status: 'failed',
    });
  });

  it('never ends is stopped at the time limit, and others go on', async () => {
    await startWorker({ GENERATION_ATTEMPTS: '1', GENERATION_TIME_LIMIT: '3', GENERATION_CONCURRENCY: '2' });
    const endless = await create('endless.v1', await newFarm());
    expect(await farmer.ended(await create('head-count.v1', await newFarm()))).toMatchObject({
      status: 'completed',
    });
    expect(await farmer.ended(endless)).toMatchObject({
      status: 'failed',
      failureReason: 'it took longer than 3 seconds',
    });
  });

  it.each(['hungry.v1', 'hoarding.v1'])('exhausts its memory ends alone (%s)', async (type) => {
    const worker = await startWorker({ GENERATION_ATTEMPTS: '1', GENERATION_MEMORY_LIMIT: '48' });
    expect(await farmer.ended(await create(type, await newFarm()))).toMatchObject({
      status: 'failed',
      failureReason: 'it needed more than 48 MB of memory',
    });
    expect(await farmer.ended(await create('head-count.v1', await newFarm()))).toMatchObject({
      status: 'completed',
    });
    expect(worker.child.exitCode).toBeNull();
  });
});

describe('a worker that is told to stop', () => {
  it('finishes what it is at', async () => {
    const worker = await startWorker();
    const farm = await newFarm();
    const id = await create('patient.v1', farm);
    await until('it is processing', () => isProcessing(id));
    const stopped = worker.stop();
    await openGate(farm);
    expect(await stopped).toBe(0);
    expect((await farmer.get(`/v2/report/${id}`)).body.data).toMatchObject({
      status: 'completed',
      attempt: 1,
    });
  });

  it('hands back what takes too long, which is no failure', async () => {
    const worker = await startWorker({ GENERATION_DRAIN_SECONDS: '1' });
    const farm = await newFarm();
    const id = await create('patient.v1', farm);
    await until('it is processing', () => isProcessing(id));
    expect(await worker.stop()).toBe(0);
    await openGate(farm);
    await startWorker({ GENERATION_ATTEMPTS: '1' });
    expect(await farmer.ended(id)).toMatchObject({ status: 'completed', attempt: 2 });
    expect((await events(id)).map(({ type }) => type)).not.toContain('ReportGenerationFailed');
  });
});

it('does not let one farm keep another waiting', async () => {
  await startWorker({ GENERATION_CONCURRENCY: '2' });
  const [flooding, other] = [await newFarm(), await newFarm()];
  const many: string[] = [];
  for (let each = 0; each < 5; each++)
    many.push(await create('patient.v1', flooding, { 'cache-control': 'no-cache' }));
  expect(await farmer.ended(await create('head-count.v1', other), 3_000)).toMatchObject({
    status: 'completed',
  });
  await openGate(flooding);
  for (const id of many) expect(await farmer.ended(id)).toMatchObject({ status: 'completed' });
});

it.each([
  'livestock-reconciliation.v3',
  'animal-load-by-paddock.v1',
  'livestock-feed.v1',
  'livestock-sale.v1',
])('makes %s of all time', async (type) => {
  await usualWorker();
  const allTime = { reportingPeriodStart: 0, reportingPeriodEnd: Number.MAX_SAFE_INTEGER };
  expect(await farmer.ended(await create(type, await newFarm(), {}, allTime))).toMatchObject({
    status: 'completed',
  });
});

it('ends the life of contents past their retention, and the record stays', async () => {
  await usualWorker();
  const id = await create('head-count.v1', await newFarm());
  await farmer.ended(id);
  await owner.query(
    `UPDATE artifact SET published_at = published_at - interval '31 days' WHERE report_id = $1`,
    [id],
  );
  await startUpkeep();
  await until(
    'it is expired',
    async () => (await farmer.get(`/v2/report/${id}`)).body.data.status === 'expired',
  );
  expect((await farmer.get(`/v2/report/${id}/download`)).status).toBe(410);
  expect(await count('SELECT count(*) FROM artifact_chunk WHERE report_id = $1', [id])).toBe(0);
});

it('leaves everything whole, whatever became of its reports', async () => {
  const { runMuster } = await import('./support/muster.js');
  const audited = await runMuster(['audit', '--json'], { databaseUrl: database.url });
  expect(JSON.parse(audited.stdout)).toMatchObject({ findings: [] });
});

/** As the schedule does every ten minutes. */
async function startUpkeep(): Promise<void> {
  const boss = new PgBoss({
    connectionString: database.url,
    supervise: false,
    schedule: false,
    migrate: false,
    createSchema: false,
  });
  await boss.start();
  await boss.send('report-upkeep', {});
  await boss.stop({ graceful: false });
}

it('says how many rows are written while a report is made, and how many there were the last time', async () => {
  await usualWorker();
  const farm = await newFarm();
  const first = await create('gradual.v1', farm);
  const started = await progressing(first);
  expect(started.progress.rows).toBeGreaterThan(0);
  expect(started.progress.rows).toBeLessThan(1000);
  expect(started.progress).not.toHaveProperty('estimatedRows');
  await openGate(farm);
  const ended = await farmer.ended(first);
  expect(ended).toMatchObject({ status: 'completed', manifest: { rows: 1000 } });
  expect(ended).not.toHaveProperty('progress');
  await rm(join(copy.signs, farm));
  const second = await create('gradual.v1', farm, { 'cache-control': 'no-cache' });
  expect((await progressing(second)).progress).toMatchObject({ estimatedRows: 1000 });
  await openGate(farm);
  expect((await farmer.ended(second)).status).toBe('completed');
});

async function progressing(id: string): Promise<any> {
  let report: any;
  await until(
    () => `progress of a report that is ${report.status}`,
    async () => {
      report = (await farmer.get(`/v2/report/${id}`)).body.data;
      return report.progress !== undefined;
    },
  );
  return report;
}
