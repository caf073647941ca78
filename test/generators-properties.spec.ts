import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LivestockClassificationTransitions } from '../src/generators/livestock-classification-transitions/livestock-classification-transitions.generator.js';
import { LivestockPurchase } from '../src/generators/livestock-purchase/livestock-purchase.generator.js';
import { LivestockReconciliation } from '../src/generators/livestock-reconciliation/livestock-reconciliation.generator.js';
import { LivestockSale } from '../src/generators/livestock-sale/livestock-sale.generator.js';
import { type Ledger, openLedger } from './farm-records-ledger.js';
import { story, type StoryRecord } from './farm-records-story.js';
import { columnsOf, currentReportTypes, reportOf, type ShownReport } from './report-type-rows.js';

const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 25) };
const ALL = await currentReportTypes();
const [START, CUT, END] = ['2024-08-20', '2024-09-20', '2024-10-31'];
const FLOWS = [
  'births',
  'purchases',
  'transfers_in',
  'class_in',
  'enterprise_in',
  'adjust_in',
  'sales',
  'deaths',
  'missing',
  'rations',
  'transfers_out',
  'class_out',
  'enterprise_out',
  'adjust_out',
];

let ledger: Ledger;

beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger?.close());

function farmOf(records: readonly StoryRecord[]): Promise<string> {
  return ledger.farmWith(records, { currency: 'AUD', animalUnit: 'lsu', financialYearStart: '09-01' });
}

/** Stock that opens on the day of the cut is an opening of the part that begins there and an adjustment of the whole. */
function withoutOpeningsAt(day: string, records: readonly StoryRecord[]): StoryRecord[] {
  const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  const on = (record: StoryRecord) => String(record['date'] ?? record['eventDateTime']).slice(0, 10);
  return records.filter(
    (record) => record.resourceType !== 'OpeningStock' || ![day, dayBefore].includes(on(record)),
  );
}

function number(report: ShownReport, column: string, currency?: string): number {
  const rows = columnsOf(report, [column, 'currency'], 'total');
  return Number(rows.find((row) => currency === undefined || row[1] === currency)?.[0] ?? 0);
}

/** Rows of classes by their key. */
function byClass(report: ShownReport): Map<string, Record<string, number>> {
  const details = report.rows.filter((row) => row.row_type === 'detail');
  return new Map(
    details.map((row) => [
      [row['enterprise_id'], row['age_class']].join(),
      row as unknown as Record<string, number>,
    ]),
  );
}

it('every report of every story passes its own checks, comes again the same, and does not mind the order of import', async () => {
  const shuffled = story(40).chain((records) =>
    fc.record({
      records: fc.constant(records),
      order: fc.shuffledSubarray(records, { minLength: records.length }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(shuffled, async ({ records, order }) => {
      const [inOrder, anyhow] = [await farmOf(records), await farmOf(order)];
      for (const type of ALL) {
        const report = await reportOf(ledger, inOrder, type, START, END);
        expect(await reportOf(ledger, inOrder, type, START, END)).toEqual(report);
        expect(await reportOf(ledger, anyhow, type, START, END)).toEqual(report);
      }
    }),
    RUNS,
  );
});

it("a period's flows are the sum of its parts', and a part closes with what the next opens with", async () => {
  await fc.assert(
    fc.asyncProperty(story(60), async (records) => {
      const farm = await farmOf(withoutOpeningsAt(CUT, records));
      const dayBefore = new Date(Date.parse(CUT) - 86_400_000).toISOString().slice(0, 10);
      const whole = byClass(await reportOf(ledger, farm, LivestockReconciliation, START, END));
      const first = byClass(await reportOf(ledger, farm, LivestockReconciliation, START, dayBefore));
      const second = byClass(await reportOf(ledger, farm, LivestockReconciliation, CUT, END));
      for (const key of new Set([...whole.keys(), ...first.keys(), ...second.keys()])) {
        const part = (rows: typeof whole, column: string) => rows.get(key)?.[column] ?? 0;
        for (const flow of FLOWS)
          expect([key, flow, part(first, flow) + part(second, flow)]).toEqual([key, flow, part(whole, flow)]);
        expect([key, part(second, 'opening')]).toEqual([key, part(first, 'closing')]);
        expect([key, part(second, 'closing')]).toEqual([key, part(whole, 'closing')]);
      }
    }),
    RUNS,
  );
});

it('the reports agree with one another', async () => {
  await fc.assert(
    fc.asyncProperty(story(60), async (records) => {
      const farm = await farmOf(records);
      const of = (type: (typeof ALL)[number]) => reportOf(ledger, farm, type, START, END);
      const reconciliation = await of(LivestockReconciliation);
      const transitions = (await of(LivestockClassificationTransitions)).rows.filter(
        (row) => row.row_type === 'detail',
      );
      const changed = (kinds: string[]) =>
        transitions
          .filter((row) => kinds.includes(String(row['kind'])))
          .reduce((head, row) => head + Number(row['head']), 0);
      expect(number(reconciliation, 'class_in')).toBe(changed(['age_class']));
      expect(number(reconciliation, 'enterprise_in')).toBe(changed(['enterprise', 'both']));
      const [sales, purchases] = [await of(LivestockSale), await of(LivestockPurchase)];
      const head = (report: ShownReport) =>
        columnsOf(report, ['head'], 'total').reduce((sum, [count]) => sum + Number(count), 0);
      expect(head(sales)).toBe(number(reconciliation, 'sales'));
      expect(head(purchases)).toBe(number(reconciliation, 'purchases'));
      expect(number(sales, 'gross', 'AUD')).toBe(number(reconciliation, 'sales_value'));
      expect(number(purchases, 'landed_total', 'AUD')).toBe(number(reconciliation, 'purchase_value'));
    }),
    RUNS,
  );
});
