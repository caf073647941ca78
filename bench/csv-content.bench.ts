import { randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { Config } from '#muster/config.js';
import { findMigratedDatabase, servingUrl } from '#muster/database/index.js';
import { SnapshotReading } from '#muster/farm-records/snapshot-reading.js';
import { batches, type CellKind } from '#muster/farm-records/snapshot-sql.js';
import type { Cell, Column, Row } from '#muster/generators/generator.js';
import { openArtifact } from '#muster/generators/postgres-artifacts.js';
import { writeReport } from '#muster/generators/report-writer.js';
import type { Measurement } from './run.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const ROUNDS = 3;
const BAR = 0.6;
const RSS_BAR_MB = 100;

const column = (name: string, type: Column['type']): Column => ({
  name,
  type,
  unit: 'none',
  description: name,
});
const COLUMNS: Column[] = [
  column('date', 'date'),
  column('time', 'time'),
  column('tag', 'text'),
  column('mob', 'text'),
  column('paddock', 'text'),
  column('species', 'text'),
  column('age_class', 'text'),
  column('head', 'integer'),
  column('product', 'text'),
  column('batch', 'text'),
  column('dose', 'decimal'),
  column('cost', 'decimal'),
];
const heading = {
  type: 'flat.v1',
  farm: 'farm-1',
  title: 'Flat',
  period: { start: '2024-07-01', end: '2025-06-30', timeZone: 'UTC' },
  columns: COLUMNS,
};
const FLAT = `SELECT day::text, time::text, tag, mob, paddock, species, age_class, head, product, batch, dose::text, cost::text FROM flat`;

/** Content of a flat report, from the query to the stored and digested file, beside COPY of the same query to nowhere. */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  const found = await findMigratedDatabase(Object.assign(new Config(), { MUSTER_DATA_DIR: folder }));
  const owner = new pg.Client({ connectionString: found.url });
  const reader = new pg.Client({ connectionString: found.url });
  const copies = new pg.Client({ connectionString: found.url });
  const writer = new pg.Client({ connectionString: servingUrl(found.url) });
  try {
    await Promise.all([owner, reader, copies, writer].map((client) => client.connect()));
    await writer.query('SET synchronous_commit = off');
    await fill(owner);
    const rates = { copy: 0, csv: 0, all: 0 };
    const grown = { csv: 0 };
    for (let round = 0; round <= ROUNDS; round++) {
      const weight = round === 0 ? 0 : 1 / ROUNDS; // the first round warms up
      rates.copy += weight * (await rate(() => copy(reader)));
      const before = settledRss();
      const watch = watchRss();
      rates.csv += weight * (await rate(() => content(reader, copies, writer, ['csv'])));
      const peak = watch();
      if (round > 0) grown.csv = Math.max(grown.csv, peak - before);
      rates.all +=
        weight * (await rate(() => content(reader, copies, writer, ['csv', 'json', 'ndjson', 'xlsx'])));
      await owner.query('TRUNCATE artifact CASCADE');
    }
    return [
      against('CSV content of a flat report', rates.csv, rates.copy, BAR),
      {
        what: 'the same in all four formats',
        ours: rates.all,
        yardstick: rates.copy,
        unit: 'rows/s',
        ratio: rates.all / rates.copy,
        bar: 'no bar',
        reached: true,
      },
      {
        what: `memory grown by ${ROWS.toLocaleString('en')} rows of CSV`,
        ours: grown.csv,
        unit: 'MB',
        bar: `<= ${RSS_BAR_MB}`,
        reached: grown.csv <= RSS_BAR_MB,
      },
    ];
  } finally {
    await Promise.all([owner, reader, copies, writer].map((client) => client.end()));
    await found.leave();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(owner: pg.Client): Promise<void> {
  await owner.query(`
    CREATE UNLOGGED TABLE flat AS
    SELECT date '2024-07-01' + (n % 365)::int AS day, time '06:00' + (n % 36000) * interval '1 second' AS time, '982 0000' || n AS tag,
           'Mob ' || n % 40 AS mob, 'Paddock ' || n % 500 AS paddock, 'Sheep' AS species, 'ewe' AS age_class, 1 AS head,
           'Closal 54' AS product, 'B' || n % 90 AS batch, (n % 100)::numeric / 10 AS dose, (n % 1000)::numeric / 100 AS cost
      FROM generate_series(1, ${ROWS}) AS n`);
  await owner.query('ANALYZE flat');
}

async function copy(client: pg.Client): Promise<void> {
  const stream = client.query(copyTo(`COPY (${FLAT}) TO STDOUT`));
  for await (const _ of stream);
}

async function content(
  reader: pg.Client,
  copies: pg.Client,
  writer: pg.Client,
  formats: readonly string[],
): Promise<void> {
  const artifact = await openArtifact(writer, { bucket: 1, reportId: `rpt-${randomUUIDv7()}`, attempt: 1 });
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await writeReport(heading, rowsOf(new SnapshotReading(reader, copies)), [], artifact, formats);
  await Promise.all([reader, copies].map((client) => client.query('COMMIT')));
}

const KINDS: CellKind[] = COLUMNS.map(({ type }) => (type === 'integer' ? 'number' : 'text'));

async function* rowsOf(reading: SnapshotReading): AsyncIterable<readonly Row[]> {
  for await (const batch of batches<Cell[]>(reading, FLAT, [], KINDS))
    yield batch.map((cells) => ({ rowType: 'detail', cells }));
}

async function rate(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (ROWS / (performance.now() - start)) * 1000;
}

function settledRss(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 1e6;
}

/** Answers the highest memory seen until it is asked. */
function watchRss(): () => number {
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss() / 1e6)), 50);
  return () => (clearInterval(timer), peak);
}

function against(what: string, ours: number, yardstick: number, bar: number): Measurement {
  const ratio = ours / yardstick;
  return { what, ours, yardstick, unit: 'rows/s', ratio, bar: `>= ${bar}`, reached: ratio >= bar };
}
