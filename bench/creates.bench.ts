import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import pg from 'pg';
import { bucketOf } from '#muster/event-store/index.js';
import { startBareService } from './bare-service.ts';
import { FARMS, type MeasuredService, startMeasuredService } from './measured-service.ts';
import type { Measurement } from './run.ts';

const CONNECTIONS = 16;
const SECONDS = 8;
const IDLE_CREATES = 40;

let period = 0;

function request(farm = FARMS[0]): string {
  return JSON.stringify({
    type: 'livestock-reconciliation.v3',
    tenantType: 'farm',
    tenantId: farm,
    reportingPeriodStart: 1_719_756_000_000 + ++period,
    reportingPeriodEnd: 1_751_205_600_000,
  });
}

/** Creates: reused beside a bare route, new beside the same rows written by hand, and how long a report takes. */
export async function run(): Promise<Measurement[]> {
  const { completed, plain, reused } = await reuse();
  const api = await startMeasuredService('api');
  try {
    const fresh = await load(api.url, api.apiKey, () => request(FARMS[period % FARMS.length]));
    const byHand = await rowsByHand(api.databaseUrl);
    return [
      measurement(
        'reused create',
        reused,
        plain.requests.average,
        0.4,
        'requests/s; a bare Nest and Fastify route',
      ),
      measurement('new create', fresh, byHand, 0.5, 'requests/s; the same rows by bare pg'),
      {
        what: 'create to completed, idle',
        ours: completed,
        unit: 'ms at the median',
        bar: 'at most 60',
        reached: completed <= 60,
      },
    ];
  } finally {
    await api.stop();
  }
}

/** What is reused is a report that was made, as it mostly is. */
async function reuse() {
  const service = await startMeasuredService('all');
  try {
    const completed = await timeToCompleted(service);
    const same = request();
    await createAndWait(service, same);
    const bare = await startBareService();
    await load(service.url, service.apiKey, () => same, 2);
    const plain = await load(bare.url, service.apiKey, () => same).finally(() => bare.stop());
    return { completed, plain, reused: await load(service.url, service.apiKey, () => same) };
  } finally {
    await service.stop();
  }
}

function measurement(
  what: string,
  { requests, latency }: autocannon.Result,
  yardstick: number,
  bar: number,
  unit: string,
): Measurement {
  const ratio = requests.average / yardstick;
  return {
    what,
    ours: requests.average,
    yardstick,
    unit,
    ratio,
    bar: `${bar}; p99 ${latency.p99} ms`,
    reached: ratio >= bar,
  };
}

async function load(
  url: string,
  apiKey: string,
  body: () => string,
  duration = SECONDS,
): Promise<autocannon.Result> {
  const result = await autocannon({
    url: `${url}/v2/report`,
    connections: CONNECTIONS,
    duration,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    requests: [{ setupRequest: (one) => ({ ...one, body: body() }) }],
  });
  if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} answers were no success`);
  return result;
}

/** Milliseconds at the median. */
async function timeToCompleted(service: MeasuredService): Promise<number> {
  const taken: number[] = [];
  while (taken.length < IDLE_CREATES) taken.push(await createAndWait(service, request()));
  return taken.sort((a, b) => a - b)[Math.floor(taken.length / 2)]!;
}

/** Milliseconds that the report took. */
async function createAndWait({ url, apiKey }: MeasuredService, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const created = (await (await fetch(`${url}/v2/report`, { method: 'POST', headers, body })).json()) as {
    data: { id: string };
  };
  for (;;) {
    const { data } = (await (await fetch(`${url}/v2/report/${created.data.id}`, { headers })).json()) as {
      data: { status: string; creationDate: number; lastModifiedDate: number };
    };
    if (data.status === 'failed') throw new Error('the report failed');
    if (data.status === 'completed') return data.lastModifiedDate - data.creationDate;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Transactions a second that write what a new create writes, by hand. */
async function rowsByHand(databaseUrl: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  pool.on('connect', (client) => client.on('error', () => undefined));
  const until = performance.now() + SECONDS * 1000;
  let written = 0;
  const writer = async (): Promise<void> => {
    const client = await pool.connect();
    while (performance.now() < until) {
      await writeRows(client, FARMS[written % FARMS.length]!);
      written++;
    }
    client.release();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, writer));
  await pool.end();
  return written / SECONDS;
}

async function writeRows(client: pg.PoolClient, farm: string): Promise<void> {
  const bucket = bucketOf(farm);
  const id = `by-hand-${randomUUID()}`;
  const now = Date.now();
  const data = {
    request: JSON.parse(request(farm)),
    generator: 'livestock-reconciliation.v3',
    warnings: [],
    at: now,
  };
  await client.query('BEGIN');
  await client.query({
    name: 's',
    text: `INSERT INTO stream (bucket, stream_id, tenant_id, stream_type, version) VALUES ($1, $2, $3, 'report', 1)`,
    values: [bucket, id, farm],
  });
  await client.query({
    name: 'v',
    text: `INSERT INTO report (bucket, report_id, tenant_id, type, generator, period_start_sent, period_end_sent, period_start, period_end,
             time_zone, warnings, status, created_at, modified_at)
           VALUES ($1, $2, $3, 'livestock-reconciliation.v3', 'livestock-reconciliation.v3', 1, 2, '2024-07-01', '2025-06-30', 'Australia/Sydney', '[]', 'pending', $4, $4)`,
    values: [bucket, id, farm, now],
  });
  await client.query({
    name: 'c',
    text: `INSERT INTO reusable_report (bucket, request, created_at, report_id) VALUES ($1, sha256($2::text::bytea), $3, $2)`,
    values: [bucket, id, now],
  });
  await client.query({
    name: 'j',
    text: `INSERT INTO pgboss.job (name, data, group_id) VALUES ('generate-report', $1, $2)`,
    values: [{ reportId: id }, farm],
  });
  const head = await client.query<{ position: string }>({
    name: 'h',
    text: 'UPDATE log_head SET position = position + 1 WHERE bucket = $1 RETURNING position',
    values: [bucket],
  });
  await client.query({
    name: 'e',
    text: `INSERT INTO event (bucket, position, stream_id, version, tenant_id, stream_type, event_id, type, schema_version, data, meta)
           VALUES ($1, $2, $3, 1, $4, 'report', $5, 'ReportRequested', 1, $6, '{}')`,
    values: [bucket, head.rows[0]!.position, id, farm, randomUUID(), data],
  });
  await client.query('COMMIT');
}
