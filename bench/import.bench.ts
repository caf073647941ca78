import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Config } from '#muster/config.js';
import { Database, findMigratedDatabase, servingUrl } from '#muster/database/index.js';
import { Importer } from '#muster/farm-records/importer.js';
import { readNdjson } from '#muster/farm-records/index.js';
import { FarmSaver } from '#muster/farm-records/save-farm.js';
import type { Measurement } from './run.ts';

const RECORDS = Number(process.env.IMPORT_RECORDS ?? 60_000);
const ROUNDS = 3;
const BAR = 0.15;
const CHUNK = 64 * 1024;

/** An NDJSON file as a farm's system exports it, in the order of events; beside it COPY of the same rows into one indexed table. */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  const found = await findMigratedDatabase(Object.assign(new Config(), { MUSTER_DATA_DIR: folder }));
  const owner = new pg.Client({ connectionString: found.url });
  const serving = new pg.Pool({ connectionString: servingUrl(found.url), max: 2 });
  try {
    await owner.connect();
    const database = new Database(serving);
    const lines = records(RECORDS);
    const rates = { copied: 0, imported: 0 };
    for (let round = 0; round <= ROUNDS; round++) {
      const copied = await rate(() => copy(owner, lines));
      const imported = await rate(() => importLines(database, `farm-${round}`, lines));
      if (round === 0) continue; // warms up
      rates.copied += copied / ROUNDS;
      rates.imported += imported / ROUNDS;
    }
    const ratio = rates.imported / rates.copied;
    return [
      {
        what: 'NDJSON import',
        ours: rates.imported,
        yardstick: rates.copied,
        unit: 'records/s',
        ratio,
        bar: `>= ${BAR} of COPY into one indexed table`,
        reached: ratio >= BAR,
      },
    ];
  } finally {
    await owner.end();
    await serving.end();
    await found.leave();
    await rm(folder, { recursive: true, force: true });
  }
}

async function rate(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return (RECORDS * 1000) / (performance.now() - begun);
}

async function copy(owner: pg.Client, lines: readonly string[]): Promise<void> {
  await owner.query(`DROP TABLE IF EXISTS copied`);
  await owner.query(`CREATE TABLE copied (bucket smallint, farm_id text, source text, source_id text, at timestamptz, body jsonb,
                                          PRIMARY KEY (bucket, farm_id, source, source_id))`);
  const stream = owner.query(copyFrom('COPY copied FROM STDIN'));
  const done = finished(stream);
  for (let first = 0; first < lines.length; first += 200) {
    const rows = lines
      .slice(first, first + 200)
      .map((line, index) => `7\tfarm\tbench\tr${first + index}\t2024-07-01T00:00:00Z\t${line}\n`);
    if (!stream.write(rows.join(''))) await new Promise((resolve) => stream.once('drain', resolve));
  }
  stream.end();
  await done;
}

async function importLines(database: Database, farm: string, lines: readonly string[]): Promise<void> {
  await new FarmSaver(database).save(farm, { name: farm, timeZone: 'Australia/Sydney' });
  const { accepted } = await new Importer(database).import(
    farm,
    readNdjson(Readable.from(chunks(Buffer.from(lines.join('\n'))))),
  );
  if (accepted !== lines.length) throw new Error(`${accepted} of ${lines.length} records were accepted`);
}

function* chunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/** A year of a farm that tags what it buys: arrivals, treatments, group births and deaths, departures. */
function records(count: number): string[] {
  const begin = Date.parse('2024-07-01T00:00:00Z');
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(begin + Math.floor((index / count) * 31_000_000) * 1000).toISOString();
    return JSON.stringify({
      ...happening(index),
      meta: { source: 'bench', sourceId: `r${index}`, modified: at },
      eventDateTime: at,
    });
  });
}

function happening(index: number): object {
  const animal = (nth: number) => ({
    animal: { scheme: 'au.nlis', id: `3ABCD${String(nth).padStart(9, '0')}` },
  });
  const ext = {
    mobId: `mob-${index % 40}`,
    enterpriseId: 'trading',
    ageClass: 'steer',
    paddockId: `p-${index % 100}`,
  };
  const trade = {
    price: { amount: '812.40', currency: 'AUD', basis: 'perHead' },
    counterparty: 'Elders',
    reference: `C${index >> 6}`,
  };
  const inventory = {
    groupMethod: 'InventoryClassification',
    inventoryClassification: { name: 'steers', species: 'Cattle', count: 3 },
  };
  switch (index % 5) {
    case 0:
    case 1:
      return {
        resourceType: 'icarMovementArrivalEventResource',
        ...animal(index),
        arrivalReason: 'Purchase',
        animalDetail: {
          identifier: animal(index).animal,
          specie: 'Cattle',
          gender: 'Male',
          primaryBreed: { scheme: 'org.icar', id: 'ANG' },
        },
        ext: { ...ext, trade },
      };
    case 2:
      return {
        resourceType: 'icarTreatmentEventResource',
        ...animal(index - 2),
        medicine: { name: 'Dectomax', identifier: { id: 'm1' } },
        ext: { whpDays: 42 },
      };
    case 3:
      return {
        resourceType: 'icarGroupMovementBirthEventResource',
        ...inventory,
        registrationReason: 'Born',
        ext,
      };
    default:
      return {
        resourceType: 'icarMovementDepartureEventResource',
        ...animal(index - 4),
        departureKind: 'Sale',
        ext: { trade },
      };
  }
}
