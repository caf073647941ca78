import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Ledger, meta, openLedger } from '../../../test/farm-records-ledger.js';
import { columnsOf, explainedRows, reportOf, type ShownReport } from '../../../test/report-type-rows.js';
import { LivestockReconciliationV1, LivestockReconciliationV2 } from './deprecated.generator.js';
import { LivestockReconciliation } from './livestock-reconciliation.generator.js';

let ledger: Ledger;

beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger?.close());

async function farmOf(records: readonly object[], settings: object = {}): Promise<string> {
  const id = await ledger.farmWith(records, {
    naturalIncreaseValues: { sheep: '54' },
    financialYearStart: '07-01',
    ...settings,
  });
  return id;
}

function reconciliation(
  farm: string,
  start = '2024-07-01',
  end = '2025-06-30',
  type = LivestockReconciliation,
): Promise<ShownReport> {
  return reportOf(ledger, farm, type, start, end);
}

const ewes = { mobId: 'ewes', enterpriseId: 'wool', ageClass: 'ewe' };
const sheep = (count: number) => ({
  inventoryClassification: { name: 'sheep', species: 'Sheep', count },
  groupMethod: 'InventoryClassification',
});
const priced = (amount: string) => ({ trade: { price: { amount, currency: 'AUD', basis: 'total' } } });

const opening = (id: string, date: string, head: number, value?: string, more: object = {}) => ({
  resourceType: 'OpeningStock',
  id,
  ...meta(id),
  date,
  lines: [{ species: 'Sheep', ...ewes, head, ...(value && { value }), ...more }],
});
const births = (id: string, day: string, head: number, ext: object = ewes) => ({
  resourceType: 'icarGroupMovementBirthEventResource',
  id,
  ...meta(id),
  eventDateTime: `${day}T02:00:00Z`,
  registrationReason: 'Born',
  ...sheep(head),
  ext,
});
const purchase = (id: string, day: string, head: number, amount?: string) => ({
  resourceType: 'icarGroupMovementArrivalEventResource',
  id,
  ...meta(id),
  eventDateTime: `${day}T02:00:00Z`,
  arrivalReason: 'Purchase',
  ...sheep(head),
  ext: { ...ewes, ...(amount && priced(amount)) },
});
const sale = (id: string, day: string, head: number, amount?: string) => ({
  resourceType: 'icarGroupMovementDepartureEventResource',
  id,
  ...meta(id),
  eventDateTime: `${day}T02:00:00Z`,
  departureKind: 'Sale',
  ...sheep(head),
  ext: { ...ewes, ...(amount && priced(amount)) },
});
const death = (id: string, day: string, head: number, deathreason = 'Unknown') => ({
  resourceType: 'icarGroupMovementDeathEventResource',
  id,
  ...meta(id),
  eventDateTime: `${day}T02:00:00Z`,
  deathreason,
  deathMethod: 'Perished',
  ...sheep(head),
  ext: ewes,
});
const enterprise = {
  resourceType: 'Enterprise',
  id: 'wool',
  ...meta('enterprise'),
  name: 'Wool',
  species: 'Sheep',
};

const publishedAccount = [
  enterprise,
  opening('opening', '2024-07-01', 1306, '13974'),
  births('births', '2024-09-10', 425),
  purchase('purchases', '2024-11-02', 5, '1750'),
  sale('sales', '2025-02-20', 361, '16543'),
  death('rations', '2025-03-01', 10, 'Consumption'),
  death('deaths', '2025-05-05', 152),
];

describe('the published sheep account', () => {
  const head = {
    opening: 1306,
    births: 425,
    purchases: 5,
    transfers_in: 0,
    class_in: 0,
    enterprise_in: 0,
    adjust_in: 0,
    sales: 361,
    deaths: 152,
    missing: 0,
    rations: 10,
    transfers_out: 0,
    class_out: 0,
    enterprise_out: 0,
    adjust_out: 0,
    closing: 1213,
  };
  const values = {
    opening_value: '13974.00',
    births_value: '22950.00',
    purchase_value: '1750.00',
    average_cost: '22.2776',
    sales_value: '16543.00',
    rations_value: '222.78',
    closing_value: '27022.79',
    gross_profit: '28064.57',
  };

  it.each([LivestockReconciliation, LivestockReconciliationV1, LivestockReconciliationV2])(
    'comes out to the cent as %p',
    async (type) => {
      expect(await reconciliation(await farmOf(publishedAccount), '2024-07-01', '2025-06-30', type)).toEqual({
        rows: [
          {
            row_type: 'detail',
            species: 'Sheep',
            enterprise: 'Wool',
            enterprise_id: 'wool',
            age_class: 'ewe',
            ...head,
          },
          { row_type: 'subtotal', species: 'Sheep', enterprise: 'Wool', enterprise_id: 'wool', ...head },
          { row_type: 'subtotal', species: 'Sheep', ...head, ...values },
          { row_type: 'total', ...head, ...values },
        ],
        warnings: [],
      });
    },
  );

  it('goes on in the next year from what it closed with', async () => {
    const next = await reconciliation(await farmOf(publishedAccount), '2025-07-01', '2026-06-30');
    expect(
      columnsOf(next, ['opening', 'closing', 'opening_value', 'closing_value', 'gross_profit'], 'total'),
    ).toEqual([[1213, 1213, '27022.79', '27022.79', '0.00']]);
  });

  it('closes a part of the year with what the next part opens with', async () => {
    const farm = await farmOf(publishedAccount);
    const first = await reconciliation(farm, '2024-07-01', '2024-12-31');
    const second = await reconciliation(farm, '2025-01-01', '2025-06-30');
    const columns = ['opening', 'closing', 'opening_value', 'closing_value', 'gross_profit'];
    expect(columnsOf(first, columns, 'total')).toEqual([[1306, 1736, '13974.00', '38674.00', '22950.00']]);
    expect(columnsOf(second, columns, 'total')).toEqual([[1736, 1213, '38674.00', '27022.79', '5114.57']]);
  });
});

it('is a header only for a farm without records, and for a period before them', async () => {
  expect(await reconciliation(await farmOf([]))).toEqual({ rows: [], warnings: [] });
  expect((await reconciliation(await farmOf(publishedAccount), '2020-07-01', '2021-06-30')).rows).toEqual([]);
});

it('shows opening stock inside the period as an adjustment, and says so', async () => {
  const report = await reconciliation(await farmOf([opening('late', '2024-08-01', 100, '5000')]));
  expect(columnsOf(report, ['opening', 'adjust_in', 'closing'])).toEqual([[0, 100, 100]]);
  expect(report.warnings).toContainEqual(expect.stringContaining('100 head are shown under adjust_in'));
});

it('shows more sales than there was stock as a negative balance with a warning', async () => {
  const report = await reconciliation(
    await farmOf([opening('o', '2024-07-01', 10, '100'), sale('s', '2024-08-01', 12, '240')]),
  );
  expect(columnsOf(report, ['sales', 'closing'])).toEqual([[12, -2]]);
  expect(report.warnings).toContainEqual(expect.stringContaining('closes with -2 head'));
});

it('leaves values blank where the opening has none, with a warning', async () => {
  const report = await reconciliation(
    await farmOf([opening('o', '2024-07-01', 10), sale('s', '2024-08-01', 1, '20')]),
  );
  expect(
    columnsOf(report, ['opening_value', 'closing_value', 'gross_profit', 'sales_value'], 'total'),
  ).toEqual([[null, null, null, '20.00']]);
  expect(report.warnings).toEqual([
    'Sheep: the value of the 10 head at the opening is not known, so value columns are blank.',
  ]);
});

it('says how many were bought and sold without a price', async () => {
  const report = await reconciliation(
    await farmOf([
      opening('o', '2024-07-01', 10, '100'),
      purchase('p', '2024-08-01', 4),
      sale('s', '2024-09-01', 3),
    ]),
  );
  expect(report.warnings).toEqual([
    "Sheep: 4 head were bought without a price in the farm's currency and count for nothing in purchase_value.",
    "Sheep: 3 head were sold without a price in the farm's currency and count for nothing in sales_value.",
  ]);
});

it('takes landed cost for purchases and gross for sales', async () => {
  const fees = [
    { kind: 'freight', amount: '30' },
    { kind: 'levy', amount: '5.50' },
  ];
  const withFees = (record: any) => ({
    ...record,
    ext: { ...record.ext, trade: { ...record.ext.trade, fees } },
  });
  const report = await reconciliation(
    await farmOf([
      withFees(purchase('p', '2024-08-01', 10, '1000')),
      withFees(sale('s', '2024-09-01', 4, '600')),
    ]),
  );
  expect(columnsOf(report, ['purchase_value', 'sales_value', 'closing_value'], 'total')).toEqual([
    ['1035.50', '600.00', '621.30'],
  ]);
});

const count = (id: string, date: string, head: number, more: object = {}) => ({
  resourceType: 'StockCount',
  id,
  ...meta(id),
  date,
  lines: [{ species: 'Sheep', enterpriseId: 'wool', ageClass: 'ewe', head }],
  ...more,
});

describe('a count', () => {
  const start = [opening('o', '2024-07-01', 100, '1000'), sale('s', '2025-03-01', 10, '200')];

  it('is shown beside the book and is never folded into it', async () => {
    const report = await reconciliation(await farmOf([...start, count('c', '2024-12-01', 97)]));
    expect(columnsOf(report, ['closing', 'counted', 'count_date', 'unreconciled', 'deaths'])).toEqual([
      [90, 97, '2024-12-01', -3, 0],
    ]);
  });

  it('leaves nothing to reconcile once it is booked', async () => {
    const report = await reconciliation(
      await farmOf([...start, count('c', '2024-12-01', 97, { bookAdjustment: true })]),
    );
    expect(columnsOf(report, ['closing', 'counted', 'unreconciled', 'adjust_out'])).toEqual([[87, 97, 0, 3]]);
  });

  it('counts the last time it was made', async () => {
    const report = await reconciliation(
      await farmOf([...start, count('c1', '2024-12-01', 97), count('c2', '2025-05-01', 91)]),
    );
    expect(columnsOf(report, ['counted', 'count_date', 'unreconciled'])).toEqual([[91, '2025-05-01', 1]]);
  });

  it('adds up mobs that were counted on different days', async () => {
    const perMob = (id: string, date: string, mobId: string, head: number) => ({
      resourceType: 'StockCount',
      id,
      ...meta(id),
      date,
      lines: [{ species: 'Sheep', enterpriseId: 'wool', ageClass: 'ewe', mobId, head }],
    });
    const other = opening('o2', '2024-07-01', 50, '500', { mobId: 'others' });
    const report = await reconciliation(
      await farmOf([
        ...start,
        other,
        perMob('c1', '2024-12-01', 'ewes', 99),
        perMob('c2', '2024-12-03', 'others', 48),
      ]),
    );
    expect(columnsOf(report, ['counted', 'count_date', 'unreconciled'])).toEqual([[147, '2024-12-03', -3]]);
  });

  it('of all classes is not taken for one of stock without a class', async () => {
    const unclassed = { ...opening('o2', '2024-07-01', 7, '70', { ageClass: undefined, mobId: 'strays' }) };
    const all = {
      ...count('c', '2024-12-01', 105),
      lines: [{ species: 'Sheep', enterpriseId: 'wool', head: 105 }],
    };
    const report = await reconciliation(await farmOf([...start, unclassed, all]));
    expect(columnsOf(report, ['age_class', 'closing', 'counted', 'unreconciled'])).toEqual([
      [null, 0, 105, -2],
      ['Unassigned', 7, null, null],
      ['ewe', 90, null, null],
    ]);
    expect(columnsOf(report, ['closing', 'counted', 'unreconciled'], 'total')).toEqual([[97, 105, -2]]);
  });

  it('is not added to another that saw the same stock', async () => {
    const lambs = opening('o2', '2024-07-01', 40, '400', { ageClass: 'lamb', mobId: 'lambs' });
    const all = (id: string, date: string, head: number) => ({
      ...count(id, date, head),
      lines: [{ species: 'Sheep', head }],
    });
    const ewesFirst = [...start, lambs, count('c1', '2024-12-01', 97), all('c2', '2025-05-01', 131)];
    const allFirst = [...start, lambs, all('c1', '2024-12-01', 138), count('c2', '2025-05-01', 88)];
    const sums = ['counted', 'count_date', 'unreconciled'];
    expect(columnsOf(await reconciliation(await farmOf(ewesFirst)), sums, 'total')).toEqual([
      [131, '2025-05-01', 1],
    ]);
    expect(columnsOf(await reconciliation(await farmOf(allFirst)), sums, 'total')).toEqual([
      [88, '2025-05-01', -2],
    ]);
  });

  it('explains what is not reconciled, and nothing else does', async () => {
    const farm = await farmOf([
      ...start,
      count('booked', '2024-12-01', 97, { bookAdjustment: true }),
      count('c', '2025-05-01', 86),
    ]);
    const [row] = await explainedRows(ledger, farm, LivestockReconciliation, ['2024-07-01', '2025-06-30'], {
      column: 'unreconciled',
    });
    expect([row?.cells['unreconciled'], row?.records]).toEqual([
      -1,
      [{ id: 'c', brings: { counted: 86, unreconciled: -1 } }],
    ]);
  });

  it('of stock that the book does not have gets a row', async () => {
    const report = await reconciliation(await farmOf([count('c', '2024-12-01', 5)]));
    expect(columnsOf(report, ['age_class', 'closing', 'counted', 'unreconciled'])).toEqual([
      ['ewe', 0, 5, 5],
    ]);
  });
});

it('calls stock in its warnings what its rows call them', async () => {
  const farm = await farmOf([
    enterprise,
    opening('o', '2024-07-01', 3, '30'),
    sale('s', '2025-03-01', 5, '200'),
  ]);
  const { warnings } = await reconciliation(farm);
  expect(warnings).toEqual(['Sheep, Wool, ewe closes with -2 head: more left than was there.']);
});

describe('a reclassification', () => {
  const reclassify = (id: string, day: string, head: number, from: object, to: object) => ({
    resourceType: 'Reclassification',
    id,
    ...meta(id),
    eventDateTime: `${day}T02:00:00Z`,
    mobId: 'ewes',
    head,
    species: 'Sheep',
    from,
    to,
    cause: 'age',
  });
  const start = [opening('o', '2024-07-01', 100, '1000', { ageClass: 'hogget' })];

  it('of age classes moves head between class columns', async () => {
    const report = await reconciliation(
      await farmOf([
        ...start,
        reclassify('r', '2024-12-01', 40, { ageClass: 'hogget' }, { ageClass: 'ewe' }),
      ]),
    );
    expect(
      columnsOf(report, ['age_class', 'opening', 'class_in', 'class_out', 'enterprise_in', 'closing']),
    ).toEqual([
      ['ewe', 0, 40, 0, 0, 40],
      ['hogget', 100, 0, 40, 0, 60],
    ]);
    expect(columnsOf(report, ['class_in', 'class_out', 'closing', 'closing_value'], 'total')).toEqual([
      [40, 40, 100, '1000.00'],
    ]);
  });

  it('of the enterprise, with or without the class, moves head between enterprise columns only', async () => {
    const report = await reconciliation(
      await farmOf([
        ...start,
        reclassify('r', '2024-12-01', 40, { ageClass: 'hogget' }, { ageClass: 'ewe', enterpriseId: 'meat' }),
      ]),
    );
    expect(
      columnsOf(report, [
        'enterprise',
        'age_class',
        'class_in',
        'enterprise_in',
        'enterprise_out',
        'closing',
      ]),
    ).toEqual([
      ['meat', 'ewe', 0, 40, 0, 40],
      ['wool', 'hogget', 0, 0, 40, 60],
    ]);
  });

  it('that is undone the same day is none', async () => {
    const there = reclassify('r1', '2024-12-01', 40, { ageClass: 'hogget' }, { ageClass: 'ewe' });
    const back = {
      ...reclassify('r2', '2024-12-01', 40, { ageClass: 'ewe' }, { ageClass: 'hogget' }),
      eventDateTime: '2024-12-01T03:00:00Z',
    };
    const report = await reconciliation(await farmOf([...start, there, back]));
    expect(columnsOf(report, ['age_class', 'class_in', 'class_out', 'closing'])).toEqual([
      ['hogget', 0, 0, 100],
    ]);
  });
});

it('orders by species, enterprise and age class, with subtotals after their parts', async () => {
  const cattle = {
    resourceType: 'OpeningStock',
    id: 'c',
    ...meta('c'),
    date: '2024-07-01',
    lines: [
      { species: 'Cattle', head: 3, value: '900' },
      { species: 'Cattle', enterpriseId: 'beef', ageClass: 'cow', head: 2, value: '2000' },
    ],
  };
  const report = await reconciliation(await farmOf([cattle, opening('o', '2024-07-01', 5, '100')]));
  expect(
    report.rows.map((row) => [
      row.row_type,
      row.species,
      row.enterprise,
      row.age_class,
      row.closing,
      row.closing_value,
    ]),
  ).toEqual([
    ['detail', 'Cattle', 'Unassigned', 'Unassigned', 3, undefined],
    ['subtotal', 'Cattle', 'Unassigned', undefined, 3, undefined],
    ['detail', 'Cattle', 'beef', 'cow', 2, undefined],
    ['subtotal', 'Cattle', 'beef', undefined, 2, undefined],
    ['subtotal', 'Cattle', undefined, undefined, 5, '2900.00'],
    ['detail', 'Sheep', 'wool', 'ewe', 5, undefined],
    ['subtotal', 'Sheep', 'wool', undefined, 5, undefined],
    ['subtotal', 'Sheep', undefined, undefined, 5, '100.00'],
    ['total', undefined, undefined, undefined, 10, '3000.00'],
  ]);
});
