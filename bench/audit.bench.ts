import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { Config } from '#muster/config.js';
import { findMigratedDatabase } from '#muster/database/index.js';
import { bucketOf } from '#muster/event-store/index.js';
import type { Measurement } from './run.ts';

const MUSTER = new URL('../dist/cli/muster.js', import.meta.url).pathname;
const REPORTS = Number(process.env.BENCH_REPORTS ?? 350_000);
/** One in so many reports still has its content. */
const KEPT = 10;
const FARMS = 2_000;
/** A daily audit of ten million events within a quarter of an hour. */
const BAR = 11_000;

/** `muster audit` over reports that came to their end, most of them expired, as after some years of service. */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  const database = await findMigratedDatabase(Object.assign(new Config(), { MUSTER_DATA_DIR: folder }));
  const owner = new pg.Client(database.url);
  try {
    await owner.connect();
    await seed(owner);
    const { rows } = await owner.query<{ events: string }>('SELECT count(*) AS events FROM event');
    const events = Number(rows[0]?.events);
    const begun = performance.now();
    const audited = await promisify(execFile)(
      '/usr/bin/env',
      ['time', '-f', '%M', process.execPath, MUSTER, 'audit', '--json'],
      { env: { ...process.env, DATABASE_URL: database.url }, maxBuffer: 1e9 },
    ).catch((error: unknown) => error as { stdout: string; stderr: string });
    const seconds = (performance.now() - begun) / 1000;
    if (!audited.stdout.startsWith('{"content":true'))
      throw new Error(audited.stdout.slice(0, 2_000) + audited.stderr);
    const rate = events / seconds;
    process.stderr.write(`${events} events in ${seconds.toFixed(1)} s\n`);
    const most = Number(audited.stderr.trim().split('\n').at(-1)) / 1024;
    return [
      {
        what: 'audit of everything stored',
        ours: rate,
        unit: 'events/s',
        bar: `>= ${BAR}`,
        reached: rate >= BAR,
      },
      { what: 'memory of the audit', ours: most, unit: 'MB', bar: '<= 400', reached: most <= 400 },
    ];
  } finally {
    await owner.end();
    await database.leave();
    await rm(folder, { recursive: true, force: true });
  }
}

async function seed(owner: pg.Client): Promise<void> {
  await owner.query("SET synchronous_commit = off; SET work_mem = '256MB'");
  await owner.query('CREATE TEMPORARY TABLE f (nth integer, id text, bucket smallint)');
  const farms = Array.from({ length: FARMS }, (_, n) => `farm-${n}`);
  await owner.query(
    'INSERT INTO f SELECT n - 1, id, bucket FROM unnest($1::text[], $2::smallint[]) WITH ORDINALITY AS g(id, bucket, n)',
    [farms, farms.map(bucketOf)],
  );
  for (const statement of [...REPORT_ROWS, ...CONTENT, 'ANALYZE']) await owner.query(statement);
}

const FILES = `(VALUES ('csv'), ('json'), ('ndjson'), ('xlsx')) AS format(name)`;
const BODY = `convert_to(rpad(r.n || format.name, 1000, 'x'), 'UTF8')`;

const REPORT_ROWS = [
  `CREATE TEMPORARY TABLE r AS
   SELECT n, f.id AS farm, f.bucket, 1700000000000 + n * 1000 AS at, n % ${KEPT} = 0 AS kept,
     format('rpt-%s-%s-%s-7000-8000-%s', lpad(to_hex(f.bucket::integer), 2, '0'), lpad(to_hex(n), 8, '0'), lpad(to_hex(n % 65536), 4, '0'), lpad(to_hex(n), 12, '0')) AS id
   FROM generate_series(1, ${REPORTS}) AS n JOIN f ON f.nth = n % ${FARMS}`,
  `CREATE TEMPORARY TABLE m AS
   SELECT r.n, jsonb_build_object('generator', 'livestock-sale.v1', 'generatorVersion', '1', 'recordsPosition', '1', 'rows', 1, 'warnings', 0, 'controlTotals', '{}'::jsonb,
     'files', jsonb_agg(jsonb_build_object('format', format.name, 'bytes', 1000, 'sha256', encode(sha256(${BODY}), 'hex')))) AS manifest
   FROM r, ${FILES} GROUP BY r.n`,
  `INSERT INTO event (bucket, position, stream_id, version, tenant_id, stream_type, event_id, type, schema_version, data, meta)
   SELECT bucket, row_number() OVER (PARTITION BY bucket ORDER BY n, version), id, version, farm, 'report', gen_random_uuid(), type, 1, data,
     '{"actor":"key-1","correlationId":"0b1f6f2e-93ab-4f0e-8d0e-0f3a4f8f6f55"}'
   FROM r JOIN m USING (n) CROSS JOIN LATERAL (VALUES
     (1, 'ReportRequested', jsonb_build_object('request', jsonb_build_object('type', 'livestock-sale.v1', 'tenantType', 'farm', 'tenantId', farm,
        'reportingPeriodStart', n, 'reportingPeriodEnd', n), 'generator', 'livestock-sale.v1', 'period', '{"start":"2024-07-01","end":"2025-06-30","timeZone":"Australia/Sydney"}'::jsonb,
        'warnings', '[]'::jsonb, 'requestedBy', 'key-1', 'reusable', true, 'at', at)),
     (2, 'ReportGenerationStarted', jsonb_build_object('attempt', 1, 'at', at + 10)),
     (3, 'ReportCompleted', jsonb_build_object('attempt', 1, 'manifest', manifest, 'at', at + 20)),
     (4, 'ReportDownloaded', jsonb_build_object('by', 'key-1', 'format', 'csv', 'count', 1, 'at', at + 30)),
     (5, 'ReportExpired', jsonb_build_object('at', at + 40))) AS life(version, type, data)
   WHERE version < 5 OR NOT kept`,
  `INSERT INTO stream SELECT bucket, id, farm, 'report', CASE WHEN kept THEN 4 ELSE 5 END FROM r`,
  `UPDATE log_head SET position = (SELECT count(*) FROM event WHERE event.bucket = log_head.bucket)`,
  `INSERT INTO report (bucket, report_id, tenant_id, type, generator, period_start_sent, period_end_sent, period_start, period_end, time_zone, warnings, status,
     created_at, modified_at, attempt, manifest)
   SELECT bucket, id, farm, 'livestock-sale.v1', 'livestock-sale.v1', n, n, '2024-07-01', '2025-06-30', 'Australia/Sydney', '[]',
     CASE WHEN kept THEN 'completed' ELSE 'expired' END, at, at + CASE WHEN kept THEN 20 ELSE 40 END, 1, manifest FROM r JOIN m USING (n)`,
  `INSERT INTO reusable_report
   SELECT bucket, sha256(convert_to(format('["livestock-sale.v1","farm","%s",%s,%s]', farm, n, n), 'UTF8')), at, id, true FROM r WHERE kept`,
];

const CONTENT = [
  `INSERT INTO artifact SELECT bucket, id, 1, now(), now() FROM r WHERE kept`,
  `INSERT INTO artifact_file SELECT bucket, id, 1, format.name, 1000, encode(sha256(${BODY}), 'hex') FROM r, ${FILES} WHERE kept`,
  `INSERT INTO artifact_chunk SELECT bucket, id, 1, format.name, 0, ${BODY} FROM r, ${FILES} WHERE kept`,
];
