import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { type StartedService, startService } from './support/service.js';

/** The published sheep trading account: opening 1306 valued 13,974, natural increase at 54 a head. */
const FIGURES = {
  opening: 1306,
  births: 425,
  purchases: 5,
  sales: 361,
  rations: 10,
  deaths: 152,
  closing: 1213,
};
const VALUES = {
  opening_value: '13974.00',
  births_value: '22950.00',
  purchase_value: '1750.00',
  average_cost: '22.2776',
  sales_value: '16543.00',
  rations_value: '222.78',
  closing_value: '27022.79',
  gross_profit: '28064.57',
};

const meta = (sourceId: string): object => ({
  source: 'account',
  sourceId,
  modified: '2025-07-01T00:00:00Z',
});
const group = (id: string, eventDateTime: string, count: number): object => ({
  id,
  meta: meta(id),
  eventDateTime,
  location: { id: 'PIC123', scheme: 'AU.PIC' },
  groupMethod: 'InventoryClassification',
  inventoryClassification: { name: 'ewes', species: 'Sheep', count },
});
const ext = { mobId: 'ewes', enterpriseId: 'sheep', ageClass: 'ewe', paddockId: 'home' };
const trade = (amount: string): object => ({
  trade: { price: { amount, currency: 'AUD', basis: 'total' }, counterparty: 'Elders' },
});

const records = [
  { resourceType: 'Enterprise', id: 'sheep', meta: meta('e'), name: 'Sheep', species: 'Sheep' },
  { resourceType: 'Mob', id: 'ewes', meta: meta('m'), name: 'Ewes', species: 'Sheep' },
  {
    resourceType: 'Paddock',
    id: 'home',
    meta: meta('p'),
    name: 'Home',
    landUse: 'Grazing',
    totalArea: 200,
    grazableArea: '180.5',
    validFrom: '2020-01-01',
  },
  {
    resourceType: 'OpeningStock',
    id: 'opening',
    meta: meta('opening'),
    date: '2024-07-01',
    lines: [
      {
        species: 'Sheep',
        ageClass: 'ewe',
        enterpriseId: 'sheep',
        mobId: 'ewes',
        paddockId: 'home',
        head: 1306,
        value: '13974',
      },
    ],
  },
  {
    resourceType: 'icarGroupMovementBirthEventResource',
    ...group('births', '2024-09-10T02:00:00Z', 425),
    registrationReason: 'Born',
    ext,
  },
  {
    resourceType: 'icarGroupMovementArrivalEventResource',
    ...group('purchases', '2024-11-02T02:00:00Z', 5),
    arrivalReason: 'Purchase',
    ext: { ...ext, ...trade('1750') },
  },
  {
    resourceType: 'icarGroupMovementDepartureEventResource',
    ...group('sales', '2025-02-20T02:00:00Z', 361),
    departureKind: 'Sale',
    departureReason: 'Slaughter',
    ext: { ...ext, ...trade('16543') },
  },
  {
    resourceType: 'icarGroupMovementDeathEventResource',
    ...group('rations', '2025-03-01T02:00:00Z', 10),
    deathMethod: 'Slaughter',
    deathreason: 'Consumption',
    ext,
  },
  {
    resourceType: 'icarGroupMovementDeathEventResource',
    ...group('deaths', '2025-05-05T02:00:00Z', 152),
    deathMethod: 'Perished',
    deathreason: 'Unknown',
    ext,
  },
];

let database: FreshDatabase;
let service: StartedService;
let accountant: Caller;

beforeAll(async () => {
  database = await freshDatabase();
  service = await startService({ databaseUrl: database.url });
  accountant = new Caller(service.url, await apiKeyFor(database.url, ['farm-1']));
  const farm = {
    name: 'The published account',
    timeZone: 'Australia/Sydney',
    animalUnit: 'dse',
    areaUnit: 'ha',
    currency: 'AUD',
    financialYearStart: '07-01',
    naturalIncreaseValues: { sheep: '54' },
  };
  expect((await accountant.send('PUT', '/v2/farms/farm-1', farm)).status).toBe(201);
  expect(await accountant.import('farm-1', records)).toMatchObject({ accepted: records.length, rejected: 0 });
});

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

describe.each(['livestock-reconciliation.v1', 'livestock-reconciliation.v2', 'livestock-reconciliation.v3'])(
  'the published sheep account as %s',
  (type) => {
    let path: string;

    beforeAll(async () => {
      const { body, status } = await accountant.createReport({
        type,
        tenantType: 'farm',
        tenantId: 'farm-1',
        reportingPeriodStart: Date.parse('2024-06-30T14:00:00Z'),
        reportingPeriodEnd: Date.parse('2025-06-29T14:00:00Z'),
      });
      expect(status).toBe(201);
      expect(await accountant.ended(body.data.id)).toMatchObject({
        status: 'completed',
        warnings: expect.any(Array),
      });
      path = `/v2/report/${body.data.id}/download`;
    });

    it('closes with the published figures in CSV', async () => {
      const rows = parse((await accountant.get(path)).text, { columns: true }) as Record<string, string>[];
      const figures = Object.fromEntries(Object.entries(FIGURES).map(([name, head]) => [name, String(head)]));
      const detail = rows.filter((row) => row['row_type'] === 'detail');
      expect(detail).toEqual([
        expect.objectContaining({ ...figures, species: 'Sheep', age_class: 'ewe', closing_value: '' }),
      ]);
      const valued = rows.filter((row) => row['closing_value'] !== '');
      expect(valued.length).toBeGreaterThanOrEqual(1);
      for (const row of valued) expect(row).toMatchObject({ ...figures, ...VALUES });
      expect(valued.map((row) => row['row_type'])).toContain('subtotal');
    });

    it('closes with the published figures in JSON', async () => {
      const { body } = await accountant.get(path, { accept: 'application/json' });
      expect(body.report).toMatchObject({
        farm: expect.anything(),
        period: expect.objectContaining({ start: '2024-07-01', end: '2025-06-30' }),
      });
      const valued = [...body.rows, ...body.totals].filter(
        (row: any) => row.closing_value !== null && row.closing_value !== undefined,
      );
      expect(valued.length).toBeGreaterThanOrEqual(1);
      for (const row of valued) expect(row).toMatchObject({ ...FIGURES, ...VALUES });
    });
  },
);
