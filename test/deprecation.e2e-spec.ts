import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { runMuster } from './support/muster.js';
import { startService, type StartedService } from './support/service.js';
import { until } from './support/until.js';

/** The older yield counts a ram more and cannot tell the weight; the newer one lists the wethers too. */
const YIELDS = `
import { ReportGenerator, SelfCheckFailed } from 'muster/kit';
const column = (name, type, unit) => ({ name, type, unit, description: name });
const rows = (...all) => [all.map((cells) => ({ rowType: 'detail', cells }))];
const common = { title: 'Yield', description: 'D', version: '1' };
export class Yield { async *rows() { yield* rows(['ewe', 10, '4.5'], ['ram', 2, '6.0'], ['wether', 7, '5.2']); } }
ReportGenerator({ ...common, type: 'yield.v2', columns: [column('age_class', 'text', 'none'), column('head', 'integer', 'head'), column('wool', 'decimal', 'kg')] })(Yield);
export class OldYield { async *rows() { yield* rows(['ewe', 10], ['ram', 3]); } }
ReportGenerator({ ...common, type: 'yield.v1', columns: [column('age_class', 'text', 'none'), column('head', 'integer', 'animals')],
  replacedBy: 'yield.v2', deprecatedSince: '2026-01-01', sunset: '2027-06-30' })(OldYield);
export class Flawed { async *rows() { throw new SelfCheckFailed('the fleeces do not add up'); } }
ReportGenerator({ ...common, type: 'fleece.v1', columns: [column('head', 'integer', 'head')], replacedBy: 'fleece.v2' })(Flawed);
export class Mended { async *rows() { yield* rows([1]); } }
ReportGenerator({ ...common, type: 'fleece.v2', columns: [column('head', 'integer', 'head')] })(Mended);
`;

const period = {
  reportingPeriodStart: Date.parse('2024-06-30T14:00:00Z'),
  reportingPeriodEnd: Date.parse('2025-06-29T14:00:00Z'),
};
const OPENING = {
  resourceType: 'OpeningStock',
  date: '2024-07-01',
  lines: [{ species: 'Sheep', ageClass: 'ewe', mobId: 'm1', head: 120, value: '9600' }],
};
const meta = (sourceId: string) => ({
  id: sourceId,
  meta: { source: 'test', sourceId, modified: '2024-07-01T00:00:00Z' },
});

let folder: string;
let database: FreshDatabase;
let env: NodeJS.ProcessEnv;
let services: StartedService[];
let farmer: Caller;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-deprecation-'));
  await writeFile(join(folder, 'yields.mjs'), YIELDS);
  env = { MUSTER_REPORT_MODULES: join(folder, 'yields.mjs') };
  database = await freshDatabase();
  services = await Promise.all([1, 2].map(() => startService({ databaseUrl: database.url, env })));
  farmer = new Caller(services[0]!.url, await apiKeyFor(database.url, ['farm-1']));
  await farmer.send('PUT', '/v2/farms/farm-1', { name: 'Home', timeZone: 'Australia/Sydney' });
  await farmer.import('farm-1', [{ ...OPENING, ...meta('o1') }]);
});

afterAll(async () => {
  await Promise.all((services ?? []).map((service) => service.stop()));
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const request = (type: string) => ({ type, tenantType: 'farm', tenantId: 'farm-1', ...period });

async function compared(type: string): Promise<any> {
  let comparison: any;
  await until('both reports are made', async () => {
    const { status, headers, body } = await farmer.send('POST', `/v2/report-types/${type}/comparison`, {
      tenantType: 'farm',
      tenantId: 'farm-1',
      ...period,
    });
    comparison = body.data;
    if (status !== 200)
      expect([status, headers.get('retry-after'), comparison.status]).toEqual([202, '1', 'pending']);
    return status === 200;
  });
  return comparison;
}

describe('who uses a deprecated type', () => {
  it('is counted by type and client, over processes and restarts, and told to operators', async () => {
    const other = new Caller(services[1]!.url, await apiKeyFor(database.url, ['farm-1']));
    expect((await farmer.createReport(request('livestock-reconciliation.v2'))).status).toBe(201);
    expect((await other.createReport(request('livestock-reconciliation.v2'))).status).toBe(200);
    expect((await other.createReport(request('livestock-reconciliation.v3'))).status).toBe(201);
    expect(await services[1]!.stop()).toBe(0);
    services[1] = await startService({ databaseUrl: database.url, env });
    const again = new Caller(services[1].url, other.apiKey);
    expect((await again.createReport(request('livestock-reconciliation.v2'))).status).toBe(200);

    const { code, stdout } = await runMuster(['deprecations', '--json'], { databaseUrl: database.url, env });
    expect(code).toBe(0);
    const types = new Map<string, any>(JSON.parse(stdout).types.map((type: any) => [type.type, type]));
    expect([...types.keys()]).toEqual([
      'fleece.v1',
      'livestock-reconciliation.v1',
      'livestock-reconciliation.v2',
      'yield.v1',
    ]);
    expect(types.get('livestock-reconciliation.v1')).toMatchObject({ uses: 0, clients: [] });
    expect(types.get('yield.v1')).toMatchObject({ replacedBy: 'yield.v2', sunset: '2027-06-30' });
    const v2 = types.get('livestock-reconciliation.v2');
    expect(v2).toMatchObject({ replacedBy: 'livestock-reconciliation.v3', uses: 3 });
    expect(v2.clients.map(({ uses }: { uses: number }) => uses)).toEqual([2, 1]);
    for (const { client, lastUsedAt } of v2.clients) {
      expect(client).toMatch(/^api-key:/);
      expect(Math.abs(Date.parse(lastUsedAt) - Date.now())).toBeLessThan(60_000);
    }
    const words = await runMuster(['deprecations'], { databaseUrl: database.url, env });
    expect(words.stdout).toContain('yield.v1: ask for yield.v2; sunset 2027-06-30; used 0 times');
  });
});

describe('the page of deprecated types', () => {
  it('shows what to ask for instead and the planned sunset, and nobody who asks', async () => {
    const response = await fetch(`${services[0]!.url}/docs/deprecations`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const page = await response.text();
    expect(page.replaceAll(/\s+/g, ' ')).toContain(
      '<dt><code>yield.v1</code></dt> <dd> Ask for <code>yield.v2</code> instead. Deprecated since: 2026-01-01. Sunset: 2027-06-30. </dd>',
    );
    expect(page).toContain('not planned yet');
    expect(page).not.toContain('api-key');
  });

  it('goes with the headers of every answer about the type', async () => {
    const { headers } = await farmer.createReport(request('yield.v1'));
    expect(headers.get('deprecation')).toBe(`@${Date.UTC(2026, 0, 1) / 1000}`);
    expect(headers.get('sunset')).toBe('Wed, 30 Jun 2027 00:00:00 GMT');
    expect(headers.get('link')).toContain('/v2/report-types/yield.v2>; rel="successor-version"');
  });
});

describe('comparing a deprecated type with its replacement', () => {
  it('finds an alias the same', async () => {
    expect(await compared('livestock-reconciliation.v1')).toMatchObject({
      type: 'livestock-reconciliation.v1',
      replacedBy: 'livestock-reconciliation.v3',
      same: true,
      rows: { same: 4, changed: 0, onlyDeprecated: 0, onlyReplacement: 0 },
      differences: [],
    });
  });

  it('names columns, rows and cells that are not the same', async () => {
    const comparison = await compared('yield.v1');
    expect(comparison).toMatchObject({
      same: false,
      columns: { onlyDeprecated: [], onlyReplacement: ['wool'], changed: ['head'] },
      rows: { same: 1, changed: 1, onlyDeprecated: 0, onlyReplacement: 1 },
      differences: [
        {
          kind: 'changed',
          deprecatedRow: 2,
          replacementRow: 2,
          cells: [{ column: 'head', deprecated: 3, replacement: 2 }],
        },
        { kind: 'only-replacement', replacementRow: 3 },
      ],
    });
    const types = [comparison.reports.deprecated.type, comparison.reports.replacement.type];
    expect(types).toEqual(['yield.v1', 'yield.v2']);
  });

  it('compares reports of the same records, and makes the older one anew', async () => {
    await compared('livestock-reconciliation.v1');
    await farmer.import('farm-1', [{ ...OPENING, date: '2024-07-02', ...meta('o2') }]);
    const { body } = await farmer.createReport(request('livestock-reconciliation.v3'), {
      'cache-control': 'no-cache',
    });
    await farmer.ended(body.data.id);
    const { same, reports } = await compared('livestock-reconciliation.v1');
    expect(same).toBe(true);
    expect(reports.replacement.id).toBe(body.data.id);
    expect(reports.deprecated.manifest.recordsPosition).toBe(reports.replacement.manifest.recordsPosition);
  });

  it('says why one of the reports failed, and makes no more until somebody creates it anew', async () => {
    const body = { tenantType: 'farm', tenantId: 'farm-1', ...period };
    const compare = () => farmer.send('POST', '/v2/report-types/fleece.v1/comparison', body);
    const made = async () => (await farmer.get('/v2/report?tenantId=farm-1&type=fleece.v1')).body.data.length;
    const { status, body: begun } = await compare();
    expect(status).toBe(202);
    const failed = await farmer.ended(begun.data.reports.deprecated.id);
    expect(failed.status).toBe('failed');
    for (let asked = 0; asked < 3; asked++) {
      const refused = await compare();
      expect([refused.status, new URL(refused.body.type).pathname]).toEqual([409, '/problems/report-failed']);
      expect(refused.body.detail).toContain(failed.id);
      expect(refused.body.detail).toContain('the fleeces do not add up');
    }
    expect(await made()).toBe(1);
    const anew = await farmer.createReport(request('fleece.v1'));
    expect(anew.status).toBe(201);
    expect([202, 409]).toContain((await compare()).status);
    await farmer.ended(anew.body.data.id);
    expect((await compare()).body.detail).toContain(anew.body.data.id);
    expect(await made()).toBe(2);
  });

  it('is refused where a create or a reading would be', async () => {
    const path = '/v2/report-types/yield.v1/comparison';
    const body = { tenantType: 'farm', tenantId: 'farm-1', ...period };
    const writer = new Caller(farmer.url, await apiKeyFor(database.url, ['farm-1'], ['write:reports']));
    const answers = [
      await farmer.send('POST', '/v2/report-types/yield.v2/comparison', body),
      await farmer.send('POST', '/v2/report-types/yield.v9/comparison', body),
      await farmer.send('POST', path, { ...body, tenantId: 'farm-2' }),
      await farmer.send('POST', path, { ...body, reportingPeriodStart: '5' }),
      await farmer.send('POST', path, null),
      await writer.send('POST', path, body),
    ];
    expect(answers.map(({ status, body: { type } }) => [status, new URL(type).pathname])).toEqual([
      [409, '/problems/type-not-deprecated'],
      [404, '/problems/report-type-not-found'],
      [403, '/problems/farm-not-accessible'],
      [400, '/problems/invalid-request'],
      [400, '/problems/invalid-request'],
      [403, '/problems/insufficient-scope'],
    ]);
  });

  it('is a command too', async () => {
    const args = ['report', 'compare', '--farm', 'farm-1', '--start', '2024-07-01', '--end', '2025-06-30'];
    const run = (...more: string[]) => runMuster([...args, ...more], { databaseUrl: database.url, env });
    const [words, json, current] = await Promise.all([
      run('--type', 'yield.v1'),
      run('--type', 'livestock-reconciliation.v1', '--json'),
      run('--type', 'yield.v2'),
    ]);
    expect(words).toMatchObject({ code: 0, stdout: expect.stringContaining('row 2: head 3 -> 2') });
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'compared', same: true });
    expect(current).toMatchObject({ code: 2, stderr: expect.stringContaining('yield.v2 is not deprecated') });
  });
});
