import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { runMuster } from './support/muster.js';
import { type StartedService, startService } from './support/service.js';
import { until } from './support/until.js';

const ZONE = 'Australia/Sydney';
const FARM = {
  name: 'Home',
  timeZone: ZONE,
  animalUnit: 'dse',
  areaUnit: 'ha',
  currency: 'AUD',
  financialYearStart: '07-01',
};
const MONTHLY = { type: 'livestock-sale.v1', tenantType: 'farm', tenantId: 'farm-1', every: 'month' };

let database: FreshDatabase;
let owner: Client;
let api: StartedService;
let farmer: Caller;
let neighbour: Caller;
const workers: StartedService[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  owner = new Client(database.ownerUrl);
  await owner.connect();
  api = await startService({ databaseUrl: database.url, role: 'api' });
  const [one, two] = await Promise.all([
    apiKeyFor(database.url, ['farm-1', 'farm-2']),
    apiKeyFor(database.url, ['farm-2']),
  ]);
  farmer = new Caller(api.url, one);
  neighbour = new Caller(api.url, two);
  for (const id of ['farm-1', 'farm-2'])
    expect((await farmer.send('PUT', `/v2/farms/${id}`, FARM)).status).toBe(201);
});

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await api?.stop();
  await owner?.end();
  await database?.drop();
});

async function create(settings: object = {}, caller = farmer): Promise<any> {
  const { status, body, headers } = await caller.send('POST', '/v2/report-schedules', {
    ...MONTHLY,
    ...settings,
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  expect(headers.get('location')).toBe(`${api.url}/v2/report-schedules/${body.data.id}`);
  return body.data;
}

const today = Temporal.Now.plainDateISO(ZONE);
const monthsAgo = (months: number) => today.with({ day: 1 }).subtract({ months });
const dueOn = (day: Temporal.PlainDate, at = '06:00') =>
  day.toZonedDateTime({ timeZone: ZONE, plainTime: at }).epochMilliseconds;
/** The last month whose report is due by now. */
const lastDue = dueOn(monthsAgo(0)) <= Date.now() ? monthsAgo(0) : monthsAgo(1);

/** As if the schedules had been made years ago and nobody had looked since a due instant some months back. */
async function neglect(ids: readonly string[], months: number): Promise<void> {
  await owner.query(
    `UPDATE report_schedule SET active_since = 0, next_due_at = $2, look_at = $2 WHERE schedule_id = ANY ($1)`,
    [ids, dueOn(lastDue.subtract({ months }))],
  );
}

/** Has both workers in the middle of running the same schedule at the same time, once `beginning` has made something due. */
async function meeting(beginning: () => Promise<void>): Promise<void> {
  const gate = new Client(database.ownerUrl);
  await gate.connect();
  try {
    await gate.query('BEGIN');
    await gate.query('LOCK TABLE report_schedule_run IN EXCLUSIVE MODE');
    await beginning();
    await until('two of them wait', async () => {
      const { rows } = await owner.query(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%report_schedule%'`,
      );
      return rows.length >= 2;
    });
  } finally {
    await gate.end();
  }
}

async function startWorkers(count: number): Promise<void> {
  const starting = Array.from({ length: count }, () =>
    startService({ databaseUrl: database.url, role: 'worker' }),
  );
  workers.push(...(await Promise.all(starting)));
}

async function runs(id: string): Promise<any[]> {
  return (await farmer.get(`/v2/report-schedules/${id}/runs`)).body.data;
}

describe('a schedule', () => {
  it('is made, read, listed, changed and removed', async () => {
    const schedule = await create();
    expect(schedule).toMatchObject({
      ...MONTHLY,
      id: expect.stringMatching(/^sch-/),
      owner: expect.stringMatching(/^api-key:/),
      daysAfter: 1,
      at: '06:00',
      enabled: true,
      nextDueDate: dueOn(lastDue.add({ months: 1 })),
      nextPeriod: {
        start: lastDue.toString(),
        end: lastDue.add({ months: 1 }).subtract({ days: 1 }).toString(),
      },
    });
    const address = `/v2/report-schedules/${schedule.id}`;
    expect((await farmer.get(address)).body.data).toEqual(schedule);
    expect((await farmer.get('/v2/report-schedules?tenantId=farm-1')).body.data).toContainEqual(schedule);
    expect((await farmer.get('/v2/report-schedules?tenantId=farm-2')).body.data).toEqual([]);
    const changes = { every: 'financial-year', at: '23:15', daysAfter: 20, enabled: false };
    const changed = await farmer.send('PATCH', address, changes);
    expect(changed.body.data).toMatchObject({ ...changes, type: MONTHLY.type });
    expect(changed.body.data.nextPeriod.start).toMatch(/-07-01$/);
    expect((await farmer.send('DELETE', address)).status).toBe(204);
    for (const path of [address, `${address}/runs`]) expect((await farmer.get(path)).status).toBe(404);
    expect((await farmer.send('DELETE', address)).status).toBe(404);
  });

  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['/type', '/tenantType', '/tenantId', '/every']],
    ['a text', '"x"', ['']],
    ['an unknown type', { ...MONTHLY, type: 'wool.v9' }, ['/type']],
    ['another tenant type', { ...MONTHLY, tenantType: 'shop' }, ['/tenantType']],
    ['a rhythm there is not', { ...MONTHLY, every: 'day' }, ['/every']],
    ['no time of day', { ...MONTHLY, at: '24:00' }, ['/at']],
    ['a time that is no text', { ...MONTHLY, at: 6 }, ['/at']],
    ['days before the end', { ...MONTHLY, daysAfter: 0 }, ['/daysAfter']],
    ['null for days', { ...MONTHLY, daysAfter: null }, ['/daysAfter']],
    ['yes for true', { ...MONTHLY, enabled: 'yes' }, ['/enabled']],
  ])('is refused with %s', async (_, body, pointers) => {
    const answer = await farmer.send('POST', '/v2/report-schedules', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: any) => error.pointer).sort()).toEqual([...pointers].sort());
  });

  it('is of a farm that the caller reaches', async () => {
    const { id } = await create();
    const address = `/v2/report-schedules/${id}`;
    expect((await neighbour.send('POST', '/v2/report-schedules', MONTHLY)).status).toBe(403);
    const missing = await farmer.send('POST', '/v2/report-schedules', { ...MONTHLY, tenantId: 'none' });
    expect(missing.status).toBe(403);
    for (const [method, path, body] of [
      ['GET', address],
      ['PATCH', address, { enabled: false }],
      ['DELETE', address],
      ['GET', `${address}/runs`],
    ] as const)
      expect([method, (await neighbour.send(method, path, body)).status]).toEqual([method, 404]);
    expect((await neighbour.get('/v2/report-schedules')).body.data).toEqual([]);
    const reader = new Caller(api.url, await apiKeyFor(database.url, ['farm-1'], ['read:reports']));
    expect((await reader.get(address)).status).toBe(200);
    expect((await reader.send('PATCH', address, {})).status).toBe(403);
    await farmer.send('DELETE', address);
  });

  it('of a deprecated type says so, as the reports of the type do', async () => {
    const { id } = await create({ type: 'livestock-reconciliation.v2' });
    const address = `/v2/report-schedules/${id}`;
    const { headers } = await farmer.get(address);
    expect(headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(headers.get('link')).toMatch(/livestock-reconciliation\.v3>; rel="successor-version"$/);
    await farmer.send('DELETE', address);
  });
});

describe('what fell due while nobody looked', () => {
  it('is made once for each schedule, for the last period only, by however many processes', async () => {
    const ids: string[] = [];
    for (const daysAfter of Array.from({ length: 12 }, () => 1)) ids.push((await create({ daysAfter })).id);
    await startWorkers(2);
    await meeting(() => neglect(ids, 3));
    await until('every schedule has run', async () =>
      (await Promise.all(ids.map(runs))).every((list) => list.length > 0),
    );
    const start = lastDue.subtract({ months: 1 });
    const end = lastDue.subtract({ days: 1 });
    for (const id of ids) {
      expect(await runs(id)).toEqual([
        {
          period: { start: start.toString(), end: end.toString() },
          dueDate: dueOn(lastDue),
          runDate: expect.any(Number),
          missed: 3,
          reportId: expect.stringMatching(/^rpt-/),
        },
      ]);
      const { data } = (await farmer.get(`/v2/report-schedules/${id}`)).body;
      expect(data.nextDueDate).toBe(dueOn(lastDue.add({ months: 1 })));
    }
    const { data: reports } = (await farmer.get('/v2/report?limit=200')).body;
    expect(reports.map((report: any) => report.id).sort()).toEqual(
      (await Promise.all(ids.map(runs))).map(([run]) => run.reportId).sort(),
    );
    expect(reports[0]).toMatchObject({
      type: MONTHLY.type,
      reportingPeriodStart: dueOn(start, '00:00'),
      reportingPeriodEnd: dueOn(end, '00:00'),
      period: { start: start.toString(), end: end.toString(), timeZone: ZONE },
    });
    expect(await farmer.ended(reports[0].id)).toMatchObject({ status: 'completed' });
  });

  it('is not made again when the schedule is looked at again', async () => {
    const { id } = await create();
    await neglect([id], 0);
    await until('it has run', async () => (await runs(id)).length === 1);
    await neglect([id], 0);
    await until('it was looked at', async () => {
      const { data } = (await farmer.get(`/v2/report-schedules/${id}`)).body;
      return data.nextDueDate > Date.now();
    });
    expect(await runs(id)).toHaveLength(1);
  });

  it('is left out while a schedule is paused, and once it goes on', async () => {
    const { id } = await create();
    await farmer.send('PATCH', `/v2/report-schedules/${id}`, { enabled: false });
    await neglect([id], 2);
    const resumed = await farmer.send('PATCH', `/v2/report-schedules/${id}`, { enabled: true });
    expect(resumed.body.data.nextDueDate).toBeGreaterThan(Date.now());
    expect(await runs(id)).toEqual([]);
  });
});

it('a schedule stops with its credential, says why, and goes on for whoever enables it again', async () => {
  const leaver = new Caller(api.url, await apiKeyFor(database.url, ['farm-1']));
  const { id, owner: was } = await create({}, leaver);
  await owner.query(`UPDATE api_key SET revoked_at = now() WHERE 'api-key:' || id = $1`, [was]);
  await neglect([id], 0);
  const address = `/v2/report-schedules/${id}`;
  await until('it has stopped', async () => !(await farmer.get(address)).body.data.enabled);
  expect((await farmer.get(address)).body.data).toMatchObject({
    owner: was,
    stopped: 'the credential that it is for has ended',
  });
  const { data } = (await farmer.send('PATCH', address, { enabled: true })).body;
  expect(data).toMatchObject({ enabled: true, owner: expect.not.stringContaining(was) });
  expect(data).not.toHaveProperty('stopped');
  await neglect([id], 0);
  await until('it has run', async () => (await runs(id)).length === 1);
});

it('operators are shown every schedule, however many there are', async () => {
  const { id } = await create({ enabled: false });
  const copies = `SELECT (jsonb_populate_record(original, jsonb_build_object('schedule_id', schedule_id || '-' || n))).*
                  FROM report_schedule original, generate_series(1, 1200) AS n WHERE schedule_id = $1`;
  await owner.query(`INSERT INTO report_schedule ${copies}`, [id]);
  const { stdout } = await runMuster(['schedule', 'list', '--json'], { databaseUrl: database.url });
  const { data } = JSON.parse(stdout);
  await owner.query(`DELETE FROM report_schedule WHERE schedule_id LIKE $1`, [`${id}%`]);
  expect(data.filter((schedule: any) => schedule.id.startsWith(id)).length).toBe(1201);
});

it('operators do the same on the command line', async () => {
  const [key] = (await owner.query(`SELECT id FROM api_key WHERE farms = '{farm-2}'`)).rows;
  const muster = async (...args: string[]) => {
    const { code, stdout, stderr } = await runMuster(['schedule', ...args, '--json'], {
      databaseUrl: database.url,
    });
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const rhythm = ['--farm', 'farm-2', '--type', MONTHLY.type, '--every', 'week', '--at', '22:00'];
  const made = await muster('create', '--credential', key.id, ...rhythm);
  expect(made).toMatchObject({ owner: `api-key:${key.id}`, every: 'week', at: '22:00', daysAfter: 1 });
  expect(await muster('pause', made.id)).toMatchObject({ id: made.id, owner: made.owner, enabled: false });
  expect((await neighbour.get(`/v2/report-schedules/${made.id}`)).body.data.enabled).toBe(false);
});

it('a runner that is killed in the middle of a run loses none and makes none twice', async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.kill()));
  const made = [];
  for (let nth = 0; nth < 4; nth++) made.push(await create({ type: 'livestock-purchase.v1' }));
  const ids = made.map(({ id }) => id as string);
  await neglect(ids, 0);
  // Before its run is noted, and after that, before its report is.
  for (const table of ['report_schedule_run', 'event']) {
    const gate = new Client(database.ownerUrl);
    await gate.connect();
    await gate.query('BEGIN');
    await gate.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    await startWorkers(1);
    await until(`it waits for ${table}`, async () => {
      const { rows } = await owner.query(
        `SELECT FROM pg_locks WHERE relation = $1::regclass AND NOT granted`,
        [table],
      );
      return rows.length > 0;
    });
    await Promise.all(workers.splice(0).map((worker) => worker.kill()));
    await gate.end();
    expect((await Promise.all(ids.map(runs))).flat()).toEqual([]);
  }
  await startWorkers(1);
  await until('all have run', async () =>
    (await Promise.all(ids.map(runs))).every(({ length }) => length > 0),
  );
  const ran = (await Promise.all(ids.map(runs))).flat();
  expect(ran).toHaveLength(ids.length);
  const { data } = (await farmer.get('/v2/report?tenantId=farm-1&type=livestock-purchase.v1')).body;
  expect(data.map((report: any) => report.id).sort()).toEqual(ran.map(({ reportId }) => reportId).sort());
});
