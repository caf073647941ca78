import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import { Client } from 'pg';
import { AppModule } from '../src/app.module.js';
import { Audit, type AuditScope, type Finding } from '../src/audit/index.js';
import { Config } from '../src/config.js';
import { bucketOf, EventStore } from '../src/event-store/index.js';
import { ExpireReport, NoteProgress, StartGeneration } from '../src/reports/index.js';
import { apiKeyFor, Caller } from './support/caller.js';
import { copyOf, type FreshDatabase, freshDatabase, openDatabase } from './support/database.js';
import { runMuster } from './support/muster.js';
import { Receiver } from './support/receiver.js';
import { startService } from './support/service.js';
import { until } from './support/until.js';

const FARM = 'farm-a';
const OTHER = 'farm-b';
const YEARS_AWAY = Date.now() + 3 * 366 * 86_400_000;
const BUCKET = bucketOf(FARM);
const GHOST = reportIdOf(FARM);
/** A farm that lies in the same bucket as FARM and does not exist. */
const GHOST_FARM = Array.from({ length: 10_000 }, (_, nth) => `ghost-${nth}`).find(
  (id) => bucketOf(id) === BUCKET,
);

/** Reports of FARM: one that nobody may reuse, one that answers again, one of each end, and those that have none. */
const reports = { alone: '', reusable: '', cancelled: '', expired: '', pending: '', running: '' };

let prepared: FreshDatabase;
let other: FreshDatabase;
let app: INestApplicationContext;
let audit: Audit;

beforeAll(async () => {
  [prepared, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  await prepare();
  app = await applicationOn(other.url);
  audit = app.get(Audit);
});

afterAll(async () => {
  await app?.close();
  await Promise.all([prepared?.drop(), other?.drop()]);
});

async function prepare(): Promise<void> {
  const receiver = await Receiver.start();
  const env = { WEBHOOK_PLAIN_HTTP: 'allow', WEBHOOK_PRIVATE_ADDRESSES: 'allow' };
  const working = await startService({ databaseUrl: prepared.url, env });
  const farmer = new Caller(working.url, await apiKeyFor(prepared.url, ['*']));
  for (const farm of [FARM, OTHER])
    await farmer.send('PUT', `/v2/farms/${farm}`, { name: farm, timeZone: 'Australia/Sydney' });
  await farmer.import(FARM, records);
  const endpoint = await register(farmer, receiver.url('/hook'));
  await runSchedule(farmer);
  reports.alone = await create(farmer, { 'cache-control': 'no-store' });
  reports.expired = await create(farmer, { 'cache-control': 'no-cache' });
  reports.reusable = await create(farmer, { 'cache-control': 'no-cache', 'idempotency-key': 'once' });
  for (const id of Object.values(reports).filter(Boolean))
    expect((await farmer.ended(id)).status).toBe('completed');
  await until('all is told', () => Promise.resolve(receiver.at('/hook').length === 4));
  expect(await working.stop()).toBe(0);
  receiver.close();
  const waiting = await startService({ databaseUrl: prepared.url, role: 'api' });
  const again = new Caller(waiting.url, farmer.apiKey);
  reports.cancelled = await create(again, { 'cache-control': 'no-cache' });
  expect((await again.send('DELETE', `/v2/report/${reports.cancelled}`)).status).toBe(200);
  reports.pending = await create(again, { 'cache-control': 'no-cache' });
  reports.running = await create(again, { 'cache-control': 'no-cache' });
  await sendOneAgain(again, endpoint);
  expect(await waiting.stop()).toBe(0);
  const own = await applicationOn(prepared.url);
  const commands = own.get(CommandBus);
  await commands.execute(new ExpireReport(reports.expired));
  await commands.execute(new StartGeneration(reports.running));
  await commands.execute(new NoteProgress(reports.running, 1, 500));
  await noteThrice(own.get(EventStore));
  await own.close();
}

/** An endpoint that is told of everything, and answers; its address. */
async function register(farmer: Caller, url: string): Promise<string> {
  const { status, body } = await farmer.send('POST', '/v2/webhook-endpoints', { url });
  expect(status).toBe(201);
  return `/v2/webhook-endpoints/${body.data.id}`;
}

/** Leaves a message that waits for a worker. */
async function sendOneAgain(farmer: Caller, endpoint: string): Promise<void> {
  const { body } = await farmer.get(`${endpoint}/deliveries`);
  const { status } = await farmer.send('POST', `${endpoint}/deliveries/${body.data[0].id}/replay`);
  expect(status).toBe(202);
}

/** A schedule that has run. */
async function runSchedule(farmer: Caller): Promise<void> {
  const settings = { type: 'livestock-sale.v1', tenantType: 'farm', tenantId: FARM, every: 'month' };
  const { status, body } = await farmer.send('POST', '/v2/report-schedules', settings);
  expect(status).toBe(201);
  const owner = new Client(prepared.ownerUrl);
  await owner.connect();
  await owner.query('UPDATE report_schedule SET active_since = 0, next_due_at = 1, look_at = 1');
  await owner.end();
  await until('it has run', async () => {
    return (await farmer.get(`/v2/report-schedules/${body.data.id}/runs`)).body.data.length === 1;
  });
}

async function create(farmer: Caller, headers: Record<string, string>): Promise<string> {
  const { status, body } = await farmer.createReport(
    {
      type: 'livestock-reconciliation.v3',
      tenantType: 'farm',
      tenantId: FARM,
      reportingPeriodStart: Date.parse('2024-06-30T14:00:00Z'),
      reportingPeriodEnd: Date.parse('2025-06-29T14:00:00Z'),
    },
    headers,
  );
  expect(status).toBe(201);
  return body.data.id as string;
}

/** A stream of three events that is no report's, where only the log itself is looked at. */
async function noteThrice(store: EventStore): Promise<void> {
  const stream = { bucket: BUCKET, tenantId: FARM, streamType: 'note', streamId: 'note' };
  const noted = Array.from({ length: 3 }, () => ({ id: randomUUID(), event: { type: 'Noted' } }));
  await store.appendAlone(stream, 0, noted, {});
}

const meta = (sourceId: string) => ({ source: 'test', sourceId, modified: '2024-07-01T00:00:00Z' });
const records = [
  {
    resourceType: 'OpeningStock',
    id: 'open',
    meta: meta('open'),
    date: '2024-07-01',
    lines: [
      {
        species: 'Sheep',
        ageClass: 'ewe',
        enterpriseId: 'wool',
        mobId: 'm1',
        paddockId: 'p1',
        head: 120,
        value: '9600',
      },
    ],
  },
  {
    resourceType: 'icarGroupTreatmentEventResource',
    id: 'treated',
    meta: meta('treated'),
    eventDateTime: '2024-08-01T02:00:00Z',
    groupMethod: 'EmbeddedAnimalSet',
    ext: { mobId: 'm1', head: 40 },
  },
];

function reportIdOf(farm: string): string {
  return `rpt-${bucketOf(farm).toString(16).padStart(2, '0')}-01890a5d-ac96-774b-bcce-b302099a8057`;
}

function applicationOn(url: string): Promise<INestApplicationContext> {
  const config = Object.assign(new Config(), { NODE_ENV: 'test', ROLE: 'api', DATABASE_URL: url });
  return NestFactory.createApplicationContext(AppModule.with(config), { logger: false });
}

/** What the audit finds in a copy of the prepared database after the owner has done this to it. */
async function foundAfter(statements: string, scope: AuditScope = { buckets: [BUCKET] }): Promise<Finding[]> {
  const copy = await copyOf(prepared);
  const owner = new Client(copy.ownerUrl);
  const { database, close } = openDatabase(copy.ownerUrl);
  try {
    await owner.connect();
    await owner.query(statements);
    const findings: Finding[] = [];
    await audit.run(database.pool, scope, {
      found: (finding) => findings.push(finding),
      done: () => undefined,
    });
    return findings;
  } finally {
    await Promise.all([owner.end(), close()]);
    await copy.drop();
  }
}

it('is content with what the service has written', async () => {
  const acknowledged = new Map([[BUCKET, Object.values(reports)]]);
  expect(await foundAfter('', { acknowledged })).toEqual([]);
});

const note = `bucket = ${BUCKET} AND stream_id = 'note'`;
const of = (which: keyof typeof reports) => `bucket = ${BUCKET} AND report_id = '${reports[which]}'`;
const artifactOf = (which: keyof typeof reports, attempt: number, opened: string, published: string) =>
  `INSERT INTO artifact (bucket, report_id, attempt, opened_at, published_at)
   VALUES (${BUCKET}, '${reports[which]}', ${attempt}, ${opened}, ${published})`;
const split = () => `
  UPDATE artifact_chunk SET chunk = 1, content = substr(content, 11) WHERE ${of('alone')} AND format = 'csv';
  INSERT INTO artifact_chunk SELECT bucket, report_id, attempt, format, 0,
    (SELECT content FROM whole) FROM artifact_chunk WHERE ${of('alone')} AND format = 'csv'`;
const inTwo = () => `
  CREATE TEMPORARY TABLE whole AS SELECT substr(content, 1, 10) AS content FROM artifact_chunk WHERE ${of('alone')} AND format = 'csv';
  ${split()}`;

/** What is broken, how the owner breaks it, and the kinds of finding that name it. */
const breaks: [string, () => string, string][] = [
  [
    'a head beyond the last event',
    () => `UPDATE log_head SET position = position + 1 WHERE bucket = ${BUCKET}`,
    'log/head',
  ],
  [
    'a position without an event',
    () => `
      UPDATE event SET position = position + 1 WHERE bucket = ${BUCKET} AND position = (SELECT position FROM log_head WHERE bucket = ${BUCKET});
      UPDATE log_head SET position = position + 1 WHERE bucket = ${BUCKET}`,
    'log/gap',
  ],
  [
    'a version without an event',
    () =>
      `UPDATE event SET version = 4 WHERE ${note} AND version = 3; UPDATE stream SET version = 4 WHERE ${note}`,
    'log/version',
  ],
  [
    'a stream that says another version than its events',
    () => `UPDATE stream SET version = 4 WHERE ${note}`,
    'log/stream-version',
  ],
  [
    'a stream without events',
    () => `INSERT INTO stream VALUES (${BUCKET}, 'empty', '${FARM}', 'note', 1)`,
    'log/stream-without-events',
  ],
  ['events without their stream', () => `DELETE FROM stream WHERE ${note}`, 'log/events-without-stream'],
  [
    'an event of another farm in a stream',
    () => `UPDATE event SET tenant_id = '${OTHER}' WHERE ${note} AND version = 2`,
    'log/tenant',
  ],
  [
    'a stream in the bucket of another farm',
    () =>
      `UPDATE event SET tenant_id = '${OTHER}' WHERE ${note}; UPDATE stream SET tenant_id = '${OTHER}' WHERE ${note}`,
    'log/bucket',
  ],
  [
    'an event recorded twice',
    () =>
      `UPDATE event SET event_id = (SELECT event_id FROM event WHERE ${note} AND version = 1) WHERE ${note} AND version = 2`,
    'log/event-id',
  ],
  [
    'a subscription beyond the head',
    () => `INSERT INTO subscription_checkpoint (bucket, name, position) VALUES (${BUCKET}, 'eager', 1000)`,
    'log/checkpoint',
  ],
  [
    'a report about another farm than its stream',
    () =>
      `UPDATE event SET data = jsonb_set(data, '{request,tenantId}', '"${OTHER}"') WHERE stream_id = '${reports.alone}' AND version = 1`,
    'reports/tenant',
  ],
  [
    'a report that ends twice',
    () => `
      WITH head AS (UPDATE log_head SET position = position + 1 WHERE bucket = ${BUCKET} RETURNING position),
           grown AS (UPDATE stream SET version = version + 1 WHERE stream_id = '${reports.alone}' RETURNING *)
      INSERT INTO event (bucket, position, stream_id, version, tenant_id, stream_type, event_id, type, schema_version, data, meta)
      SELECT ${BUCKET}, head.position, stream_id, version, tenant_id, stream_type, gen_random_uuid(), 'ReportCancelled', 1, '{"by":"x","at":1}', '{}' FROM head, grown`,
    'reports/life',
  ],
  [
    'a row that is not the fold of its events',
    () => `UPDATE report SET status = 'failed' WHERE ${of('alone')}`,
    'reports/row',
  ],
  [
    'progress of what has ended',
    () => `UPDATE report SET rows_written = 5 WHERE ${of('alone')}`,
    'reports/row',
  ],
  ['a report without its row', () => `DELETE FROM report WHERE ${of('alone')}`, 'reports/row-missing'],
  [
    'a row without events',
    () => `
      CREATE TEMPORARY TABLE copied AS SELECT * FROM report WHERE ${of('alone')};
      UPDATE copied SET report_id = '${GHOST}'; INSERT INTO report SELECT * FROM copied`,
    'reports/row-without-events',
  ],
  [
    'a report that has not ended and has no job',
    () => `DELETE FROM pgboss.job WHERE data->>'reportId' = '${reports.pending}'`,
    'jobs/missing',
  ],
  [
    'a completed report without content',
    () => `UPDATE artifact SET published_at = NULL WHERE ${of('alone')}`,
    'content/missing',
  ],
  [
    'content without one of its files',
    () => `DELETE FROM artifact_file WHERE ${of('alone')} AND format = 'xlsx'`,
    'content/manifest',
  ],
  [
    'a byte that changed',
    () =>
      `UPDATE artifact_chunk SET content = overlay(content placing '\\x00' from 5) WHERE ${of('alone')} AND format = 'csv'`,
    'content/bytes',
  ],
  [
    'a byte that changed in content of several chunks',
    () =>
      `${inTwo()}; UPDATE artifact_chunk SET content = overlay(content placing '\\x00' from 5) WHERE ${of('alone')} AND format = 'csv' AND chunk = 1`,
    'content/bytes',
  ],
  [
    'a chunk that cannot be unpacked',
    () => `UPDATE artifact_chunk SET packed = true WHERE ${of('alone')} AND format = 'csv'`,
    'content/bytes',
  ],
  [
    'a chunk that is gone',
    () => `DELETE FROM artifact_chunk WHERE ${of('alone')} AND format = 'csv'`,
    'content/bytes',
  ],
  [
    'content that no event speaks of',
    () => artifactOf('alone', 9, 'now()', 'now()'),
    'content/without-event',
  ],
  ['content of an expired report', () => artifactOf('expired', 1, 'now()', 'now()'), 'content/expired'],
  [
    'content that a dead worker left and nobody swept',
    () => artifactOf('alone', 9, `now() - interval '1 day'`, 'NULL'),
    'content/left-behind',
  ],
  [
    'a report that may answer again and is forgotten',
    () => `DELETE FROM reusable_report WHERE ${of('reusable')}`,
    'reuse/forgotten',
  ],
  [
    'a candidate that does not exist',
    () =>
      `INSERT INTO reusable_report (bucket, request, created_at, report_id) VALUES (${BUCKET}, '\\x00', 1, '${GHOST}')`,
    'reuse/without-report',
  ],
  [
    'a candidate for the request of somebody else',
    () => `UPDATE reusable_report SET request = sha256('another') WHERE ${of('reusable')}`,
    'reuse/request',
  ],
  [
    'a candidate that has ended',
    () => `
      INSERT INTO reusable_report (bucket, request, created_at, report_id)
      SELECT bucket, (SELECT request FROM reusable_report WHERE ${of('reusable')}), (data->>'at')::bigint, stream_id
      FROM event WHERE stream_id = '${reports.cancelled}' AND version = 1`,
    'reuse/ended',
  ],
  [
    'a candidate taken for unfinished',
    () => `UPDATE reusable_report SET settled = false WHERE ${of('reusable')}`,
    'reuse/settled',
  ],
  [
    'a farm in the bucket of another',
    () => `
      CREATE TEMPORARY TABLE moved AS SELECT * FROM farm WHERE farm_id = '${OTHER}';
      UPDATE moved SET bucket = ${BUCKET}; INSERT INTO farm SELECT * FROM moved`,
    'ledger/bucket',
  ],
  [
    'sums of a farm that is not there',
    () =>
      `INSERT INTO head_balance VALUES (${BUCKET}, '${GHOST_FARM}', 'm', 'Sheep', 'wool', 'ewe', 'p', false, 0, 0)`,
    'ledger/no-farm',
  ],
  [
    'a record without lines',
    () => `DELETE FROM head_line WHERE farm_id = '${FARM}' AND delta = 0`,
    'ledger/unbooked',
  ],
  [
    'lines without their record',
    () => `DELETE FROM farm_record WHERE farm_id = '${FARM}' AND source_id = 'treated'`,
    'ledger/line-without-record',
  ],
  [
    'a monthly flow that is not the sum of its lines',
    () => `UPDATE monthly_flow SET value = value + 1 WHERE farm_id = '${FARM}'`,
    'ledger/flow',
  ],
  [
    'a sum of a year that is not that of its lines',
    () => `UPDATE class_flow SET delta = delta + 1 WHERE farm_id = '${FARM}' AND unit = 'year'`,
    'ledger/class-flow',
  ],
  [
    'a balance that is not the sum of its lines',
    () => `UPDATE head_balance SET head = head - 1 WHERE farm_id = '${FARM}'`,
    'ledger/balance',
  ],
  [
    'a schedule in the bucket of another farm',
    () => `UPDATE report_schedule SET tenant_id = '${OTHER}'; DELETE FROM report_schedule_run`,
    'schedules/bucket',
  ],
  [
    'a schedule whose next run is years away',
    () => `UPDATE report_schedule SET next_due_at = ${YEARS_AWAY}, look_at = ${YEARS_AWAY}`,
    'schedules/next-run',
  ],
  [
    'a schedule that no worker comes to',
    () => `UPDATE report_schedule SET look_at = ${YEARS_AWAY}`,
    'schedules/next-run',
  ],
  [
    'a scheduled run without its report',
    () => `UPDATE report_schedule_run SET report_id = '${GHOST}'`,
    'schedules/run-without-report',
  ],
];

/** Of tables that are not distributed. */
const sharedBreaks: [string, string, string][] = [
  [
    'an Idempotency-Key that was answered with a report that is not there',
    `UPDATE idempotency_key SET report_id = '${GHOST}'`,
    'reports/idempotency-lost',
  ],
  [
    'a message that is neither delivered nor given up and has no job',
    `DELETE FROM pgboss.job WHERE data ? 'endpointId'`,
    'webhooks/job-missing',
  ],
  [
    'a message whose job is for an attempt before',
    `UPDATE webhook_delivery SET turn = turn + 1 WHERE status = 'pending'`,
    'webhooks/job-missing',
  ],
  [
    'a message about what did not happen',
    `INSERT INTO webhook_delivery (endpoint_id, event_id, event, tenant_id, report_id, occurred_at, status)
     SELECT endpoint_id, gen_random_uuid(), event, tenant_id, report_id, occurred_at, 'skipped' FROM webhook_delivery LIMIT 1`,
    'webhooks/without-event',
  ],
  [
    'a message about another farm than its report',
    `UPDATE webhook_delivery SET tenant_id = '${OTHER}' WHERE status = 'pending'`,
    'webhooks/without-event',
  ],
  [
    'a message that was not attempted as often as it says',
    `DELETE FROM webhook_attempt WHERE event_id = (SELECT event_id FROM webhook_delivery WHERE status = 'pending')`,
    'webhooks/attempts',
  ],
  [
    'a message that is delivered and was refused',
    `UPDATE webhook_attempt SET error = 'x' WHERE event_id = (SELECT event_id FROM webhook_delivery WHERE status = 'delivered' LIMIT 1)`,
    'webhooks/attempts',
  ],
];

describe('names', () => {
  it.each(breaks)('%s, and nothing else', async (_, statements, kind) => {
    const found = await foundAfter(statements());
    expect(found.map((finding) => finding.kind)).toEqual([kind]);
    expect(found[0]).toMatchObject({
      bucket: BUCKET,
      subject: expect.any(String),
      detail: expect.any(String),
    });
  });

  it('a report that a caller was told of and that is not there', async () => {
    const acknowledged = new Map([[BUCKET, [reports.alone, GHOST]]]);
    expect(await foundAfter('', { buckets: [BUCKET], acknowledged })).toEqual([
      expect.objectContaining({ kind: 'reports/acknowledged-lost', subject: GHOST }),
    ]);
  });

  it.each(sharedBreaks)('%s, and nothing else', async (_, statements, kind) => {
    expect(await foundAfter(statements, { buckets: [BUCKET], shared: true })).toEqual([
      { kind, subject: expect.any(String), detail: expect.any(String) },
    ]);
  });

  it('what it cannot read, and goes on with the other rules', async () => {
    const found = await foundAfter(
      `UPDATE event SET data = data - 'manifest' WHERE stream_id = '${reports.alone}' AND type = 'ReportCompleted'`,
    );
    expect(found.map(({ kind }) => kind).sort()).toEqual(['content/unreadable', 'reports/row']);
  });

  it('nothing when whole content lies in several chunks', async () => {
    expect(await foundAfter(inTwo())).toEqual([]);
  });

  it('nothing when of a stream only its places are left', async () => {
    expect(await foundAfter(`SELECT empty_streams(${BUCKET}::smallint, ARRAY['note'])`)).toEqual([]);
  });

  it('what concerns a farm, when asked about one', async () => {
    const statements = `UPDATE report SET status = 'failed' WHERE ${of('alone')}`;
    expect(await foundAfter(statements, { buckets: [BUCKET], farm: GHOST_FARM ?? '' })).toEqual([]);
    expect(await foundAfter(statements, { buckets: [BUCKET], farm: FARM })).toHaveLength(1);
  });
});

describe('muster rebuild', () => {
  it('makes a broken read model again, after which the audit is content', async () => {
    const copy = await copyOf(prepared);
    const owner = new Client(copy.ownerUrl);
    await owner.connect();
    // Progress is told again within a second.
    const rows = async () =>
      (
        await owner.query(
          `SELECT to_jsonb(report) - 'rows_written' - 'rows_estimated' AS row FROM report ORDER BY report_id`,
        )
      ).rows;
    const kept = await rows();
    await owner.query(
      `UPDATE report SET status = 'pending', manifest = NULL; DELETE FROM report WHERE ${of('alone')}`,
    );
    const again = await runMuster(['rebuild', 'report'], { databaseUrl: copy.url });
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(/^report is made again from \d+ events/),
    ]);
    expect(await rows()).toEqual(kept);
    await owner.end();
    expect((await runMuster(['audit'], { databaseUrl: copy.url })).code).toBe(0);
    const unknown = await runMuster(['rebuild', 'paddocks'], { databaseUrl: copy.url });
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('there are: report, reusable-report'),
    ]);
    await copy.drop();
  });
});

it('a ledger that is wrong is booked anew as docs/operations.md says', async () => {
  const copy = await copyOf(prepared);
  const owner = new Client(copy.ownerUrl);
  await owner.connect();
  const ledger = async () => (await owner.query('SELECT * FROM monthly_flow ORDER BY month, category')).rows;
  const kept = await ledger();
  await owner.query(`UPDATE monthly_flow SET delta = delta + 1; DELETE FROM head_line WHERE delta = 0`);
  const page = await readFile(join(import.meta.dirname, '../docs/operations.md'), 'utf8');
  const [, statements = ''] = /booked anew from its records.*?```sql\n(.*?)```/s.exec(page) ?? [];
  await owner.query(statements.replaceAll("'F'", `'${FARM}'`));
  const same = ['farm', 'create', '--id', FARM, '--name', FARM, '--time-zone', 'Australia/Sydney'];
  expect((await runMuster(same, { databaseUrl: copy.url })).code).toBe(0);
  expect(await ledger()).toEqual(kept);
  await owner.end();
  expect((await runMuster(['audit', '--farm', FARM], { databaseUrl: copy.url })).code).toBe(0);
  await copy.drop();
});

describe('muster farm erase', () => {
  it('knows every table that says whose it is', async () => {
    const copy = await copyOf(prepared);
    const owner = new Client(copy.ownerUrl);
    await owner.connect();
    const { rows } = await owner.query<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name IN ('tenant_id', 'farm_id', 'farms', 'report_id') ORDER BY 1`,
    );
    await owner.end();
    await copy.drop();
    // A table that is missing here: have its module's eraser forget it, then name it.
    expect(rows.map(({ name }) => name)).toEqual([
      'api_key',
      'artifact',
      'artifact_chunk',
      'artifact_file',
      'class_flow',
      'consent',
      'deprecated_report',
      'event',
      'farm',
      'farm_record',
      'farm_record_version',
      'head_balance',
      'head_line',
      'idempotency_key',
      'monthly_flow',
      'oauth_code',
      'oauth_family',
      'person_farm',
      'report',
      'report_schedule',
      'report_schedule_run',
      'reusable_report',
      'stream',
      'webhook_delivery',
      'webhook_endpoint',
    ]);
  });

  it('leaves nothing of the farm but places in the log, all of the others, and the audit content', async () => {
    const copy = await copyOf(prepared);
    const owner = new Client(copy.ownerUrl);
    await owner.connect();
    const heads = async () =>
      (await owner.query('SELECT * FROM log_head WHERE position > 0 ORDER BY bucket')).rows;
    const places = async () =>
      (
        await owner.query(
          'SELECT position, stream_id, version, event_id FROM event WHERE bucket = $1 ORDER BY position',
          [BUCKET],
        )
      ).rows;
    const before = { heads: await heads(), places: await places() };
    await owner.query(
      `INSERT INTO api_key (id, name, hash, scopes, farms) VALUES ('k1', 'one', '\\x01', '{}', ARRAY['${FARM}']), ('k2', 'two', '\\x02', '{}', ARRAY['${FARM}', '${OTHER}']);
       INSERT INTO report_schedule VALUES (${BUCKET}, 's', '${FARM}', 'o', 't', 'month', 0, '00:00', true, NULL, 0, 0, '', '', 0, 0, 0);
       INSERT INTO webhook_endpoint (id, owner, url, description, events, farms, enabled, secret) VALUES
         ('w1', 'o', 'u', '', '{}', ARRAY['${FARM}'], true, ''), ('w2', 'o', 'u', '', '{}', NULL, true, '');
       INSERT INTO webhook_delivery (endpoint_id, event_id, event, tenant_id, report_id, occurred_at, status)
         VALUES ('w2', gen_random_uuid(), 'report.completed', '${FARM}', '${reports.alone}', now(), 'pending')`,
    );
    expect((await runMuster(['farm', 'erase', FARM], { databaseUrl: copy.url })).code).toBe(2);
    const serving = await servingLogin(owner, copy.ownerUrl);
    const refused = await runMuster(['farm', 'erase', FARM, '--yes'], { databaseUrl: serving.url });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('by the owner of the tables'),
    ]);
    expect((await runMuster(['api-key', 'list'], { databaseUrl: serving.url })).code).toBe(0);
    await serving.drop();
    const erased = await runMuster(['farm', 'erase', FARM, '--yes', '--json'], { databaseUrl: copy.url });
    expect(JSON.parse(erased.stdout)).toEqual({ farm: FARM, reports: 8 });
    expect(await rowsThatName(owner, FARM)).toEqual([]);
    expect(await places()).toEqual(before.places);
    const { rows: keys } = await owner.query(
      'SELECT farms, revoked_at IS NOT NULL AS revoked FROM api_key WHERE farms IS NOT NULL ORDER BY id',
    );
    expect(keys).toEqual([
      { farms: [], revoked: true },
      { farms: [OTHER], revoked: false },
    ]);
    expect((await owner.query(`SELECT FROM farm WHERE farm_id = '${OTHER}'`)).rowCount).toBe(1);
    expect((await runMuster(['audit'], { databaseUrl: copy.url })).stdout).toBe(
      'Everything stored is whole and agrees.\n',
    );
    const again = await runMuster(['farm', 'erase', FARM, '--yes'], { databaseUrl: copy.url });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('there is no farm')]);
    await owner.end();
    await copy.drop();
  });
});

/** The login that serves where the owner's does not, made as docs/operations.md says. */
async function servingLogin(
  owner: Client,
  ownerUrl: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const page = await readFile('docs/operations.md', 'utf8');
  const [, said = ''] = /```sql\n(CREATE ROLE [^`]+)```/.exec(page) ?? [];
  const login = `serving_${randomUUID().slice(0, 8)}`;
  await owner.query(said.replace('muster_serving', login).replace('…', 'a1b2c3d4e5f6'));
  const url = new URL(ownerUrl);
  [url.username, url.password, url.search] = [login, 'a1b2c3d4e5f6', ''];
  const drop = async (): Promise<void> => {
    await owner.query(`DROP ROLE ${login}`);
  };
  return { url: url.href, drop };
}

/** Every table with a row that says a text anywhere. */
async function rowsThatName(owner: Client, text: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'pgboss')`,
  );
  const naming: string[] = [];
  for (const { name } of rows) {
    const found = await owner.query(`SELECT FROM ${name} AS t WHERE t::text LIKE $1 LIMIT 1`, [`%${text}%`]);
    if ((found.rowCount ?? 0) > 0) naming.push(name);
  }
  return naming;
}

describe('muster audit', () => {
  it('exits 0 when content, 1 with findings, 2 on wrong usage', async () => {
    const copy = await copyOf(prepared);
    const acknowledged = join(await mkdtemp(join(tmpdir(), 'muster-audit-')), 'acknowledged');
    await writeFile(acknowledged, `${reports.alone}\r\n\r\n${reports.alone}`);
    const content = await runMuster(['audit', '--farm', FARM, '--acknowledged', acknowledged], {
      databaseUrl: copy.url,
    });
    expect([content.code, content.stdout]).toEqual([0, 'Everything stored is whole and agrees.\n']);
    const owner = new Client(copy.ownerUrl);
    await owner.connect();
    await owner.query(`DELETE FROM report WHERE ${of('alone')}`);
    await owner.end();
    const broken = await runMuster(['audit', '--json', '--bucket', String(BUCKET)], {
      databaseUrl: copy.url,
    });
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.stdout)).toMatchObject({
      content: false,
      findings: [{ kind: 'reports/row-missing', bucket: BUCKET, subject: reports.alone }],
    });
    expect((await runMuster(['audit', '--bucket', '256'], { databaseUrl: copy.url })).code).toBe(2);
    const mistyped = await runMuster(['audit', '--farm', `${FARM}x`], { databaseUrl: copy.url });
    expect(mistyped).toMatchObject({ code: 1, stdout: '' });
    await copy.drop();
  });
});
