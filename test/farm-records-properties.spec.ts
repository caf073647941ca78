import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { revaluing } from '../src/farm-records/revalue.js';
import { unbooking } from '../src/farm-records/settle.js';
import { collect, type Ledger, openLedger } from './farm-records-ledger.js';
import { retold, story, type StoryRecord } from './farm-records-story.js';

const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 60) };

let ledger: Ledger;
const [{ linesAtOnce }, { eventsInTheTime }] = [unbooking, revaluing];
beforeAll(async () => {
  ledger = await openLedger();
  unbooking.linesAtOnce = 3;
  revaluing.eventsInTheTime = 1;
});
afterAll(async () => {
  unbooking.linesAtOnce = linesAtOnce;
  revaluing.eventsInTheTime = eventsInTheTime;
  await ledger.close();
});

async function told(records: readonly StoryRecord[], portion: number): Promise<string> {
  const id = await ledger.newFarm();
  for (let index = 0; index < records.length; index += portion)
    await ledger.import(id, records.slice(index, index + portion));
  return id;
}

const corrected = story(40).chain((records) =>
  fc.record({
    records: fc.constant(records),
    changes: retold(records),
    order: fc.shuffledSubarray([...records, ...records].map((_, index) => index)),
  }),
);

it('the order in which records come does not matter, nor how many come together', async () => {
  await fc.assert(
    fc.asyncProperty(
      corrected,
      fc.integer({ min: 1, max: 50 }),
      async ({ records, changes, order }, portion) => {
        const all = [...records, ...changes];
        const shuffled = order.flatMap((index) => all[index] ?? []);
        const rest = all.filter((record) => !shuffled.includes(record));
        const inOrder = await told(all, all.length);
        const anyhow = await told([...shuffled, ...rest], portion);
        expect(await ledger.lines(anyhow)).toEqual(await ledger.lines(inOrder));
        expect(await ledger.disagreements(anyhow)).toEqual([]);
      },
    ),
    RUNS,
  );
});

it('importing again changes nothing, and NDJSON says what JSON says', async () => {
  await fc.assert(
    fc.asyncProperty(story(30), async (records) => {
      const json = await told(records, 1000);
      const before = await ledger.lines(json);
      expect(await ledger.import(json, records)).toMatchObject({ unchanged: records.length });
      expect(await ledger.lines(json)).toEqual(before);
      const lines = await ledger.newFarm();
      await ledger.importLines(lines, records.map((record) => JSON.stringify(record)).join('\n'));
      expect(await ledger.lines(lines)).toEqual(before);
    }),
    RUNS,
  );
});

it('what flows in a period is what its parts say, and closes where the next opens', async () => {
  await fc.assert(
    fc.asyncProperty(
      story(40),
      fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 3, maxLength: 5 }),
      async (records, offsets) => {
        const days = [...new Set(offsets)]
          .sort((a, b) => a - b)
          .map((offset) =>
            new Date(Date.parse('2024-08-10') + offset * 86_400_000).toISOString().slice(0, 10),
          );
        const first = days[0] ?? '';
        const last = days.at(-1) ?? '';
        if (first === last) return;
        const id = await told(records, 1000);
        await ledger.read(id, async (farm) => {
          const by = ['species', 'enterprise', 'ageClass', 'mob', 'paddock'] as const;
          const sum = (rows: readonly { head: number }[]) => rows.reduce((head, row) => head + row.head, 0);
          const parts = await farm.flowsBetween(days, by);
          const whole = await farm.flows({ start: first, end: farm.calendar.plusDays(last, -1) }, by);
          expect(totals(parts.flat())).toEqual(totals(whole));
          const opening = await farm.balances(first, by);
          const closing = await farm.balances(last, by);
          expect(sum(opening) + sum(whole)).toBe(sum(closing));
          const lines = await collect(
            farm.headLines({ start: '1970-01-01', end: farm.calendar.plusDays(last, -1) }),
          );
          expect(sum(lines.map((line) => ({ head: line.delta })))).toBe(sum(closing));
        });
      },
    ),
    RUNS,
  );
});

it('every record is balanced: what does not enter or leave the farm sums to nothing', async () => {
  await fc.assert(
    fc.asyncProperty(story(40), async (records) => {
      const id = await told(records, 1000);
      const { rows } = await ledger.database.query(
        `SELECT record, category FROM head_line WHERE farm_id = $1 AND category IN (4, 5, 6, 7) GROUP BY record, category HAVING sum(delta) <> 0`,
        [id],
      );
      expect(rows).toEqual([]);
    }),
    RUNS,
  );
});

it('the sums of a record story agree with a reader that just adds up what each record says', async () => {
  await fc.assert(
    fc.asyncProperty(story(40), async (records) => {
      const id = await told(records, 1000);
      const flows = await ledger.read(id, (farm) =>
        farm.flows({ start: '2024-01-01', end: '2025-12-31' }, ['species']),
      );
      const byCategory = Object.fromEntries(flows.map((flow) => [flow.category, flow.head]));
      for (const [category, head] of Object.entries(plainSums(records)))
        expect([category, byCategory[category] ?? 0]).toEqual([category, head]);
    }),
    RUNS,
  );
});

function totals(
  flows: readonly { head: number; value: string; category: string }[],
): Record<string, [number, number]> {
  const sums: Record<string, [number, number]> = {};
  for (const { category, head, value } of flows) {
    const sum = (sums[category] ??= [0, 0]);
    sum[0] += head;
    sum[1] = Math.round((sum[1] + Number(value)) * 100) / 100;
  }
  return Object.fromEntries(
    Object.entries(sums)
      .filter(([, [head, value]]) => head !== 0 || value !== 0)
      .sort(),
  );
}

/** The reference: knows no mobs, paddocks, classes or order. */
function plainSums(records: readonly StoryRecord[]): Record<string, number> {
  const sums: Record<string, number> = {
    opening: 0,
    purchase: 0,
    sale: 0,
    transfer_in: 0,
    transfer_out: 0,
    death: 0,
    missing: 0,
  };
  for (const record of records) {
    const count = (record.inventoryClassification as { count: number } | undefined)?.count ?? 1;
    const add = (category: string, head: number) => (sums[category] = (sums[category] ?? 0) + head);
    if (record.resourceType === 'OpeningStock')
      add('opening', (record.lines as { head: number }[])[0]?.head ?? 0);
    if (record.arrivalReason === 'Purchase') add('purchase', count);
    if (record.arrivalReason === 'SaleReturn') add('sale', count);
    if (record.arrivalReason === 'Agistment') add('transfer_in', count);
    if (record.departureKind === 'Sale') add('sale', -count);
    if (record.departureKind === 'Agistment') add('transfer_out', -count);
    if (record.resourceType.endsWith('DeathEventResource'))
      add(record.deathMethod === 'Lost' ? 'missing' : 'death', -count);
  }
  return sums;
}
