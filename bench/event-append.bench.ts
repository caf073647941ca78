import { randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Config } from '#muster/config.js';
import { Database, findMigratedDatabase, servingUrl } from '#muster/database/index.js';
import { bucketOf, EventStore } from '#muster/event-store/index.js';
import { HintSender } from '#muster/event-store/hint-sender.js';
import type { Measurement } from './run.ts';

const WRITERS = 16;
const FARMS = Array.from({ length: Number(process.env['FARMS'] ?? 16) }, (_, n) => `farm-${n}`);
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
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const [appended, inserted] = [await rate(append(database, store)), await rate(insert(owner))];
      if (round > 0) (ours.push(appended), bare.push(inserted)); // the first round warms up
    }
    const [mine, yardstick] = [mean(ours), mean(bare)];
    const ratio = mine / yardstick;
    return [
      {
        what: `event append, ${WRITERS} writers, ${FARMS.length} farms`,
        ours: mine,
        yardstick,
        unit: 'events/s; one-row inserts by bare pg',
        ratio,
        bar: 'at least 0.35',
        reached: ratio >= 0.35,
      },
    ];
  } finally {
    await Promise.all([owner.end(), serving.end()]);
    await found.leave();
    await rm(folder, { recursive: true, force: true });
  }
}

type Write = (farm: string) => Promise<unknown>;

function append(database: Database, store: EventStore): Write {
  return (farm) => {
    const stream = {
      bucket: bucketOf(farm),
      tenantId: farm,
      streamType: 'report',
      streamId: `rpt-${randomUUIDv7()}`,
    };
    return database.transaction((tx) => store.append(tx, stream, 0, [{ id: randomUUIDv7(), event }], meta));
  };
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

function mean(figures: number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}
