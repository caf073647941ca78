import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { type StartedService, startService } from './support/service.js';

const meta = (sourceId: string, more: object = {}) => ({
  meta: { source: 'book', sourceId, modified: '2025-07-01T00:00:00Z', ...more },
});
const place = { mobId: 'm1', enterpriseId: 'wool', ageClass: 'ewe' };
const opening = {
  resourceType: 'OpeningStock',
  id: 'o',
  ...meta('o'),
  date: '2024-07-01',
  lines: [{ species: 'Sheep', ...place, head: 200, value: '10000' }],
};
const sale = (id: string, day: string, count: number, amount: string, more: object = {}) => ({
  resourceType: 'icarGroupMovementDepartureEventResource',
  id,
  ...meta(id, more),
  eventDateTime: `${day}T02:00:00Z`,
  departureKind: 'Sale',
  groupMethod: 'InventoryClassification',
  inventoryClassification: { name: 'ewes', species: 'Sheep', count },
  ext: { ...place, trade: { price: { amount, currency: 'AUD', basis: 'perHead' }, reference: id } },
});
const records = [
  opening,
  sale('s1', '2024-08-01', 30, '101.10'),
  sale('s2', '2024-09-01', 20, '99'),
  sale('s3', '2024-10-01', 10, '98'),
];

let database: FreshDatabase;
let service: StartedService;
let accountant: Caller;

beforeAll(async () => {
  database = await freshDatabase();
  service = await startService({ databaseUrl: database.url });
  accountant = new Caller(service.url, await apiKeyFor(database.url, ['*']));
});

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

async function reportOn(farmId: string, type: string): Promise<string> {
  const { body } = await accountant.createReport(
    {
      type,
      tenantType: 'farm',
      tenantId: farmId,
      reportingPeriodStart: Date.parse('2024-07-01T00:00:00Z'),
      reportingPeriodEnd: Date.parse('2025-06-29T14:00:00Z'),
    },
    { 'cache-control': 'no-cache' },
  );
  expect(await accountant.ended(body.data.id)).toMatchObject({ status: 'completed' });
  return body.data.id as string;
}

async function farmWithSales(farmId: string): Promise<void> {
  const farm = { name: 'Home', timeZone: 'Australia/Sydney', currency: 'AUD' };
  expect((await accountant.send('PUT', `/v2/farms/${farmId}`, farm)).status).toBe(201);
  expect(await accountant.import(farmId, records)).toMatchObject({ rejected: 0 });
}

describe('the records behind a row', () => {
  let reconciliation: string;
  let sales: string;

  beforeAll(async () => {
    await farmWithSales('farm-1');
    reconciliation = await reportOn('farm-1', 'livestock-reconciliation.v1');
    sales = await reportOn('farm-1', 'livestock-sale.v1');
  });

  it('are as they were imported, with what each brings', async () => {
    const { status, body, headers } = await accountant.get(`/v2/report/${sales}/rows/1/records`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      data: [
        {
          source: 'book',
          sourceId: 's1',
          resourceType: 'icarGroupMovementDepartureEventResource',
          day: '2024-08-01',
          time: '12:00:00',
          brings: { head: 30, gross: '3033', net: '3033' },
          record: records[1],
        },
      ],
      row: { number: 1, rowType: 'detail', cells: { reference: 's1', head: 30, gross: '3033.00' } },
      broughtForward: {},
      records: { changed: false },
      links: {},
    });
  });

  it('are those of every sale for a total, page by page', async () => {
    const { text } = await accountant.get(`/v2/report/${sales}/download?format=ndjson`);
    const total = JSON.parse(text.trim().split('\n').at(-1) ?? '');
    let next: string | undefined = `/v2/report/${sales}/rows/${total.row}/records?limit=2`;
    const told: string[][] = [];
    while (next) {
      const { body } = await accountant.get(next);
      told.push(body.data.map(({ sourceId }: { sourceId: string }) => sourceId));
      next = body.links.next;
    }
    expect(told).toEqual([['s1', 's2'], ['s3']]);
  });

  it('of a column are those that bring something to it, also under a deprecated type', async () => {
    const { body } = await accountant.get(`/v2/report/${reconciliation}/rows/1/records?column=opening`);
    expect(body.data.map((each: any) => [each.sourceId, each.brings.opening])).toEqual([['o', 200]]);
    const { body: sold } = await accountant.get(`/v2/report/${reconciliation}/rows/1/records?column=sales`);
    expect(sold.data.map((each: any) => [each.sourceId, each.brings.sales])).toEqual([
      ['s1', 30],
      ['s2', 20],
      ['s3', 10],
    ]);
  });

  it.each([
    ['rows/9/records', 404, 'row-not-found'],
    ['rows/0/records', 404, 'row-not-found'],
    ['rows/first/records', 404, 'row-not-found'],
    ['rows/1/records?column=wool', 400, 'invalid-request'],
    ['rows/1/records?limit=0', 400, 'invalid-request'],
    [`rows/1/records?cursor=${Buffer.from('["x","1"]').toString('base64url')}`, 400, 'invalid-request'],
  ])('are refused for %s', async (path, status, problem) => {
    const { status: answered, body } = await accountant.get(`/v2/report/${sales}/${path}`);
    expect(answered).toBe(status);
    expect(body.type).toMatch(new RegExp(`/${problem}$`));
  });

  it('are for those who may read records and see the farm', async () => {
    const path = `/v2/report/${sales}/rows/1/records`;
    const reader = new Caller(
      service.url,
      await apiKeyFor(database.url, ['farm-1'], ['read:reports', 'write:reports']),
    );
    expect((await reader.get(path)).body).toMatchObject({
      status: 403,
      detail: expect.stringContaining('read:records'),
    });
    const neighbour = new Caller(service.url, await apiKeyFor(database.url, ['farm-9']));
    expect((await neighbour.get(path)).status).toBe(404);
  });
});

it('are told as they are now, and that they have changed, when a record was corrected', async () => {
  await farmWithSales('farm-2');
  const id = await reportOn('farm-2', 'livestock-sale.v1');
  const corrected = sale('s1', '2024-08-01', 30, '90', { modified: '2025-08-01T00:00:00Z' });
  const withdrawn = {
    resourceType: corrected.resourceType,
    ...meta('s2', { modified: '2025-08-01T00:00:00Z' }),
  };
  await accountant.import('farm-2', [
    corrected,
    { ...withdrawn, meta: { ...withdrawn.meta, isDeleted: true } },
  ]);
  const { body } = await accountant.get(`/v2/report/${id}/rows/1/records`);
  expect(body.records).toMatchObject({ changed: true, notice: expect.stringContaining('changed') });
  expect(body.row.cells.gross).toBe('3033.00');
  expect(body.data).toMatchObject([{ sourceId: 's1', brings: { gross: '2700' }, record: corrected }]);
  const { body: gone } = await accountant.get(`/v2/report/${id}/rows/2/records`);
  expect(gone.data).toEqual([]);
});
