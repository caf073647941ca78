import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Config } from '#muster/config.js';
import { Database, findMigratedDatabase, servingUrl } from '#muster/database/index.js';
import { Importer } from '#muster/farm-records/importer.js';
import { readNdjson } from '#muster/farm-records/index.js';
import { openFarmRecords } from '#muster/farm-records/open-farm-records.js';
import { FarmSaver } from '#muster/farm-records/save-farm.js';
import { LivestockReconciliation } from '#muster/generators/livestock-reconciliation/livestock-reconciliation.generator.js';
import type { Measurement } from './run.ts';

const RECORDS_A_YEAR = Number(process.env.BENCH_RECORDS ?? 10_000);
const LAST_YEAR = 2024;
const YEARS = 10;
const ROUNDS = 30;
const BAR = 1.3;

/** A year's reconciliation of a farm with ten years of records, beside the same of a farm with that year's records alone. */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  const found = await findMigratedDatabase(Object.assign(new Config(), { MUSTER_DATA_DIR: folder }));
  const serving = new pg.Pool({ connectionString: servingUrl(found.url), max: 4 });
  const client = new pg.Client({ connectionString: servingUrl(found.url) });
  try {
    await client.connect();
    const database = new Database(serving);
    await importYears(database, 'one-year', 1);
    await importYears(database, 'ten-years', YEARS);
    const times: Record<string, number[]> = { 'one-year': [], 'ten-years': [] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const farm of ['one-year', 'ten-years']) {
        const taken = await reconcile(client, farm);
        if (round > 0) times[farm]?.push(taken); // the first round warms up
      }
    }
    const [one, ten] = [median(times['one-year']), median(times['ten-years'])];
    const ratio = ten / one;
    return [
      {
        what: 'reconciliation of one year of ten',
        ours: ten,
        yardstick: one,
        unit: 'ms',
        ratio,
        bar: `<= ${BAR}`,
        reached: ratio <= BAR,
      },
    ];
  } finally {
    await client.end();
    await serving.end();
    await found.leave();
    await rm(folder, { recursive: true, force: true });
  }
}

async function reconcile(client: pg.Client, farmId: string): Promise<number> {
  const begun = performance.now();
  const records = await openFarmRecords(client, farmId);
  const period = {
    start: `${LAST_YEAR}-07-01`,
    end: `${LAST_YEAR + 1}-06-30`,
    timeZone: records.farm.timeZone,
  };
  let rows = 0;
  for await (const batch of new LivestockReconciliation().rows({
    farmId,
    period,
    records,
    warn: () => undefined,
  }))
    rows += batch.length;
  await client.query('COMMIT');
  if (rows === 0) throw new Error('nothing was reconciled');
  return performance.now() - begun;
}

async function importYears(database: Database, farm: string, years: number): Promise<void> {
  await new FarmSaver(database).save(farm, {
    name: farm,
    timeZone: 'Australia/Sydney',
    financialYearStart: '07-01',
    currency: 'AUD',
  });
  const summary = await new Importer(database).import(farm, readNdjson(lines(years)));
  if (summary.rejected > 0) throw new Error(JSON.stringify(summary.errors[0]));
}

async function* lines(years: number): AsyncGenerator<Buffer> {
  for (let year = LAST_YEAR - years + 1; year <= LAST_YEAR; year++) {
    yield Buffer.from(
      Array.from({ length: RECORDS_A_YEAR }, (_, n) => `${JSON.stringify(recordOf(year, n))}\n`).join(''),
    );
  }
}

const CLASSES = ['lamb', 'ewe', 'wether', 'ram'];
const EVENTS = [
  ['icarGroupMovementBirthEventResource', { registrationReason: 'Born' }],
  ['icarGroupMovementArrivalEventResource', { arrivalReason: 'Purchase' }],
  ['icarGroupMovementDepartureEventResource', { departureKind: 'Sale' }],
  ['icarGroupMovementDeathEventResource', { deathMethod: 'Perished' }],
] as const;

/** The nth record of a farm's year, spread evenly over its days; reclassifications every tenth. */
function recordOf(year: number, n: number): object {
  const at = new Date(
    Date.UTC(year, 6, 1, 2) + Math.floor((n * 364 * 86_400_000) / RECORDS_A_YEAR),
  ).toISOString();
  const [mob, ageClass] = [`m${n % 20}`, CLASSES[n % 4]];
  const envelope = {
    id: `${year}-${n}`,
    meta: { source: 'bench', sourceId: `${year}-${n}`, modified: at },
    eventDateTime: at,
  };
  if (n % 10 === 9) {
    const [from, to] = [{ ageClass }, { ageClass: CLASSES[(n + 1) % 4] }];
    return {
      resourceType: 'Reclassification',
      ...envelope,
      mobId: mob,
      head: 2,
      species: 'Sheep',
      from,
      to,
      cause: 'age',
    };
  }
  const [resourceType, how] = EVENTS[n % 7 < 3 ? 0 : 1 + (n % 3)] as (typeof EVENTS)[number];
  const trade = { price: { amount: String(80 + (n % 50)), currency: 'AUD', basis: 'perHead' }, fees: [] };
  return {
    resourceType,
    ...envelope,
    ...how,
    groupMethod: 'InventoryClassification',
    inventoryClassification: { name: 'sheep', species: 'Sheep', count: 1 + (n % 9) },
    ext: { mobId: mob, enterpriseId: `e${n % 3}`, ageClass, paddockId: `p${n % 100}`, trade },
  };
}

function median(times: readonly number[] = []): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}
