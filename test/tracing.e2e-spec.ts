import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { apiKeyFor, Caller } from './support/caller.js';
import { type CollectedSpan, type Collector, startCollector } from './support/collector.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { startService } from './support/service.js';

const FARM = 'farm-of-traces';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const REPORT = {
  type: 'livestock-sale.v1',
  tenantType: 'farm',
  tenantId: FARM,
  reportingPeriodStart: 1_719_756_000_000,
  reportingPeriodEnd: 1_751_205_600_000,
};

let database: FreshDatabase;
let apiKey: string;

beforeAll(async () => {
  database = await freshDatabase();
  apiKey = await apiKeyFor(database.url, [FARM]);
});

afterAll(() => database.drop());

async function makeReport(url: string, headers: Record<string, string> = {}): Promise<string> {
  const caller = new Caller(url, apiKey);
  await caller.send('PUT', `/v2/farms/${FARM}`, {
    name: 'Home',
    timeZone: 'Australia/Sydney',
    animalUnit: 'dse',
    areaUnit: 'ha',
    currency: 'AUD',
    financialYearStart: '07-01',
  });
  const { body } = await caller.createReport(REPORT, { 'cache-control': 'no-cache', ...headers });
  expect(await caller.ended(body.data.id)).toMatchObject({ status: 'completed' });
  return body.data.id;
}

describe('a traced report', () => {
  let collector: Collector;
  let reportId: string;
  let logs: string;

  beforeAll(async () => {
    collector = await startCollector();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=of%20a%20test,x-tenant=farms',
      LOG_LEVEL: 'debug',
    };
    const [api, worker] = await Promise.all([
      startService({ databaseUrl: database.url, role: 'api', env }),
      startService({ databaseUrl: database.url, role: 'worker', env }),
    ]);
    reportId = await makeReport(api.url, { traceparent: `00-${TRACE}-${CALLER}-01` });
    expect(await Promise.all([api.stop(), worker.stop()])).toEqual([0, 0]);
    logs = api.logs() + worker.logs();
  });

  afterAll(() => collector.close());

  const spansOfTrace = () => collector.spans.filter(({ traceId }) => traceId === TRACE);
  const named = (name: string) => spansOfTrace().find((span) => span.name === name);
  const under = (parent: CollectedSpan | undefined) =>
    spansOfTrace().filter(({ parentId }) => parentId === parent?.spanId);

  it('is one trace from the caller through the queue to the worker, its thread and the database', () => {
    const request = named('POST /v2/report');
    const attempt = named('generate report');
    const thread = named('make livestock-sale.v1');
    expect(request?.parentId).toBe(CALLER);
    expect(attempt?.parentId).toBe(request?.spanId);
    expect(thread?.parentId).toBe(attempt?.spanId);
    expect(under(request).map(({ name }) => name)).toContainEqual(
      expect.stringContaining('report-view-insert'),
    );
    expect(under(attempt).map(({ name }) => name)).toContainEqual(
      expect.stringContaining('report-view-update'),
    );
    expect(under(thread).length).toBeGreaterThan(3);
  });

  it('goes to the collector with the headers it asks for, from threads too', () => {
    const carrying = (of: 'x-collector-key' | 'x-tenant') =>
      collector.requests.map((request) => request.headers[of]);
    expect(new Set(carrying('x-collector-key'))).toEqual(new Set(['of a test']));
    expect(new Set(carrying('x-tenant'))).toEqual(new Set(['farms']));
    expect(logs).not.toContain('of a test');
  });

  it('stands in the meta of its events', async () => {
    const owner = new Client(database.ownerUrl);
    await owner.connect();
    const { rows } = await owner.query<{ type: string; traceparent: string }>(
      `SELECT type, meta->>'traceparent' AS traceparent FROM event WHERE stream_id = $1 ORDER BY version`,
      [reportId],
    );
    await owner.end();
    expect(rows.map(({ type }) => type)).toContain('ReportCompleted');
    for (const { traceparent } of rows) expect(traceparent).toContain(TRACE);
  });

  it('does not show what its statements were about', () => {
    expect(JSON.stringify(collector.spans)).not.toContain(FARM);
    expect(logs).not.toContain(apiKey);
  });
});

describe('without a collector', () => {
  it('nothing of OpenTelemetry is loaded but the interface that the metrics library brings', async () => {
    const forbid = `import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => {
        if (/opentelemetry\\/(?!api$)|start-tracing/.test(name)) throw new Error('loaded ' + name);
        return next(name, context);
      } });`;
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(forbid)}` };
    const service = await startService({ databaseUrl: database.url, env });
    await makeReport(service.url);
    expect(await service.stop()).toBe(0);
  });
});
