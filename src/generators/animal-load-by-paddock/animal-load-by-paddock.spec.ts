import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Ledger, meta, openLedger } from '../../../test/farm-records-ledger.js';
import { columnsOf, reportOf, type ShownReport } from '../../../test/report-type-rows.js';
import { AnimalLoadByPaddock } from './animal-load-by-paddock.generator.js';

let ledger: Ledger;

beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger?.close());

async function load(
  records: readonly object[],
  start: string,
  end: string,
  settings: object = {},
): Promise<ShownReport> {
  const id = await ledger.farmWith(records, { animalUnit: 'dse', areaUnit: 'ha', ...settings });
  return reportOf(ledger, id, AnimalLoadByPaddock, start, end);
}

const paddock = (id: string, grazableArea: string | undefined, more: object = {}, sourceId = id) => ({
  resourceType: 'Paddock',
  id,
  ...meta(`paddock-${sourceId}`),
  name: id.toUpperCase(),
  landUse: 'Grazing',
  totalArea: '20',
  ...(grazableArea && { grazableArea }),
  ...more,
});
const rating = (
  value: string,
  validFrom?: string,
  scope: object = { species: 'Sheep', ageClass: 'ewe' },
) => ({
  resourceType: 'AnimalUnitRating',
  ...meta(`rating-${value}-${validFrom}`),
  scope,
  unit: 'dse',
  value,
  ...(validFrom && { validFrom }),
});
const opening = (head: number, paddockId: string | undefined = 'p1', date = '2024-07-01') => ({
  resourceType: 'OpeningStock',
  id: `o-${paddockId}`,
  ...meta(`o-${paddockId}`),
  date,
  lines: [
    {
      species: 'Sheep',
      enterpriseId: 'wool',
      ageClass: 'ewe',
      mobId: 'm1',
      head,
      ...(paddockId && { paddockId }),
    },
  ],
});
const move = (id: string, when: object, toPaddockId: string, head?: number) => ({
  resourceType: 'PaddockMove',
  id,
  ...meta(id),
  ...when,
  mobId: 'm1',
  toPaddockId,
  ...(head && { head }),
});
const [p1, p2, oneDse] = [paddock('p1', '10'), paddock('p2', '5'), rating('1')];
const LOAD = ['paddock', 'month', 'head_days', 'unit_days'];

describe('unit days', () => {
  it.each([
    [1, '2024-07-01', '1.00'],
    [7, '2024-07-01', '7.00'],
    [1, '2024-07-07', '7.00'],
  ])('of %i DSE to %s are %s', async (head, end, unitDays) => {
    const report = await load([p1, oneDse, opening(head)], '2024-07-01', end);
    expect(columnsOf(report, LOAD)).toEqual([['P1', '2024-07', unitDays, unitDays]]);
  });

  it.each([
    ['a day of 23 hours', 'Australia/Sydney', '2024-10-06'],
    ['a day of 25 hours', 'Australia/Sydney', '2025-04-06'],
    ['a day of 24.5 hours', 'Australia/Lord_Howe', '2025-04-06'],
    ['a day without a midnight', 'America/Santiago', '2024-09-08'],
  ])('of %s are those of one day', async (_, timeZone, day) => {
    const report = await load([p1, oneDse, opening(3)], day, day, { timeZone });
    expect(columnsOf(report, ['head_days', 'unit_days', 'days_grazed'])).toEqual([['3.00', '3.00', 1]]);
  });

  it('are halved by a move at local noon', async () => {
    const noon = move('move', { eventDateTime: '2024-07-10T02:00:00Z' }, 'p2');
    const report = await load([p1, p2, oneDse, opening(10), noon], '2024-07-10', '2024-07-10');
    expect(columnsOf(report, [...LOAD, 'days_grazed', 'peak_load'])).toEqual([
      ['P1', '2024-07', '5.00', '5.00', 1, '10.00'],
      ['P2', '2024-07', '5.00', '5.00', 1, '10.00'],
    ]);
    expect(columnsOf(report, ['head_days', 'days_grazed', 'peak_load'], 'total')).toEqual([
      ['10.00', 1, '10.00'],
    ]);
  });

  it('go to the new paddock from the start of the day of a move without a time', async () => {
    const dated = move('move', { date: '2024-07-10' }, 'p2');
    const report = await load([p1, p2, oneDse, opening(10), dated], '2024-07-09', '2024-07-10');
    expect(columnsOf(report, [...LOAD, 'days_grazed', 'days_empty', 'grazing_pct'])).toEqual([
      ['P1', '2024-07', '10.00', '10.00', 1, 1, '50.00'],
      ['P2', '2024-07', '10.00', '10.00', 1, 1, '50.00'],
    ]);
  });

  it('stand on the rating that held on the day', async () => {
    const report = await load(
      [p1, oneDse, rating('2', '2024-07-03'), opening(10)],
      '2024-07-01',
      '2024-07-04',
    );
    expect(columnsOf(report, ['head_days', 'unit_days', 'avg_load', 'peak_load'])).toEqual([
      ['40.00', '60.00', '15.00', '20.00'],
    ]);
  });

  it("take a mob's rating before its class's", async () => {
    const report = await load(
      [p1, oneDse, rating('3', undefined, { mobId: 'm1' }), opening(10)],
      '2024-07-01',
      '2024-07-01',
    );
    expect(columnsOf(report, ['unit_days'])).toEqual([['30.00']]);
  });
});

describe('per area', () => {
  it('means grazable area, by the day on which it held', async () => {
    const smaller = paddock('p1', '5', { validFrom: '2024-07-03' }, 'p1-2');
    const report = await load([p1, smaller, oneDse, opening(10)], '2024-07-01', '2024-07-04');
    expect(
      columnsOf(report, ['area_grazable', 'unit_days', 'unit_days_per_area', 'avg_load_per_area']),
    ).toEqual([['7.5', '40.00', '6.00', '1.50']]);
  });

  it.each([['0'], [undefined]])('is blank for a grazable area of %s', async (area) => {
    const report = await load([paddock('p1', area), oneDse, opening(10)], '2024-07-01', '2024-07-01');
    expect(columnsOf(report, ['unit_days', 'unit_days_per_area', 'avg_load_per_area'])).toEqual([
      ['10.00', null, null],
    ]);
  });

  it("leaves cropping paddocks out of the farm's area, but not their stock", async () => {
    const crop = paddock('p2', '90', { landUse: 'Cropping' });
    const records = [p1, crop, oneDse, opening(10), move('part', { date: '2024-07-01' }, 'p2', 4)];
    const report = await load(records, '2024-07-02', '2024-07-02');
    expect(columnsOf(report, ['paddock', 'unit_days', 'area_grazable', 'unit_days_per_area'])).toEqual([
      ['P1', '6.00', '10', '0.60'],
      ['P2', '4.00', '90', '0.04'],
    ]);
    expect(columnsOf(report, ['unit_days', 'area_grazable', 'unit_days_per_area'], 'total')).toEqual([
      ['10.00', '10', '1.00'],
    ]);
  });
});

it('has a row a month for every paddock, a total for each and one for the farm', async () => {
  const report = await load([p1, p2, oneDse, opening(10)], '2024-07-31', '2024-08-02');
  expect(
    report.rows.map((row) => [row.row_type, row.paddock, row.month, row.days_in_period, row.unit_days]),
  ).toEqual([
    ['detail', 'P1', '2024-07', 1, '10.00'],
    ['detail', 'P1', '2024-08', 2, '20.00'],
    ['subtotal', 'P1', undefined, 3, '30.00'],
    ['detail', 'P2', '2024-07', 1, '0.00'],
    ['detail', 'P2', '2024-08', 2, '0.00'],
    ['subtotal', 'P2', undefined, 3, '0.00'],
    ['total', undefined, undefined, 3, '30.00'],
  ]);
});

it('takes a paddock that nobody declared for one that was always there', async () => {
  const report = await load(
    [oneDse, opening(10), move('m', { date: '2024-08-01' }, 'p9')],
    '2024-07-31',
    '2024-08-01',
  );
  const columns = [
    'paddock',
    'month',
    'days_in_period',
    'days_grazed',
    'days_empty',
    'grazing_pct',
    'avg_load',
  ];
  expect(columnsOf(report, columns)).toEqual([
    ['p1', '2024-07', 1, 1, 0, '100.00', '10.00'],
    ['p1', '2024-08', 1, 0, 1, '0.00', '0.00'],
    ['p9', '2024-07', 1, 0, 1, '0.00', '0.00'],
    ['p9', '2024-08', 1, 1, 0, '100.00', '10.00'],
  ]);
  expect(columnsOf(report, columns.slice(2), 'subtotal')).toEqual([
    [2, 1, 1, '50.00', '5.00'],
    [2, 1, 1, '50.00', '5.00'],
  ]);
});

it('shows stock in no paddock as Unallocated, and a cropping paddock only with stock', async () => {
  const crop = paddock('p2', '90', { landUse: 'Cropping' });
  const nowhere = { ...opening(4), lines: [{ species: 'Sheep', ageClass: 'ewe', mobId: 'm1', head: 4 }] };
  const report = await load([crop, oneDse, nowhere], '2024-07-01', '2024-07-01');
  expect(columnsOf(report, ['paddock', 'unit_days', 'unit_days_per_area'])).toEqual([
    ['Unallocated', '4.00', null],
  ]);
});

it('counts stock without a rating apart, and says which', async () => {
  const report = await load([p1, opening(4)], '2024-07-01', '2024-07-02');
  expect(columnsOf(report, ['head_days', 'unit_days', 'head_days_unrated'])).toEqual([
    ['8.00', '0.00', '8.00'],
  ]);
  expect(report.warnings).toEqual([
    'Sheep, ewe: no DSE rating is given; their head days are shown under head_days_unrated.',
  ]);
});

it.each([
  ['lsu', '0.10', 'Eurostat livestock unit coefficients, Regulation (EC) No 1166/2008'],
  ['ae', '0.00', undefined],
])('rates by the published table of %s where no rating is given', async (animalUnit, unitDays, table) => {
  const report = await load([p1, opening(1)], '2024-07-01', '2024-07-01', { animalUnit });
  expect(columnsOf(report, ['unit', 'unit_days'])).toEqual([[animalUnit, unitDays]]);
  if (table) expect(report.warnings).toEqual([`Stock without a rating of their own are rated by: ${table}.`]);
});

it('does not take a rating of another unit', async () => {
  const report = await load([p1, { ...oneDse, unit: 'ae' }, opening(1)], '2024-07-01', '2024-07-01');
  expect(columnsOf(report, ['unit_days', 'head_days_unrated'])).toEqual([['0.00', '1.00']]);
});

it('is a header only for a farm without paddocks and stock', async () => {
  expect(await load([], '2024-07-01', '2025-06-30')).toEqual({ rows: [], warnings: [] });
});

it('warns of a paddock that more stock left than were there', async () => {
  const sale = {
    resourceType: 'icarGroupMovementDepartureEventResource',
    id: 's',
    ...meta('s'),
    eventDateTime: '2024-07-02T02:00:00Z',
    departureKind: 'Sale',
    groupMethod: 'InventoryClassification',
    inventoryClassification: { name: 'sheep', species: 'Sheep', count: 12 },
    ext: { mobId: 'm1', enterpriseId: 'wool', ageClass: 'ewe', paddockId: 'p1' },
  };
  const report = await load([p1, oneDse, opening(10), sale], '2024-07-01', '2024-07-03');
  expect(report.warnings).toEqual(['P1: more head left than were there.']);
  expect(columnsOf(report, ['head_days'])).toEqual([['12.00']]);
});
