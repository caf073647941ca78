import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Ledger, meta, openLedger } from '../../../test/farm-records-ledger.js';
import { columnsOf, reportOf, type ShownReport } from '../../../test/report-type-rows.js';
import { LivestockFeed } from './livestock-feed.generator.js';

let ledger: Ledger;

beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger?.close());

async function fed(
  records: readonly object[],
  start = '2024-07-01',
  end = '2025-06-30',
): Promise<ShownReport> {
  const id = await ledger.farmWith([...mobs, barley, ...records]);
  return reportOf(ledger, id, LivestockFeed, start, end);
}

const line = (mobId: string, ageClass: string, head: number) => ({
  species: 'Sheep',
  enterpriseId: 'wool',
  ageClass,
  mobId,
  paddockId: 'p1',
  head,
});
const mobs = [
  {
    resourceType: 'OpeningStock',
    id: 'o',
    ...meta('o'),
    date: '2024-07-01',
    lines: [line('m1', 'ewe', 50), line('mixed', 'ewe', 2), line('mixed', 'lamb', 1)],
  },
];
const barley = {
  resourceType: 'icarFeedResource',
  id: 'barley',
  ...meta('barley'),
  name: 'Barley',
  category: 'Grain',
  ext: { unitCost: { amount: '320', currency: 'AUD', unit: 't' }, dryMatterPct: '90', whpDays: 3 },
};
const feeding = (id: string, eventDateTime: string, quantity: object, mobId = 'm1', more: object = {}) => ({
  resourceType: 'icarGroupFeedingEventResource',
  id,
  ...meta(id),
  eventDateTime,
  animalSetId: mobId,
  ...quantity,
  ext: { mobId, batch: 'B7' },
  ...more,
});
const perHead = (value: number, unitCode = 'KGM') => ({
  feedPerAnimal: [{ feedId: { id: 'barley' }, feedConsumption: { value, unitCode } }],
});
const inAll = (value: number, unitCode = 'KGM') => ({
  feedTotal: [{ feedId: { id: 'barley' }, feedConsumption: { value, unitCode } }],
});

it('shows what a mob was fed, a head and in all, with its cost, and sums by feed and currency', async () => {
  const { rows, warnings } = await fed([feeding('f', '2024-08-01T02:00:00Z', perHead(2))]);
  expect(rows).toEqual([
    {
      row_type: 'detail',
      date: '2024-08-01',
      paddock: 'p1',
      paddock_id: 'p1',
      mob: 'm1',
      mob_id: 'm1',
      management: 'mob',
      species: 'Sheep',
      enterprise: 'wool',
      enterprise_id: 'wool',
      age_class: 'ewe',
      head_fed: 50,
      feed: 'Barley',
      feed_id: 'barley',
      category: 'Grain',
      batch: 'B7',
      quantity: '100',
      unit: 'kg',
      quantity_kg: '100',
      dry_matter_pct: '90',
      quantity_kg_dm: '90',
      quantity_per_head: '2',
      unit_cost: '0.32',
      total_cost: '32.00',
      cost_per_head: '0.64',
      currency: 'AUD',
      feed_whp_days: 3,
      feed_whp_clear_date: '2024-08-04',
    },
    {
      row_type: 'subtotal',
      feed: 'Barley',
      feed_id: 'barley',
      unit: 'kg',
      quantity: '100',
      quantity_kg: '100',
      quantity_kg_dm: '90',
      total_cost: '32.00',
      currency: 'AUD',
    },
    { row_type: 'total', total_cost: '32.00', currency: 'AUD' },
  ]);
  expect(warnings).toEqual([]);
});

it('splits what a mixed mob had by head, the remainder with the largest class', async () => {
  const report = await fed([feeding('f', '2024-08-01T02:00:00Z', inAll(10), 'mixed')]);
  expect(columnsOf(report, ['age_class', 'head_fed', 'quantity'])).toEqual([
    ['ewe', 2, '6.667'],
    ['lamb', 1, '3.333'],
  ]);
});

it("splits a feeding over several days evenly at the period's edge", async () => {
  const long = feeding('f', '2024-07-30T02:00:00Z', inAll(100), 'm1', {
    feedingEndDateTime: '2024-08-02T02:00:00Z',
  });
  expect(
    columnsOf(await fed([long], '2024-07-01', '2024-07-31'), ['date', 'quantity', 'feed_whp_clear_date']),
  ).toEqual([['2024-07-30', '50', '2024-08-05']]);
  expect(columnsOf(await fed([long], '2024-08-01', '2024-08-01'), ['date', 'quantity'])).toEqual([
    ['2024-08-01', '25'],
  ]);
  expect(columnsOf(await fed([long], '2024-08-03', '2024-08-31'), ['date', 'quantity'])).toEqual([]);
});

it('keeps up to six places of a cost of one unit, and rounds the money alone', async () => {
  const report = await fed([
    feeding('f', '2024-08-01T02:00:00Z', inAll(300), 'm1', {
      ext: { mobId: 'm1', unitCost: { amount: '0.12345678', currency: 'AUD', unit: 'kg' } },
    }),
  ]);
  expect(columnsOf(report, ['unit_cost', 'total_cost'])[0]).toEqual(['0.123457', '37.04']);
});

it('leaves the cost blank where its unit says nothing of what was fed, with a warning', async () => {
  const report = await fed([feeding('f', '2024-08-01T02:00:00Z', inAll(4, 'bale'))]);
  expect(columnsOf(report, ['quantity', 'unit', 'quantity_kg', 'total_cost', 'currency'])).toEqual([
    ['4', 'bale', null, null, null],
  ]);
  expect(report.warnings).toEqual([
    'Barley: a cost per t says nothing of a quantity in bale; its cost columns are blank.',
  ]);
});

it('sums feeds, units and currencies apart', async () => {
  const report = await fed([
    feeding('f1', '2024-08-01T02:00:00Z', inAll(100)),
    feeding('f2', '2024-08-02T02:00:00Z', inAll(1, 'TNE')),
    feeding('f3', '2024-08-03T02:00:00Z', inAll(50)),
  ]);
  expect(columnsOf(report, ['unit', 'quantity', 'total_cost'], 'subtotal')).toEqual([
    ['kg', '150', '48.00'],
    ['t', '1', '320.00'],
  ]);
  expect(columnsOf(report, ['total_cost', 'currency'], 'total')).toEqual([['368.00', 'AUD']]);
});
