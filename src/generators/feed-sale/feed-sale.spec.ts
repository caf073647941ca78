import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Ledger, meta, openLedger } from '../../../test/farm-records-ledger.js';
import { columnsOf, reportOf, type ShownReport } from '../../../test/report-type-rows.js';
import { FeedSale } from './feed-sale.generator.js';

let ledger: Ledger;

beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger?.close());

async function feedSales(records: readonly object[]): Promise<ShownReport> {
  const id = await ledger.farmWith(records, { currency: 'AUD' });
  return reportOf(ledger, id, FeedSale, '2024-07-01', '2025-06-30');
}

const hay = {
  resourceType: 'icarFeedResource',
  id: 'hay',
  ...meta('hay'),
  name: 'Oaten hay',
  category: 'Roughage',
};
const sale = (id: string, date: string, quantity: string, unit: string, more: object = {}) => ({
  resourceType: 'FeedSale',
  id,
  ...meta(id),
  date,
  feedId: 'hay',
  batch: 'B1',
  quantity,
  unit,
  price: { amount: '240', currency: 'AUD', basis: 'perUnit' },
  freight: '50',
  fees: [{ kind: 'weighbridge', amount: '10' }],
  tax: '120',
  buyer: 'Neighbour',
  reference: 'F-1',
  ...more,
});

it('shows a sale with its fees and net, and a total', async () => {
  const { rows, warnings } = await feedSales([hay, sale('s', '2024-08-01', '5', 't')]);
  const sums = {
    gross: '1200.00',
    freight: '50.00',
    other_fees: '10.00',
    tax: '120.00',
    net: '1140.00',
    currency: 'AUD',
  };
  expect(rows).toEqual([
    {
      row_type: 'detail',
      date: '2024-08-01',
      reference: 'F-1',
      buyer: 'Neighbour',
      feed: 'Oaten hay',
      feed_id: 'hay',
      category: 'Roughage',
      batch: 'B1',
      quantity: '5',
      unit: 't',
      quantity_kg: '5000',
      unit_price: '240',
      price_basis: 'perUnit',
      ...sums,
    },
    { row_type: 'total', ...sums },
  ]);
  expect(warnings).toEqual([]);
});

it('shows feed that came back as a negative line', async () => {
  const returned = sale('r', '2024-08-05', '-1', 't', { freight: '0', fees: [], tax: '-24' });
  const report = await feedSales([hay, sale('s', '2024-08-01', '5', 't'), returned]);
  expect(columnsOf(report, ['quantity', 'quantity_kg', 'gross', 'tax', 'net'])).toEqual([
    ['5', '5000', '1200.00', '120.00', '1140.00'],
    ['-1', '-1000', '-240.00', '-24.00', '-240.00'],
  ]);
  expect(columnsOf(report, ['gross', 'net'], 'total')).toEqual([['960.00', '900.00']]);
});

it('takes back what a return was charged, whichever sign it was written with', async () => {
  const charged = { freight: '30', fees: [{ kind: 'levy', amount: '5' }], tax: '24' };
  const negative = { freight: '-30', fees: [{ kind: 'levy', amount: '-5' }], tax: '-24' };
  const report = await feedSales([
    sale('a', '2024-08-05', '-1', 't', charged),
    sale('b', '2024-08-06', '-1', 't', negative),
  ]);
  const row = ['-240.00', '-30.00', '-5.00', '-24.00', '-205.00'];
  expect(columnsOf(report, ['gross', 'freight', 'other_fees', 'tax', 'net'])).toEqual([row, row]);
});

it('lets a rebate on freight and fees raise the net', async () => {
  const rebate = sale('s', '2024-08-05', '1', 't', {
    freight: '-30',
    fees: [{ kind: 'levy', amount: '-5' }],
  });
  const report = await feedSales([rebate]);
  expect(columnsOf(report, ['gross', 'freight', 'other_fees', 'net'])).toEqual([
    ['240.00', '-30.00', '-5.00', '275.00'],
  ]);
});

it('keeps bales as bales, and gives a price in total by the unit', async () => {
  const bales = sale('s', '2024-08-01', '40', 'bale', {
    price: { amount: '1000', currency: 'AUD', basis: 'total' },
  });
  const report = await feedSales([bales]);
  expect(columnsOf(report, ['feed', 'quantity', 'unit', 'quantity_kg', 'unit_price', 'gross'])).toEqual([
    ['hay', '40', 'bale', null, '25', '1000.00'],
  ]);
});

it('takes a disposal for a sale when it has a buyer, else for waste', async () => {
  const disposal = (id: string, ext: object) => ({
    resourceType: 'icarFeedTransactionResource',
    id,
    ...meta(id),
    eventDateTime: '2024-08-01T02:00:00Z',
    transactionKind: 'Disposal',
    product: { identifier: { id: 'hay' } },
    quantity: 2,
    units: 'TNE',
    totalCost: 500,
    currency: 'AUD',
    ext,
  });
  const report = await feedSales([disposal('sold', { buyer: 'Neighbour' }), disposal('wasted', {})]);
  expect(columnsOf(report, ['buyer', 'quantity', 'unit', 'gross'])).toEqual([
    ['Neighbour', '2', 't', '500.00'],
  ]);
});

it('never adds currencies, and lists what has no price with a warning', async () => {
  const nzd = sale('n', '2024-08-02', '1', 't', {
    price: { amount: '300', currency: 'NZD', basis: 'perUnit' },
  });
  const { price: _, ...unpriced } = sale('u', '2024-08-03', '1', 't');
  const report = await feedSales([sale('s', '2024-08-01', '1', 't'), nzd, unpriced]);
  expect(columnsOf(report, ['currency', 'gross'], 'total')).toEqual([
    ['AUD', '240.00'],
    ['NZD', '300.00'],
  ]);
  expect(report.warnings).toEqual([
    '1 feed sales have no price: their amounts are blank and outside the totals.',
  ]);
});
