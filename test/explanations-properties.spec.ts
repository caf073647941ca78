import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AnimalLoadByPaddock } from '../src/generators/animal-load-by-paddock/animal-load-by-paddock.generator.js';
import { Decimal } from '../src/generators/decimals.js';
import { FeedSale } from '../src/generators/feed-sale/feed-sale.generator.js';
import { LivestockClassificationTransitions } from '../src/generators/livestock-classification-transitions/livestock-classification-transitions.generator.js';
import { LivestockFeed } from '../src/generators/livestock-feed/livestock-feed.generator.js';
import { LivestockPurchase } from '../src/generators/livestock-purchase/livestock-purchase.generator.js';
import { LivestockReconciliation } from '../src/generators/livestock-reconciliation/livestock-reconciliation.generator.js';
import { LivestockSale } from '../src/generators/livestock-sale/livestock-sale.generator.js';
import { LivestockTreatment } from '../src/generators/livestock-treatment/livestock-treatment.generator.js';
import { type Ledger, openLedger } from './farm-records-ledger.js';
import { story, type StoryRecord } from './farm-records-story.js';
import { type ExplainedRow, explainedRows } from './report-type-rows.js';

const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 10) };
const PERIOD = ['2024-09-01', '2024-10-31'] as const;

/** The figures of each type that are sums of what its records bring. */
const SUMS = [
  [AnimalLoadByPaddock, ['head_days', 'unit_days', 'head_days_unrated']],
  [FeedSale, ['quantity', 'quantity_kg', 'gross', 'freight', 'other_fees', 'tax', 'net']],
  [LivestockClassificationTransitions, ['head', 'head_mob', 'head_individual']],
  [LivestockFeed, ['head_fed', 'quantity', 'quantity_kg', 'quantity_kg_dm', 'total_cost']],
  [
    LivestockPurchase,
    ['head', 'gross', 'freight', 'commission', 'insurance', 'other_costs', 'tax', 'landed_total'],
  ],
  [
    LivestockReconciliation,
    [
      ...['opening', 'births', 'purchases', 'transfers_in', 'class_in', 'enterprise_in', 'adjust_in'],
      ...[
        'sales',
        'deaths',
        'missing',
        'rations',
        'transfers_out',
        'class_out',
        'enterprise_out',
        'adjust_out',
      ],
      ...['closing', 'births_value', 'purchase_value', 'sales_value', 'opening_value'],
    ],
  ],
  [
    LivestockSale,
    [
      ...['head', 'gross', 'commission', 'yardage', 'levy', 'freight', 'other_deductions', 'tax', 'net'],
      ...['whp_active_head', 'esi_active_head'],
    ],
  ],
  [LivestockTreatment, ['head_treated', 'total_used', 'cost']],
] as const;

let ledger: Ledger;

beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger?.close());

function farmOf(records: readonly StoryRecord[]): Promise<string> {
  return ledger.farmWith(records, { currency: 'AUD', animalUnit: 'lsu', financialYearStart: '09-01' });
}

function told({ broughtForward, records }: ExplainedRow, column: string): Decimal {
  return [broughtForward, ...records.map(({ brings }) => brings)].reduce<Decimal>(
    (sum, brings) => sum.plus(brings[column] ?? 0),
    new Decimal(0),
  );
}

/** Rows that say exactly the same share their records. */
function alike(rows: readonly ExplainedRow[], { cells }: ExplainedRow): number {
  return rows.filter((other) => JSON.stringify(other.cells) === JSON.stringify(cells)).length;
}

it.each(SUMS.map(([type, columns]) => [type.name, type, columns] as const))(
  'what records bring to a row of %s, with what was brought forward, is what the row says',
  async (_, type, columns) => {
    await fc.assert(
      fc.asyncProperty(story(50), async (records) => {
        const rows = await explainedRows(ledger, await farmOf(records), type, PERIOD);
        for (const row of rows) {
          const shared = alike(rows, row);
          for (const column of columns) {
            const cell = row.cells[column];
            if (cell === null || cell === undefined) continue;
            const sum = told(row, column).div(shared);
            const off = sum.minus(cell).abs();
            // Each share of a fee is rounded to the cent, and so is the sum.
            if (off.gt('0.0051')) expect([column, cell, row]).toEqual([column, sum.toFixed(), row]);
          }
        }
      }),
      RUNS,
    );
  },
);

it('turning pages tells each record once and in order, and the records before a period explain its opening', async () => {
  await fc.assert(
    fc.asyncProperty(story(50), fc.integer({ min: 1, max: 3 }), async (records, pageSize) => {
      const farm = await farmOf(records);
      for (const [type] of SUMS) {
        const whole = await explainedRows(ledger, farm, type, PERIOD);
        expect(await explainedRows(ledger, farm, type, PERIOD, { pageSize })).toEqual(whole);
      }
      const openings = await explainedRows(ledger, farm, LivestockReconciliation, PERIOD, {
        column: 'opening',
        pageSize,
      });
      for (const row of openings) expect(Number(told(row, 'opening'))).toBe(row.cells['opening']);
    }),
    { numRuns: Math.ceil(RUNS.numRuns / 5) },
  );
});

it('a column is explained by the records that bring something to it alone', async () => {
  await fc.assert(
    fc.asyncProperty(story(50), async (records) => {
      const farm = await farmOf(records);
      const whole = await explainedRows(ledger, farm, LivestockReconciliation, PERIOD);
      const sales = await explainedRows(ledger, farm, LivestockReconciliation, PERIOD, { column: 'sales' });
      expect(sales.map((row) => row.records)).toEqual(
        whole.map((row) => row.records.filter(({ brings }) => Number(brings['sales'] ?? 0) !== 0)),
      );
    }),
    { numRuns: Math.ceil(RUNS.numRuns / 3) },
  );
});
