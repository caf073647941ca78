import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Client } from 'pg';
import { meta } from './farm-records-ledger.js';
import { story } from './farm-records-story.js';
import { type Answer, apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { type StartedService, startService } from './support/service.js';

const FARM = { name: 'Home', timeZone: 'Australia/Sydney' };

let database: FreshDatabase;
let service: StartedService;
let farmer: Caller;

beforeAll(async () => {
  database = await freshDatabase();
  service = await startService({ databaseUrl: database.url });
  farmer = new Caller(service.url, await apiKeyFor(database.url, ['*']));
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

const opening = (sourceId: string, head = 10) => ({
  resourceType: 'OpeningStock',
  ...meta(sourceId),
  date: '2024-07-01',
  lines: [{ species: 'Sheep', ageClass: 'ewe', enterpriseId: 'wool', mobId: 'm1', head }],
});
const post = (farm: string, body: unknown, type = 'application/json'): Promise<Answer> =>
  farmer.send('POST', `/v2/farms/${farm}/records`, body, { 'content-type': type });
const ndjson = (records: readonly object[]) => records.map((record) => JSON.stringify(record)).join('\n');

describe('a farm', () => {
  it('is created, read, changed and listed', async () => {
    const created = await farmer.send('PUT', '/v2/farms/farm-a', {
      ...FARM,
      naturalIncreaseValues: { Sheep: 54 },
    });
    expect([created.status, created.headers.get('location')]).toEqual([
      201,
      `${service.url}/v2/farms/farm-a`,
    ]);
    expect(created.body.data).toEqual({
      id: 'farm-a',
      ...FARM,
      animalUnit: 'ae',
      areaUnit: 'ha',
      currency: 'AUD',
      financialYearStart: '07-01',
      naturalIncreaseValues: { sheep: '54' },
    });
    const changed = await farmer.send('PUT', '/v2/farms/farm-a', { ...FARM, name: 'Away', currency: 'NZD' });
    expect([changed.status, changed.body.data.name, changed.body.data.naturalIncreaseValues]).toEqual([
      200,
      'Away',
      { sheep: '54' },
    ]);
    expect((await farmer.get('/v2/farms/farm-a')).body.data.currency).toBe('NZD');
    await farmer.send('PUT', '/v2/farms/farm-b', FARM);
    const first = await farmer.get('/v2/farms?limit=1');
    expect(first.body.data.map((farm: { id: string }) => farm.id)).toEqual(['farm-a']);
    expect(first.headers.get('link')).toBe(`<${first.body.links.next}>; rel="next"`);
    const next = await farmer.get(
      new URL(first.body.links.next).pathname + new URL(first.body.links.next).search,
    );
    expect(next.body.data.map((farm: { id: string }) => farm.id)).toEqual(['farm-b']);
  });

  it('is refused with every bad field named', async () => {
    const bad = {
      name: 7,
      timeZone: '+10:00',
      animalUnit: 'cow',
      areaUnit: 'mile',
      currency: 'XXL',
      financialYearStart: '02-30',
      naturalIncreaseValues: { 'sheep\0': '4' },
    };
    const { status, body } = await farmer.send('PUT', '/v2/farms/farm-c', bad);
    expect(status).toBe(400);
    expect(body.errors.map((error: { pointer: string }) => error.pointer).sort()).toEqual([
      '/animalUnit',
      '/areaUnit',
      '/currency',
      '/financialYearStart',
      '/name',
      '/naturalIncreaseValues',
      '/timeZone',
    ]);
    const half = { name: 'a\ud800', timeZone: 'Australia/Sydney' };
    expect((await farmer.send('PUT', '/v2/farms/farm-c', half)).body.errors).toMatchObject([
      { pointer: '/name' },
    ]);
    expect((await farmer.get('/v2/farms/farm-c')).status).toBe(404);
  });

  it('outside the reach of a credential is not accessible, existing or not', async () => {
    const stranger = new Caller(service.url, await apiKeyFor(database.url, ['elsewhere']));
    for (const farm of ['farm-a', 'no-such-farm']) {
      for (const [method, path] of [
        ['GET', ''],
        ['PUT', ''],
        ['GET', '/records'],
        ['POST', '/records'],
      ] as const) {
        const { status, body } = await stranger.send(
          method,
          `/v2/farms/${farm}${path}`,
          method === 'GET' ? undefined : {},
        );
        expect([status, body.type.split('/').at(-1)]).toEqual([403, 'farm-not-accessible']);
      }
    }
    expect((await stranger.get('/v2/farms')).body.data).toEqual([]);
  });

  it('needs the scopes for records', async () => {
    const reader = new Caller(service.url, await apiKeyFor(database.url, ['*'], ['read:records']));
    expect((await reader.get('/v2/farms/farm-a')).status).toBe(200);
    expect((await reader.send('PUT', '/v2/farms/farm-a', FARM)).status).toBe(403);
    expect((await reader.send('POST', '/v2/farms/farm-a/records', [])).status).toBe(403);
  });
});

describe('an import', () => {
  beforeAll(() => farmer.send('PUT', '/v2/farms/import', FARM));

  it('takes one resource, a list, an ICAR collection and NDJSON', async () => {
    expect((await post('import', opening('one'))).body.data).toMatchObject({
      accepted: 1,
      items: [{ index: 0, status: 'accepted', id: 'one' }],
    });
    expect((await post('import', [opening('two'), opening('three')])).body.data).toMatchObject({
      accepted: 2,
    });
    expect((await post('import', { member: [opening('four')] })).body.data).toMatchObject({ accepted: 1 });
    const { status, body } = await post(
      'import',
      `${ndjson([opening('five'), opening('one')])}\n`,
      'application/x-ndjson',
    );
    expect([status, body]).toEqual([
      200,
      { data: { accepted: 1, replaced: 0, unchanged: 1, rejected: 0, errors: [] } },
    ]);
  });

  it('answers item by item, a bad one beside its good neighbours', async () => {
    const { status, body } = await post('import', [
      opening('six'),
      { resourceType: 'Unicorn', ...meta('x') },
      opening('six', -1),
      7,
    ]);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ accepted: 1, rejected: 3 });
    expect(body.data.items[1]).toEqual({
      index: 1,
      status: 'rejected',
      errors: [{ pointer: '/resourceType', detail: 'resourceType Unicorn is not one that can be imported.' }],
    });
    expect(
      body.data.errors.map(({ index, pointer }: { index: number; pointer: string }) => [index, pointer]),
    ).toEqual([
      [1, '/resourceType'],
      [2, '/lines/0/head'],
      [3, ''],
    ]);
  });

  it('tells the first hundred errors', async () => {
    const bad = Array.from({ length: 150 }, () => '{}').join('\n');
    const { body } = await post('import', bad, 'application/x-ndjson');
    expect([body.data.rejected, body.data.errors.length]).toEqual([150, 100]);
  });

  it.each([
    ['no JSON', '{', 'application/json', 400, 'malformed-json'],
    ['nothing', '', 'application/json', 400, 'malformed-json'],
    ['a spreadsheet nobody understands', 'a,b', 'text/csv', 400, 'malformed-csv'],
    ['a text', 'a,b', 'text/plain', 415, 'unsupported-media-type'],
  ])('of %s is refused', async (_what, sent, type, status, slug) => {
    const answer = await post('import', sent, type);
    expect([answer.status, answer.body.type.split('/').at(-1)]).toEqual([status, slug]);
    if (status === 415) expect(answer.body.detail).toContain('application/x-ndjson');
  });

  it('of a spreadsheet takes what is in order and names the rest', async () => {
    const csv =
      'record;id;date;species;head\r\nopening;s1;2024-07-01;Sheep;12\r\nopening;s2;1/7/2024;Sheep;3\r\n';
    const { status, body } = await post('import', csv, 'text/csv; charset=utf-8');
    expect({ status, ...body.data }).toMatchObject({ status: 200, accepted: 1, rejected: 1 });
    expect(body.data.errors).toMatchObject([{ line: 3, pointer: '/date' }]);
  });

  it('of a large spreadsheet that breaks off its form is answered, though most of it is left unread', async () => {
    const csv = `record,date,species,head\nopening,2024-07-01,Sheep,12\nopening,2024-07-02,"Sheep,3\n${'x'.repeat(8_000_000)}`;
    const { status, body } = await post('import', csv, 'text/csv');
    expect({ status, ...body.data }).toMatchObject({ status: 200, accepted: 1, rejected: 1 });
    const { status: refused } = await post('import', `nothing,known\n${'x'.repeat(8_000_000)}`, 'text/csv');
    expect(refused).toBe(400);
  });

  it('into a farm that is not there is 404', async () => {
    expect((await post('nowhere', [opening('one')])).status).toBe(404);
    expect((await post('nowhere', ndjson([opening('one')]), 'application/x-ndjson')).status).toBe(404);
    expect((await post('nowhere', 'record\n', 'text/csv')).status).toBe(404);
    expect((await post('a%00b', [opening('one')])).status).toBe(404);
  });

  it('is read back page by page, by type, every digit as it was sent', async () => {
    await farmer.send('PUT', '/v2/farms/back', FARM);
    const exact = JSON.stringify({
      ...opening('r2'),
      lines: [{ species: 'Sheep', head: 1, value: 0 }],
    }).replace('"value":0', '"value":1234567890.12345678901');
    await post('back', [opening('r1'), opening('r3'), { resourceType: 'Mob', id: 'm1', ...meta('m') }]);
    await post('back', exact);
    const page = await farmer.get('/v2/farms/back/records?limit=3');
    expect(page.text).toContain('"value": 1234567890.12345678901');
    expect(page.body.data.map((record: { meta: { sourceId: string } }) => record.meta.sourceId)).toEqual([
      'm',
      'r1',
      'r2',
    ]);
    const next = new URL(page.body.links.next);
    expect((await farmer.get(next.pathname + next.search)).body).toMatchObject({
      data: [{ meta: { sourceId: 'r3' } }],
      links: {},
    });
    expect((await farmer.get('/v2/farms/back/records?resourceType=Mob')).body.data).toHaveLength(1);
    expect((await farmer.get('/v2/farms/back/records?cursor=x&limit=0')).body.errors).toHaveLength(2);
  });
});

describe('records that come late', () => {
  it('change a report that begins after them', async () => {
    await farmer.send('PUT', '/v2/farms/late', FARM);
    await post('late', [opening('o')]);
    const birth = {
      resourceType: 'icarGroupMovementBirthEventResource',
      ...meta('b'),
      eventDateTime: '2023-09-01T00:00:00Z',
      groupMethod: 'InventoryClassification',
      inventoryClassification: { name: 'lambs', species: 'Sheep', count: 5 },
      registrationReason: 'Born',
      ext: { mobId: 'm1', ageClass: 'ewe', enterpriseId: 'wool' },
    };
    const head = async () => {
      const request = {
        type: 'livestock-reconciliation.v3',
        tenantType: 'farm',
        tenantId: 'late',
        reportingPeriodStart: Date.parse('2024-06-30T14:00:00Z'),
        reportingPeriodEnd: Date.parse('2024-06-30T14:00:00Z'),
      };
      const { body } = await farmer.createReport(request, { 'cache-control': 'no-cache' });
      expect(await farmer.ended(body.data.id)).toMatchObject({ status: 'completed' });
      const content = await farmer.get(`/v2/report/${body.data.id}/download?format=json`);
      const { columns, rows } = content.body as { columns: { name: string }[]; rows: unknown };
      return { columns, rows };
    };
    const before = JSON.stringify(await head());
    await post('late', birth);
    const after = JSON.stringify(await head());
    expect(after).not.toBe(before);
    await post('late', { ...birth, ...meta('b', { isDeleted: true, modified: '2025-08-01T00:00:00Z' }) });
    expect(JSON.stringify(await head())).toBe(before);
  });

  it('and a new time zone give what they would have given from the start', async () => {
    const [records = []] = fc.sample(story(60), { numRuns: 1, seed: 7 });
    await farmer.send('PUT', '/v2/farms/moved', FARM);
    await farmer.import('moved', records);
    expect(
      (
        await farmer.send('PUT', '/v2/farms/moved', {
          ...FARM,
          timeZone: 'America/Sao_Paulo',
          currency: 'NZD',
        })
      ).status,
    ).toBe(200);
    await farmer.send('PUT', '/v2/farms/native', { ...FARM, timeZone: 'America/Sao_Paulo', currency: 'NZD' });
    await farmer.import('native', records);
    expect(await ledgerOf('moved')).toEqual(await ledgerOf('native'));
  });
});

it('an import that is killed midway loses nothing acknowledged, and sent again is whole', async () => {
  const [records = []] = fc.sample(story(400), { numRuns: 1, seed: 11 });
  const many = Array.from({ length: 40 }, (_, copy) =>
    records.map((record) => ({
      ...record,
      meta: { ...record.meta, sourceId: `${copy}-${record.meta.sourceId}` },
    })),
  ).flat();
  await farmer.send('PUT', '/v2/farms/killed', FARM);
  await farmer.send('PUT', '/v2/farms/spared', FARM);
  const victim = await startService({ databaseUrl: database.url, role: 'api' });
  const cut = new Caller(victim.url, farmer.apiKey).send('POST', '/v2/farms/killed/records', ndjson(many), {
    'content-type': 'application/x-ndjson',
  });
  const answered = cut.then(() => true).catch(() => false);
  while ((await count('killed')) === 0 && (await Promise.race([answered, pause(10)])) === undefined);
  await victim.kill();
  await answered;
  expect((await post('killed', ndjson(many), 'application/x-ndjson')).body.data).toMatchObject({
    rejected: 0,
  });
  expect((await post('spared', ndjson(many), 'application/x-ndjson')).body.data).toMatchObject({
    accepted: many.length,
  });
  expect(await ledgerOf('killed')).toEqual(await ledgerOf('spared'));
});

it('a report of a farm whose import was killed before its records were booked counts them all', async () => {
  const [records = []] = fc.sample(story(60), { numRuns: 1, seed: 12 });
  await farmer.send('PUT', '/v2/farms/unbooked', FARM);
  await farmer.import('unbooked', records);
  const booked = await ledgerOf('unbooked');
  await ask('DELETE FROM head_line WHERE farm_id = $1', 'unbooked');
  await ask('DELETE FROM monthly_flow WHERE farm_id = $1', 'unbooked');
  await ask('DELETE FROM class_flow WHERE farm_id = $1', 'unbooked');
  await ask('DELETE FROM head_balance WHERE farm_id = $1', 'unbooked');
  await ask(`UPDATE farm SET unsettled_from = '1970-01-01' WHERE farm_id = $1`, 'unbooked');
  const { body } = await farmer.createReport({
    type: 'livestock-reconciliation.v3',
    tenantType: 'farm',
    tenantId: 'unbooked',
    reportingPeriodStart: 0,
    reportingPeriodEnd: Date.parse('2040-01-01'),
  });
  expect(await farmer.ended(body.data.id)).toMatchObject({ status: 'completed' });
  expect(await ledgerOf('unbooked')).toEqual(booked);
});

async function ask<Row extends object>(text: string, farm: string): Promise<Row[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(text, [farm])).rows;
  } finally {
    await client.end();
  }
}

async function count(farm: string): Promise<number> {
  const [row] = await ask<{ records: number }>(
    'SELECT count(*)::integer AS records FROM farm_record WHERE farm_id = $1',
    farm,
  );
  return row?.records ?? 0;
}

function ledgerOf(farm: string): Promise<object[]> {
  return ask(
    `SELECT r.source_id, l.line, l.day::text, l.at, l.category, l.species, l.enterprise, l.age_class, l.mob, l.paddock, l.animal, l.delta, l.head, l.value
       FROM head_line l JOIN farm_record r ON r.bucket = l.bucket AND r.farm_id = l.farm_id AND r.number = l.record
      WHERE l.farm_id = $1 ORDER BY l.turn, l.line`,
    farm,
  );
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));
}
