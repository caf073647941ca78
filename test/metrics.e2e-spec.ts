import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MeteredService, REPORT, TRACE } from './metered-service.js';
import { freshDatabase } from './support/database.js';
import { startService } from './support/service.js';

let metered: MeteredService;

beforeAll(async () => {
  metered = await MeteredService.start();
});

afterAll(() => metered.end());

/** The sum of a metric's series whose labels include these. */
function valueOf(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const series = text.split('\n').filter((line) => line.replace(/[{ ].*/, '') === name);
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const found = series.filter((line) => wanted.every((label) => line.includes(label)));
  return found.length === 0
    ? undefined
    : found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('the metrics', () => {
  it('count what the service did', async () => {
    const text = await metered.scrape();
    const type = REPORT.type;
    expect(valueOf(text, 'muster_reports_created_total', { type, outcome: 'new' })).toBe(1);
    expect(valueOf(text, 'muster_reports_created_total', { type, outcome: 'reused' })).toBe(1);
    expect(
      valueOf(text, 'muster_deprecated_type_requests_total', { type: 'livestock-reconciliation.v1' }),
    ).toBe(1);
    expect(
      valueOf(text, 'muster_report_generation_duration_seconds_count', { type, outcome: 'completed' }),
    ).toBe(1);
    expect(valueOf(text, 'muster_report_queue_wait_seconds_count')).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'muster_report_bytes_total', { format: 'xlsx' })).toBeGreaterThan(100);
    expect(valueOf(text, 'muster_records_imported_total', { outcome: 'accepted' })).toBe(1);
    expect(valueOf(text, 'muster_records_imported_total', { outcome: 'rejected' })).toBe(1);
    expect(valueOf(text, 'muster_event_append_duration_seconds_count')).toBeGreaterThan(3);
    expect(
      valueOf(text, 'muster_oauth_token_requests_total', { grant: 'none', result: 'invalid_request' }),
    ).toBe(1);
    expect(
      valueOf(text, 'http_server_request_duration_seconds_count', {
        route: '/v2/report',
        method: 'POST',
        status: '201',
      }),
    ).toBe(2);
  });

  it('count failures from 0 on, so that the first one is seen', async () => {
    const failed = { type: 'feed-sale.v1', outcome: 'failed' };
    const text = await metered.scrape();
    expect(valueOf(text, 'muster_report_generation_duration_seconds_count', failed)).toBe(0);
  });

  it('keep ids and addresses that callers made up out of their labels', async () => {
    const text = await metered.scrape();
    expect(valueOf(text, 'http_server_request_duration_seconds_count', { route: 'unmatched' })).toBe(2);
    expect(text).not.toMatch(/rpt-|somewhere|farm-of-metrics/);
  });

  it('tell what all processes share', async () => {
    const text = await metered.scrape();
    expect(valueOf(text, 'muster_shared_state_up')).toBe(1);
    expect(valueOf(text, 'muster_reports_in_state', { state: 'pending' })).toBeGreaterThanOrEqual(0);
    expect(valueOf(text, 'muster_report_oldest_pending_age_seconds')).toBeGreaterThanOrEqual(0);
    expect(valueOf(text, 'muster_report_highest_attempt')).toBe(0);
    expect(valueOf(text, 'muster_database_pool_limit_connections')).toBe(20);
  });

  it('lead from a slow request to its trace, in OpenMetrics', async () => {
    const prometheus =
      'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4,*/*;q=0.1';
    const open = await metered.scrape(prometheus);
    expect(open).toMatch(/# EOF\n$/);
    expect(open).toMatch(
      new RegExp(`^http_server_request_duration_seconds_bucket.* # \\{trace_id="${TRACE}"\\}`, 'm'),
    );
    expect(await metered.scrape()).not.toContain('trace_id');
  });

  it('are not on the public port when operators have a port of their own', async () => {
    expect((await metered.caller.get('/metrics')).status).toBe(404);
    expect((await metered.caller.get('/health/ready')).status).toBe(404);
  });
});

describe('every answer', () => {
  it.each([
    '/v2/report',
    '/somewhere/else',
    '/problems/unavailable',
    '/oauth2/token',
    '/account/sign-in',
    '/%ff',
  ])('%s tells browsers to frame, sniff and load nothing that it does not name', async (path) => {
    const { headers } = await metered.caller.get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
  });
});

describe('while the database is away', () => {
  it('health and metrics answer all the same', async () => {
    const own = await freshDatabase();
    const away = await startService({
      databaseUrl: own.url,
      role: 'worker',
      env: { OPERATIONS_PORT: '0' },
    });
    const get = (path: string) => fetch(new URL(path, away.operationsUrl));
    expect((await get('/health/ready')).status).toBe(200);
    await own.drop();
    const ready = await get('/health/ready');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      status: 'down',
      checks: { process: { status: 'up' }, database: { status: 'down', detail: 'not reachable' } },
    });
    expect((await get('/health/live')).status).toBe(200);
    const text = await (await get('/metrics')).text();
    expect(valueOf(text, 'muster_process_info', { role: 'worker' })).toBe(1);
    expect(valueOf(text, 'muster_database_up')).toBe(0);
    expect(valueOf(text, 'muster_shared_state_up')).toBe(0);
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    await away.kill();
  });
});
