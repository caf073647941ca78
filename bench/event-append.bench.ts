import { randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Config } from '#muster/config.js';
import { Database, findMigratedDatabase, servingUrl } from '#muster/database/index.js';
import { bucketOf, EventStore, type StreamRef } from '#muster/event-store/index.js';
import { HintSender } from '#muster/event-store/hint-sender.js';
import type { Measurement } from './run.ts';

const WRITERS = 16;
const FARMS = Array.from({ length: 64 }, (_, n) => `farm-${n}`);
const BAR = 0.35;
const ROUNDS = 3;
const ROUND_SECONDS = 3;

const request = {
  type: 'livestock-reconciliation.v3',
  tenantType: 'farm',
  tenantId: 'farm-1',
  reportingPeriodStart: 1_719_756_000_000,
  reportingPeriodEnd: 1_751_205_600_000,
};
const event = {
  type: 'ReportRequested',
  request,
  generator: 'livestock-reconciliation.v3',
  period: { start: '2024-07-01', end: '2025-06-30', timeZone: 'Australia/Sydney' },
  warnings: [],
  requestedBy: 'key-1',
  reusable: true,
  at: 1_751_205_600_001,
};
const meta = { actor: 'key-1', correlationId: '0b1f6f2e-93ab-4f0e-8d0e-0f3a4f8f6f55' };

/** Appends of one event to new streams of several farms, beside inserts of the same row into a table of the same shape. */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  const found = await findMigratedDatabase(Object.assign(new Config(), { MUSTER_DATA_DIR: folder }));
  const owner = new pg.Pool({ connectionString: found.url, max: WRITERS });
  const serving = new pg.Pool({ connectionString: servingUrl(found.url), max: WRITERS + 1 });
  try {
    await owner.query('CREATE TABLE bare_event (LIKE event INCLUDING ALL)');
    const database = new Database(serving);
    const store = new EventStore(database, new HintSender(database));
    const ways = { bare: insert(owner), alone: appendAlone(store), inTransaction: append(database, store) };
    const rates = { bare: 0, alone: 0, inTransaction: 0 };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const way of ['bare', 'alone', 'inTransaction'] as const) {
        const reached = await rate(ways[way]);
        if (round > 0) rates[way] += reached / ROUNDS; // the first round warms up
      }
    }
    return [
      measurement('event append', rates.alone, rates.bare),
      measurement('event append as a part of a transaction', rates.inTransaction, rates.bare),
    ];
  } finally {
    await Promise.all([owner.end(), serving.end()]);
    await found.leave();
    await rm(folder, { recursive: true, force: true });
  }
}

type Write = (farm: string) => Promise<unknown>;

function appendAlone(store: EventStore): Write {
  return (farm) => store.appendAlone(streamOf(farm), 0, [{ id: randomUUIDv7(), event }], meta);
}

/** Three round trips, of which BEGIN and COMMIT are two; other appends of the farm wait for the last one. */
function append(database: Database, store: EventStore): Write {
  return (farm) =>
    database.transaction((tx) => store.append(tx, streamOf(farm), 0, [{ id: randomUUIDv7(), event }], meta));
}

function streamOf(farm: string): StreamRef {
  return { bucket: bucketOf(farm), tenantId: farm, streamType: 'report', streamId: `rpt-${randomUUIDv7()}` };
}

let position = 0;

function insert(pool: pg.Pool): Write {
  const { type, ...data } = event;
  return (farm) =>
    pool.query({
      name: 'bare',
      text: `INSERT INTO bare_event (bucket, position, stream_id, version, tenant_id, stream_type, event_id, type, schema_version, data, meta)
             VALUES ($1, $2, $3, 1, $4, 'report', $5, $6, 1, $7, $8)`,
      values: [
        bucketOf(farm),
        ++position,
        `rpt-${randomUUIDv7()}`,
        farm,
        randomUUIDv7(),
        type,
        JSON.stringify(data),
        JSON.stringify(meta),
      ],
    });
}

/** Writes a second by all writers together. */
async function rate(write: Write): Promise<number> {
  const begun = performance.now();
  const until = begun + ROUND_SECONDS * 1000;
  let written = 0;
  const writer = async (_: unknown, first: number): Promise<void> => {
    for (let turn = first; performance.now() < until; turn++) {
      await write(FARMS[turn % FARMS.length]!);
      written++;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return written / ((performance.now() - begun) / 1000);
}

function measurement(what: string, ours: number, yardstick: number): Measurement {
  const ratio = ours / yardstick;
  const unit = `events/s, ${WRITERS} writers, ${FARMS.length} farms; one-row inserts by bare pg`;
  return { what, ours, yardstick, unit, ratio, bar: `at least ${BAR}`, reached: ratio >= BAR };
}
