import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Ledger, meta, openLedger } from '../../../test/farm-records-ledger.js';
import { columnsOf, reportOf, type ShownReport } from '../../../test/report-type-rows.js';
import { LivestockSale } from './livestock-sale.generator.js';

let ledger: Ledger;

beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger?.close());

async function sales(records: readonly object[]): Promise<ShownReport> {
  const id = await ledger.farmWith(records, { currency: 'AUD' });
  return reportOf(ledger, id, LivestockSale, '2024-07-01', '2025-06-30');
}

const steers = { mobId: 'm1', enterpriseId: 'beef', ageClass: 'steer', paddockId: 'p7' };
const opening = {
  resourceType: 'OpeningStock',
  id: 'o',
  ...meta('o'),
  date: '2024-07-01',
  lines: [
    { species: 'Cattle', ...steers, head: 60 },
    { species: 'Cattle', ...steers, ageClass: 'heifer', head: 40 },
  ],
};
const names = [
  { resourceType: 'Enterprise', id: 'beef', ...meta('e'), name: 'Beef' },
  { resourceType: 'Mob', id: 'm1', ...meta('m'), name: 'Home mob' },
  { resourceType: 'Paddock', id: 'p7', ...meta('p'), name: 'River' },
];
const deal = {
  price: { amount: '2.55', currency: 'AUD', basis: 'perKg' },
  weight: { value: '480', unit: 'KGM', type: 'live' },
  fees: [
    { kind: 'commission', amount: '36.72' },
    { kind: 'freight', amount: '60.00' },
    { kind: 'weighing', amount: '5' },
  ],
  tax: '244.80',
  agent: 'Elders',
  counterparty: 'Teys',
  counterpartyPic: 'QABC1234',
  reference: 'K-1',
  nvd: 'N77',
  saleType: 'saleyard',
};
const departure = (
  id: string,
  eventDateTime: string,
  count: number,
  ext: object = {},
  more: object = {},
) => ({
  resourceType: 'icarGroupMovementDepartureEventResource',
  id,
  ...meta(id),
  eventDateTime,
  departureKind: 'Sale',
  groupMethod: 'InventoryClassification',
  inventoryClassification: { name: 'cattle', species: 'Cattle', count, sex: 'Male' },
  ext: { ...steers, trade: deal, ...ext },
  ...more,
});

it('sells a whole mob once, though more of one of its classes left than were there', async () => {
  const death = {
    resourceType: 'icarGroupMovementDeathEventResource',
    id: 'd',
    ...meta('d'),
    eventDateTime: '2024-07-20T02:00:00Z',
    inventoryClassification: { name: 'cattle', species: 'Cattle', count: 3 },
    ext: { ...steers, ageClass: 'calf' },
  };
  const price = { amount: '90000', currency: 'AUD', basis: 'total' };
  const all = {
    ...departure('s', '2024-08-01T02:00:00Z', 0),
    inventoryClassification: null,
    ext: { mobId: 'm1', trade: { price, fees: [{ kind: 'commission', amount: '500' }] } },
  };
  const report = await sales([opening, death, all]);
  expect(columnsOf(report, ['age_class', 'head', 'gross', 'commission'])).toEqual([
    ['heifer', 40, '36000.00', '200.00'],
    ['steer', 60, '54000.00', '300.00'],
  ]);
  expect(columnsOf(report, ['head', 'gross', 'net'], 'total')).toEqual([[100, '90000.00', '89500.00']]);
});

it('shows a consignment with its price, deductions and net, and a total', async () => {
  const { rows, warnings } = await sales([...names, opening, departure('s', '2024-08-01T02:00:00Z', 2)]);
  const sums = {
    head: 2,
    gross: '2448.00',
    commission: '36.72',
    yardage: '0.00',
    levy: '0.00',
    freight: '60.00',
    other_deductions: '5.00',
    tax: '244.80',
    net: '2346.28',
    currency: 'AUD',
    whp_active_head: 0,
    esi_active_head: 0,
  };
  expect(rows).toEqual([
    {
      row_type: 'detail',
      date: '2024-08-01',
      reference: 'K-1',
      sale_type: 'saleyard',
      buyer: 'Teys',
      destination_pic: 'QABC1234',
      agent: 'Elders',
      nvd: 'N77',
      species: 'Cattle',
      sex: 'Male',
      age_class: 'steer',
      enterprise: 'Beef',
      enterprise_id: 'beef',
      mob: 'Home mob',
      mob_id: 'm1',
      management: 'mob',
      source_paddock: 'River',
      source_paddock_id: 'p7',
      avg_weight: '480.00',
      total_weight: '960.00',
      weight_type: 'live',
      live_weight: '960.00',
      price_basis: 'perKg',
      unit_price: '2.55',
      price_per_head: '1224.00',
      price_per_kg: '2.55',
      net_per_head: '1173.14',
      ...sums,
    },
    { row_type: 'total', ...sums },
  ]);
  expect(warnings).toEqual([]);
});

it('is a header only when nothing was sold', async () => {
  expect(await sales([opening])).toEqual({ rows: [], warnings: [] });
});

it('splits what a consignment shares by head, the odd cent on its last row', async () => {
  const total = {
    ...deal,
    price: { amount: '1000', currency: 'AUD', basis: 'total' },
    fees: [{ kind: 'Freight', amount: '100' }],
    tax: '0',
  };
  const steersOnly = departure('s1', '2024-08-01T02:00:00Z', 1, { trade: total });
  const heifers = departure('s2', '2024-08-01T03:00:00Z', 2, {
    trade: { ...total, fees: [] },
    ageClass: 'heifer',
  });
  const report = await sales([opening, steersOnly, heifers]);
  expect(columnsOf(report, ['age_class', 'head', 'gross', 'freight', 'net'])).toEqual([
    ['heifer', 2, '1000.00', '66.66', '933.34'],
    ['steer', 1, '1000.00', '33.34', '966.66'],
  ]);
  expect(columnsOf(report, ['gross', 'freight', 'net'], 'total')).toEqual([['2000.00', '100.00', '1900.00']]);
});

it('counts the sale of a tagged animal like that of a mob, and says how it was managed', async () => {
  const animal = { scheme: 'au.nlis', id: '951' };
  const born = {
    resourceType: 'icarMovementBirthEventResource',
    id: 'b',
    ...meta('b'),
    eventDateTime: '2024-07-10T02:00:00Z',
    animal,
    registrationReason: 'Born',
    animalDetail: { identifier: animal, specie: 'Cattle', gender: 'Female' },
    ext: { ...steers, ageClass: 'calf' },
  };
  const sold = {
    resourceType: 'icarMovementDepartureEventResource',
    id: 's',
    ...meta('s'),
    eventDateTime: '2025-01-10T02:00:00Z',
    animal,
    departureKind: 'Sale',
    ext: { trade: { ...deal, price: { amount: '900', currency: 'AUD', basis: 'perHead' }, fees: [] } },
  };
  const declared = {
    resourceType: 'icarAnimalCoreResource',
    ...meta('a'),
    identifier: animal,
    specie: 'Cattle',
    gender: 'Female',
  };
  const report = await sales([declared, born, sold]);
  expect(
    columnsOf(report, ['species', 'sex', 'age_class', 'enterprise', 'mob', 'management', 'head', 'gross']),
  ).toEqual([['Cattle', 'Female', 'calf', 'beef', 'm1', 'individual', 1, '900.00']]);
});

it('shows stock that came back as a negative row on its own day', async () => {
  const returned = {
    ...departure('r', '2024-08-20T02:00:00Z', 1, { trade: { ...deal, fees: [] } }),
    resourceType: 'icarGroupMovementArrivalEventResource',
    arrivalReason: 'SaleReturn',
  };
  const report = await sales([opening, departure('s', '2024-08-01T02:00:00Z', 2), returned]);
  expect(columnsOf(report, ['date', 'head', 'gross', 'total_weight', 'price_per_head', 'net'])).toEqual([
    ['2024-08-01', 2, '2448.00', '960.00', '1224.00', '2346.28'],
    ['2024-08-20', -1, '-1224.00', '-480.00', '1224.00', '-1224.00'],
  ]);
  expect(columnsOf(report, ['head', 'gross', 'net'], 'total')).toEqual([[1, '1224.00', '1122.28']]);
});

it('never adds currencies', async () => {
  const nzd = { ...deal, price: { amount: '100', currency: 'NZD', basis: 'perHead' }, fees: [], tax: '0' };
  const report = await sales([
    opening,
    departure('s1', '2024-08-01T02:00:00Z', 2),
    departure('s2', '2024-08-01T02:00:00Z', 3, { trade: nzd }),
  ]);
  expect(columnsOf(report, ['currency', 'head', 'gross'], 'total')).toEqual([
    ['AUD', 2, '2448.00'],
    ['NZD', 3, '300.00'],
  ]);
});

it('lists what has no price with blank amounts and a warning', async () => {
  const report = await sales([
    opening,
    departure('s', '2024-08-01T02:00:00Z', 2, { trade: { counterparty: 'Teys' } }),
  ]);
  expect(columnsOf(report, ['head', 'gross', 'net', 'currency'])).toEqual([[2, null, null, 'AUD']]);
  expect(report.warnings).toEqual([
    '2 head have no price, or one per kg and no weight: their amounts are blank and outside the totals.',
  ]);
});

it('tells when other head were consigned than recorded', async () => {
  const consigned = departure('s', '2024-08-01T02:00:00Z', 2, {}, { consignment: { countConsigned: 3 } });
  const report = await sales([opening, consigned]);
  expect(columnsOf(report, ['head', 'head_invoiced'])).toEqual([[2, 3]]);
  expect(report.warnings).toEqual(['Consignment K-1 of 2024-08-01: 3 head were consigned, 2 were recorded.']);
});

it('dresses stock sold with both weights', async () => {
  const both = { ...deal, carcassWeight: { value: '259.2', unit: 'KGM', type: 'carcass' } };
  const report = await sales([opening, departure('s', '2024-08-01T02:00:00Z', 2, { trade: both })]);
  expect(columnsOf(report, ['live_weight', 'carcass_weight', 'dressing_pct'])).toEqual([
    ['960.00', '518.40', '54.00'],
  ]);
});

const drench = (id: string, eventDateTime: string) => ({
  resourceType: 'icarGroupTreatmentEventResource',
  id,
  ...meta(id),
  eventDateTime,
  groupMethod: 'ExistingAnimalSet',
  animalSetId: 'm1',
  medicine: { name: 'Drench' },
  ext: { mobId: 'm1', courseId: 'c1', whpDays: 14, esiDays: 42 },
});

it.each([
  ['2024-08-23T02:00:00Z', 2, '2024-08-24'],
  ['2024-08-24T02:00:00Z', 0, null],
])('flags a sale on %s against the last of three doses', async (day, head, clear) => {
  const doses = ['2024-08-01', '2024-08-05', '2024-08-10'].map((date, index) =>
    drench(`t${index}`, `${date}T01:00:00Z`),
  );
  const report = await sales([opening, ...doses, departure('s', day, 2)]);
  expect(
    columnsOf(report, ['whp_active_head', 'whp_clear_date', 'esi_active_head', 'esi_clear_date']),
  ).toEqual([[head, clear, 2, '2024-09-21']]);
  expect(report.warnings).toEqual([
    '2 head were moved inside a withholding period or export slaughter interval.',
  ]);
});

const others = {
  resourceType: 'OpeningStock',
  id: 'o2',
  ...meta('o2'),
  date: '2024-07-01',
  lines: [{ species: 'Cattle', ...steers, mobId: 'm2', head: 10 }],
};
const treated = (mobId: string, whpDays: number, day = '2024-08-01') => ({
  ...drench(`t-${mobId}-${day}`, `${day}T01:00:00Z`),
  animalSetId: mobId,
  ext: { mobId, whpDays, esiDays: 0 },
});
const merge = (eventDateTime: string) => ({
  resourceType: 'MobTransfer',
  id: 'merge',
  ...meta('merge'),
  eventDateTime,
  from: { mobId: 'm2' },
  to: [{ mobId: 'm1', species: 'Cattle', ageClass: 'steer', head: 10 }],
});
const withheld = '2 head were moved inside a withholding period or export slaughter interval.';
const merged = (clear: string) =>
  `Stock of unequal withholding came together in mob m1 on 2024-08-05: all its head carry the later date, ${clear}.`;

it.each([
  ['withheld stock joined clear ones', [treated('m2', 14)], '2024-08-15', merged('2024-08-15')],
  ['clear stock joined withheld ones', [treated('m1', 14)], '2024-08-15', merged('2024-08-15')],
  [
    'both were withheld to different days',
    [treated('m1', 14), treated('m2', 10)],
    '2024-08-15',
    merged('2024-08-15'),
  ],
  ['both were withheld alike', [treated('m1', 14), treated('m2', 14)], '2024-08-15', undefined],
  ['they were treated together after that', [treated('m1', 14, '2024-08-06')], '2024-08-20', undefined],
])('carries the later date of a merged mob, and says so, where %s', async (_, treatments, clear, warning) => {
  const report = await sales([
    opening,
    others,
    ...treatments,
    merge('2024-08-05T02:00:00Z'),
    departure('s', '2024-08-10T02:00:00Z', 2),
  ]);
  expect(columnsOf(report, ['whp_active_head', 'whp_clear_date'])).toEqual([[2, clear]]);
  expect(report.warnings).toEqual(warning === undefined ? [withheld] : [withheld, warning]);
});

it('says nothing of a merge after the sale, or into a mob that was empty', async () => {
  const sold = departure('s', '2024-08-04T02:00:00Z', 2);
  const later = await sales([opening, others, treated('m1', 14), merge('2024-08-05T02:00:00Z'), sold]);
  expect(later.warnings).toEqual([withheld]);
  const moved = departure('s', '2024-08-10T02:00:00Z', 2);
  const alone = await sales([others, treated('m2', 14), merge('2024-08-05T02:00:00Z'), moved]);
  expect(alone.warnings).toEqual([withheld]);
});

it.each([
  ['sold', departure('gone', '2024-08-05T02:00:00Z', 60)],
  [
    'moved to another mob',
    { ...merge('2024-08-05T02:00:00Z'), from: { mobId: 'm1' }, to: [{ mobId: 'm9', head: 60 }] },
  ],
])(
  'ends the withholding of a mob with its last head: who comes after they were %s is clear',
  async (_, gone) => {
    const steersOnly = { ...opening, lines: opening.lines.slice(0, 1) };
    const comes = { ...merge('2024-08-06T02:00:00Z'), id: 'comes', ...meta('comes') };
    const sold = departure('s', '2024-08-10T02:00:00Z', 2);
    const report = await sales([steersOnly, others, treated('m1', 14), gone, comes, sold]);
    const of = columnsOf(report, ['date', 'head', 'whp_active_head', 'whp_clear_date']);
    expect(of.at(-1)).toEqual(['2024-08-10', 2, 0, null]);
    const kept = departure('gone', '2024-08-05T02:00:00Z', 59);
    const some = await sales([steersOnly, others, treated('m1', 14), kept, comes, sold]);
    expect(columnsOf(some, ['whp_active_head', 'whp_clear_date']).at(-1)).toEqual([2, '2024-08-15']);
  },
);

describe('stock fed with a feed that withholds', () => {
  const pellets = {
    resourceType: 'icarFeedResource',
    id: 'pellets',
    ...meta('pellets'),
    name: 'Pellets',
    ext: { whpDays: 7 },
  };
  const fed = (id: string, day: string, ext: object = {}, more: object = {}) => ({
    resourceType: 'icarGroupFeedingEventResource',
    id,
    ...meta(id),
    feedingStartingDateTime: day,
    feedTotal: [
      { feedId: { id: 'hay' }, feedConsumption: { value: 3, unitCode: 'KGM' } },
      { feedId: { id: 'pellets' }, feedConsumption: { value: 3, unitCode: 'KGM' } },
    ],
    ext: { mobId: 'm1', ...ext },
    ...more,
  });
  const sold = ['2024-08-10', '2024-08-11', '2024-08-12'].map((day, nth) =>
    departure(`s${nth}`, `${day}T02:00:00Z`, 2),
  );
  const flags = (report: ShownReport) => columnsOf(report, ['date', 'whp_active_head', 'whp_clear_date']);

  it.each([
    ['the days of the feed, declared before', [pellets, fed('f', '2024-08-04')]],
    ['the days of the feed, declared after', [fed('f', '2024-08-04'), pellets]],
    ['the days said with the feeding', [pellets, fed('f', '2024-08-01', { whpDays: 10 })]],
    ['its last day', [pellets, fed('f', '2024-08-01', {}, { feedingEndDateTime: '2024-08-04' })]],
  ])('are flagged by %s', async (_, records) => {
    const id = await ledger.newFarm();
    for (const record of [opening, ...records, ...sold]) await ledger.import(id, [record]);
    const report = await reportOf(ledger, id, LivestockSale, '2024-07-01', '2025-06-30');
    expect(flags(report)).toEqual([
      ['2024-08-10', 2, '2024-08-11'],
      ['2024-08-11', 0, null],
      ['2024-08-12', 0, null],
    ]);
  });

  it('are clear once the feed is said to withhold nobody', async () => {
    const id = await ledger.newFarm();
    const harmless = { ...pellets, ext: {}, ...meta('pellets', { modified: '2025-08-01T00:00:00Z' }) };
    for (const record of [opening, pellets, fed('f', '2024-08-04'), ...sold, harmless])
      await ledger.import(id, [record]);
    const report = await reportOf(ledger, id, LivestockSale, '2024-07-01', '2025-06-30');
    expect(flags(report).map(([, head]) => head)).toEqual([0, 0, 0]);
  });
});

it('takes the other end from the consignment where the trade is silent', async () => {
  const consignment = {
    id: { scheme: 'x', id: 'C-7' },
    destinationLocation: { scheme: 'pic', id: 'QJKL0001' },
    destinationOrganization: { name: 'Northern Meats' },
    countConsigned: 2,
  };
  const priced = { price: { amount: '900', currency: 'AUD', basis: 'perHead' } };
  const report = await sales([
    opening,
    departure(
      'said',
      '2024-08-01T02:00:00Z',
      2,
      { trade: { ...priced, counterpartyPic: 'OWN' } },
      { consignment },
    ),
    departure('silent', '2024-08-02T02:00:00Z', 2, { trade: priced }, { consignment }),
  ]);
  expect(columnsOf(report, ['reference', 'buyer', 'destination_pic', 'head_invoiced'])).toEqual([
    ['C-7', 'Northern Meats', 'OWN', 2],
    ['C-7', 'Northern Meats', 'QJKL0001', 2],
  ]);
});

it('counts a fee in the currency it names where there is no price', async () => {
  const report = await sales([
    opening,
    departure('s', '2024-08-01T02:00:00Z', 2, {
      trade: { fees: [{ kind: 'freight', amount: '30', currency: 'NZD' }] },
    }),
  ]);
  expect(columnsOf(report, ['freight', 'currency', 'net'])).toEqual([['30.00', 'NZD', null]]);
});

it('takes transfers and agistment for no sale', async () => {
  const report = await sales([
    opening,
    departure('a', '2024-08-01T02:00:00Z', 2, {}, { departureKind: 'Agistment' }),
  ]);
  expect(report.rows).toEqual([]);
});
