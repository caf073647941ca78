import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Ledger, meta, openLedger } from '../../../test/farm-records-ledger.js';
import { columnsOf, reportOf, type ShownReport } from '../../../test/report-type-rows.js';
import { LivestockPurchase } from './livestock-purchase.generator.js';

let ledger: Ledger;

beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger?.close());

async function purchases(records: readonly object[]): Promise<ShownReport> {
  const id = await ledger.farmWith(records, { currency: 'AUD' });
  return reportOf(ledger, id, LivestockPurchase, '2024-07-01', '2025-06-30');
}

const deal = {
  price: { amount: '350', currency: 'AUD', basis: 'perHead' },
  weight: { value: '220.5', unit: 'KGM', type: 'live' },
  fees: [
    { kind: 'freight', amount: '90' },
    { kind: 'commission', amount: '52.50' },
    { kind: 'insurance', amount: '7' },
    { kind: 'yard dues', amount: '3' },
  ],
  tax: '105',
  agent: 'Nutrien',
  counterparty: 'Hill Farm',
  counterpartyPic: 'NHILL001',
  reference: 'P-9',
  nvd: 'N1',
};
const arrival = (id: string, eventDateTime: string, count: number, ext: object = {}, more: object = {}) => ({
  resourceType: 'icarGroupMovementArrivalEventResource',
  id,
  ...meta(id),
  eventDateTime,
  arrivalReason: 'Purchase',
  groupMethod: 'InventoryClassification',
  inventoryClassification: { name: 'cattle', species: 'Cattle', count, sex: 'Female' },
  ext: { mobId: 'm1', enterpriseId: 'beef', ageClass: 'heifer', paddockId: 'p7', trade: deal, ...ext },
  ...more,
});

it('shows a consignment with its price, costs and what it cost landed, and a total', async () => {
  const { rows, warnings } = await purchases([arrival('p', '2024-08-01T20:00:00Z', 3)]);
  const sums = {
    head: 3,
    gross: '1050.00',
    freight: '90.00',
    commission: '52.50',
    insurance: '7.00',
    other_costs: '3.00',
    tax: '105.00',
    landed_total: '1202.50',
    currency: 'AUD',
  };
  expect(rows).toEqual([
    {
      row_type: 'detail',
      date: '2024-08-02',
      reference: 'P-9',
      vendor: 'Hill Farm',
      vendor_pic: 'NHILL001',
      agent: 'Nutrien',
      nvd: 'N1',
      species: 'Cattle',
      sex: 'Female',
      age_class: 'heifer',
      enterprise: 'beef',
      enterprise_id: 'beef',
      mob: 'm1',
      mob_id: 'm1',
      management: 'mob',
      avg_weight: '220.50',
      total_weight: '661.50',
      weight_type: 'live',
      price_basis: 'perHead',
      unit_price: '350',
      price_per_head: '350.00',
      price_per_kg: '1.5873',
      landed_per_head: '400.83',
      destination_paddock: 'p7',
      destination_paddock_id: 'p7',
      ...sums,
    },
    { row_type: 'total', ...sums },
  ]);
  expect(warnings).toEqual([]);
});

it('takes transfers, agistment and births for no purchase', async () => {
  const agisted = arrival('a', '2024-08-01T02:00:00Z', 3, {}, { arrivalReason: 'Agistment' });
  expect(await purchases([agisted])).toEqual({ rows: [], warnings: [] });
});

it('shares the costs of a consignment by head, the odd cent on its last row', async () => {
  const shared = { ...deal, fees: [{ kind: 'freight', amount: '100' }] };
  const none = { ...deal, fees: [] };
  const report = await purchases([
    arrival('p1', '2024-08-01T02:00:00Z', 2, { trade: shared }),
    arrival('p2', '2024-08-01T03:00:00Z', 1, { trade: none, ageClass: 'cow' }),
  ]);
  expect(columnsOf(report, ['age_class', 'head', 'freight', 'landed_total'])).toEqual([
    ['cow', 1, '33.33', '383.33'],
    ['heifer', 2, '66.67', '766.67'],
  ]);
  expect(columnsOf(report, ['freight', 'landed_total'], 'total')).toEqual([['100.00', '1150.00']]);
});

it('puts stock without a paddock, class or enterprise under Unassigned', async () => {
  const bare = { ...arrival('p', '2024-08-01T02:00:00Z', 3), ext: { trade: deal } };
  const report = await purchases([bare]);
  expect(columnsOf(report, ['age_class', 'enterprise', 'mob', 'destination_paddock'])).toEqual([
    ['Unassigned', 'Unassigned', null, 'Unassigned'],
  ]);
});
