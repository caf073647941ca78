import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AnimalLoadByPaddock } from '../src/generators/animal-load-by-paddock/animal-load-by-paddock.generator.js';
import type { Generator } from '../src/generators/generator.js';
import { LivestockClassificationTransitions } from '../src/generators/livestock-classification-transitions/livestock-classification-transitions.generator.js';
import { LivestockFeed } from '../src/generators/livestock-feed/livestock-feed.generator.js';
import { LivestockPurchase } from '../src/generators/livestock-purchase/livestock-purchase.generator.js';
import { LivestockReconciliation } from '../src/generators/livestock-reconciliation/livestock-reconciliation.generator.js';
import { LivestockSale } from '../src/generators/livestock-sale/livestock-sale.generator.js';
import { LivestockTreatment } from '../src/generators/livestock-treatment/livestock-treatment.generator.js';
import { type Ledger, openLedger } from './farm-records-ledger.js';
import { grazed, reconciled } from './herd-model.js';
import { type Happening, herdStory, toldByAnimals, toldByMobs, ZONE } from './herd-story.js';
import { reportOf, type ShownReport, type ShownRow } from './report-type-rows.js';

const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 12) };
const day = fc
  .integer({ min: 0, max: 120 })
  .map((days) => Temporal.PlainDate.from('2024-08-20').add({ days }).toString());
const period = fc.tuple(day, day).map((days) => days.toSorted() as [string, string]);

let ledger: Ledger;

beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger?.close());

function farmOf(records: readonly object[]): Promise<string> {
  return ledger.farmWith(records, { timeZone: ZONE, currency: 'AUD', animalUnit: 'lsu' });
}

/** Both tellings of a story as one type of report. */
async function toldBothWays(
  story: readonly Happening[],
  type: new () => Generator,
  [start, end]: readonly [string, string],
): Promise<[byMobs: ShownReport, byAnimals: ShownReport]> {
  const [mobs, animals] = [await farmOf(toldByMobs(story)), await farmOf(toldByAnimals(story))];
  return [await reportOf(ledger, mobs, type, start, end), await reportOf(ledger, animals, type, start, end)];
}

/** Rows without what says how stock are managed. */
function without(columns: readonly string[], { rows }: ShownReport): object[] {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column))),
  );
}

/** Treatments of animals stand apart; together they are what their mob would have had. */
function treatedTogether({ rows }: ShownReport): object[] {
  const keyOf = (row: ShownRow) =>
    ['date', 'time', 'mob', 'paddock', 'age_class', 'enterprise', 'whp_clear_date', 'esi_clear_date'].map(
      (column) => row[column],
    );
  const together = [...Map.groupBy(rows, (row) => JSON.stringify(keyOf(row)))];
  return together
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, same]) => ({
      key,
      head: same.reduce((head, row) => head + Number(row['head_treated']), 0),
      cost: same.reduce((cost, row) => cost + Number(row['cost']), 0).toFixed(2),
    }));
}

const TYPES: [string, new () => Generator, (report: ShownReport) => unknown][] = [
  ['reconciliation', LivestockReconciliation, (report) => report],
  ['load', AnimalLoadByPaddock, (report) => report],
  ['transitions', LivestockClassificationTransitions, (r) => without(['head_mob', 'head_individual'], r)],
  ['sales', LivestockSale, (report) => without(['management'], report)],
  ['purchases', LivestockPurchase, (report) => without(['management'], report)],
  ['feed', LivestockFeed, (report) => without(['management'], report)],
  ['treatments', LivestockTreatment, treatedTogether],
];

it.each(TYPES)('a story told by mobs and told animal by animal has the same %s', async (_, type, shown) => {
  await fc.assert(
    fc.asyncProperty(herdStory, period, async (story, days) => {
      const [byMobs, byAnimals] = await toldBothWays(story, type, days);
      expect(shown(byAnimals)).toEqual(shown(byMobs));
    }),
    RUNS,
  );
});

it('the reconciliation is what one finds who follows every head by itself, and agrees with the load', async () => {
  await fc.assert(
    fc.asyncProperty(herdStory, period, fc.boolean(), async (story, [start, end], animals) => {
      const farm = await farmOf(animals ? toldByAnimals(story) : toldByMobs(story));
      const reconciliation = await reportOf(ledger, farm, LivestockReconciliation, start, end);
      expect(accountsOf(reconciliation)).toEqual(reconciled(story, start, end));
      const load = await reportOf(ledger, farm, AnimalLoadByPaddock, start, end);
      const expected = grazed(story, start, end);
      const shown = headDaysOf(load);
      expect(Object.keys(shown).sort()).toEqual(Object.keys(expected).sort());
      for (const [key, days] of Object.entries(expected))
        expect([key, shown[key]]).toEqual([key, cents(days)]);
      const whole = Object.values(expected).reduce((sum, days) => sum + days, 0);
      const [total] = load.rows.filter((row) => row.row_type === 'total');
      expect(total?.['head_days'] ?? cents(0)).toEqual(cents(whole));
    }),
    RUNS,
  );
});

const HEAD = [
  ...['opening', 'births', 'purchases', 'transfers_in', 'class_in', 'enterprise_in', 'adjust_in', 'sales'],
  ...['deaths', 'missing', 'rations', 'transfers_out', 'class_out', 'enterprise_out', 'adjust_out'],
];

function accountsOf({ rows }: ShownReport): Record<string, Record<string, number>> {
  const details = rows.filter((row) => row.row_type === 'detail');
  const accounts = details.map((row) => {
    const some = HEAD.map((column) => [column, Number(row[column])] as const).filter(
      ([, head]) => head !== 0,
    );
    return [`${row['enterprise']} ${row['age_class']}`, Object.fromEntries(some)] as const;
  });
  return Object.fromEntries(accounts);
}

function headDaysOf({ rows }: ShownReport): Record<string, string> {
  const details = rows.filter((row) => row.row_type === 'detail' && Number(row['head_days']) !== 0);
  return Object.fromEntries(
    details.map((row) => [`${row['paddock_id'] ?? ''} ${row['month']}`, String(row['head_days'])]),
  );
}

function cents(days: number): string {
  return (Math.round(days * 100 + 1e-7) / 100).toFixed(2);
}
