import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Config } from '../src/config.js';
import { embeddedGenerationUrl, generatingUrl } from '../src/database/index.js';
import { bucketOf } from '../src/event-store/index.js';
import { builtCopyWith } from './support/built-copy.js';
import type { Caller as CallerType } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import type { StartedService } from './support/service.js';

/** A report type that reaches past its reader for the connection, and tells as rows what each statement found there. */
const trespasser = () => `
import { ReportGenerator } from '../generator.js';
const STATEMENTS = {
  'own records': "SELECT count(*) FROM farm_record",
  'records of others': "SELECT count(*) FROM farm_record WHERE farm_id = 'theirs'",
  'tables themselves': "SELECT count(*) FROM public.farm_record",
  'the role of the service': "SET ROLE muster_service",
  'the events': "SELECT count(*) FROM public.event",
  'a pass of its own': "SELECT public.issue_generation_pass(1::smallint, 'theirs', 'r', 1, 60)",
  'the key of passes': "SELECT count(*) FROM public.generation_pass_key",
  'a file of the server': "SELECT pg_read_file('/etc/passwd')",
};
class Trespasser {
  async *rows({ records }) {
    const client = records.reading.first;
    for (const [what, statement] of Object.entries(STATEMENTS)) {
      await client.query('SAVEPOINT trespass');
      const found = await client.query(statement).then(
        ({ rows }) => String(Object.values(rows[0] ?? {})[0] ?? 'done'),
        (error) => error.message,
      );
      await client.query('ROLLBACK TO trespass');
      yield [{ rowType: 'detail', cells: [what, found] }];
    }
  }
}
ReportGenerator({
  type: 'trespasser.v1', title: 'Trespasser', description: 'Of a test', version: '1',
  columns: [
    { name: 'what', type: 'text', unit: 'none', description: 'What it reached for' },
    { name: 'found', type: 'text', unit: 'none', description: 'What it found' },
  ],
})(Trespasser);
export { Trespasser };
`;

const copy = await builtCopyWith({ trespasser });
process.env.MUSTER_TEST_BUILD = copy.dist;
const { startService } = await import('./support/service.js');
const { apiKeyFor, Caller } = await import('./support/caller.js');

const FARM = {
  name: 'A farm',
  timeZone: 'UTC',
  animalUnit: 'dse',
  areaUnit: 'ha',
  currency: 'AUD',
  financialYearStart: '07-01',
};

let database: FreshDatabase;
let service: StartedService;
let farmer: CallerType;

beforeAll(async () => {
  database = await freshDatabase();
  service = await startService({ databaseUrl: database.url });
  farmer = new Caller(service.url, await apiKeyFor(database.url, ['*']));
  for (const farm of ['mine', 'theirs']) {
    await farmer.send('PUT', `/v2/farms/${farm}`, FARM);
    const mobs = farm === 'mine' ? 2 : 3;
    await farmer.import(
      farm,
      Array.from({ length: mobs }, (_, i) => ({
        resourceType: 'Mob',
        id: `m${i}`,
        name: `Mob ${i}`,
        species: 'Sheep',
        meta: { source: 'test', sourceId: `m${i}`, modified: '2025-01-01T00:00:00Z' },
      })),
    );
  }
});

afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await copy.remove();
});

it('a generator that takes over its connection finds the records of its farm and nothing else', async () => {
  const { body } = await farmer.createReport({
    type: 'trespasser.v1',
    tenantType: 'farm',
    tenantId: 'mine',
    reportingPeriodStart: Date.parse('2025-01-01'),
    reportingPeriodEnd: Date.parse('2025-01-31'),
  });
  await farmer.ended(body.data.id);
  const { rows } = (await farmer.get(`/v2/report/${body.data.id}/download?format=json`)).body as {
    rows: { what: string; found: string }[];
  };
  expect(Object.fromEntries(rows.map(({ what, found }) => [what, found]))).toEqual({
    'own records': '2',
    'records of others': '0',
    'tables themselves': 'permission denied for table farm_record',
    'the role of the service': 'permission denied to set role "muster_service"',
    'the events': 'permission denied for table event',
    'a pass of its own': 'permission denied for function issue_generation_pass',
    'the key of passes': 'permission denied for table generation_pass_key',
    'a file of the server': 'permission denied for function pg_read_file',
  });
});

describe('with a connection of the generators', () => {
  const bucket = bucketOf('mine');
  let connection: Client;
  let serving: Client;

  beforeAll(async () => {
    const GENERATION_DATABASE_URL = embeddedGenerationUrl(database.url);
    const config = Object.assign(new Config(), { DATABASE_URL: database.url, GENERATION_DATABASE_URL });
    connection = new Client(generatingUrl(config));
    serving = new Client(database.ownerUrl);
    await Promise.all([connection.connect(), serving.connect()]);
  });

  afterAll(() => Promise.all([connection.end(), serving.end()]));

  const passFor = async (farm: string, report: string, seconds = 60): Promise<string> => {
    const { rows } = await serving.query<{ pass: string }>(
      'SELECT issue_generation_pass($1, $2, $3, 2, $4) AS pass',
      [bucketOf(farm), farm, report, seconds],
    );
    return rows[0]!.pass;
  };
  const show = (pass: string) =>
    connection.query(`SELECT set_config('muster.generation_pass', $1, false)`, [pass]);
  const farms = async () => (await connection.query('SELECT farm_id FROM farm')).rows;
  const open = (report: string, attempt: number, at = bucket) =>
    connection.query('INSERT INTO artifact (bucket, report_id, attempt) VALUES ($1, $2, $3)', [
      at,
      report,
      attempt,
    ]);

  it('a pass opens its farm', async () => {
    await show(await passFor('mine', 'r1'));
    expect(await farms()).toEqual([{ farm_id: 'mine' }]);
  });

  it.each([
    ['that names another farm than it was issued for', (pass: string) => pass.replace('mine', 'theirs')],
    ['whose code is another', (pass: string) => `${'0'.repeat(64)}${pass.slice(64)}`],
    ['cut short', (pass: string) => pass.slice(0, 40)],
    ['that is no pass', () => '["x"'],
  ])('one %s opens nothing', async (_, forge) => {
    await show(forge(await passFor('mine', 'r1')));
    expect(await farms()).toEqual([]);
  });

  it('one whose time is over opens nothing', async () => {
    await show(await passFor('mine', 'r1', -1));
    expect(await farms()).toEqual([]);
  });

  it('content is written for the attempt of the pass, and an earlier one can be cleared away', async () => {
    await show(await passFor('mine', 'r1'));
    await open('r1', 1);
    await open('r1', 2);
    const cleared = await connection.query('DELETE FROM artifact WHERE bucket = $1 AND attempt < 2', [
      bucket,
    ]);
    expect(cleared.rowCount).toBe(1);
  });

  it.each([
    ['a later attempt', 'r1', 3, bucket],
    ['another report', 'r2', 2, bucket],
    ['another bucket', 'r1', 2, bucket === 0 ? 1 : 0],
  ])('not for %s', async (_, report, attempt, at) => {
    await show(await passFor('mine', 'r1'));
    await expect(open(report, attempt, at)).rejects.toThrow('violates check option');
  });

  it('the content of another report is neither seen, changed nor removed', async () => {
    await serving.query('INSERT INTO artifact (bucket, report_id, attempt) VALUES ($1, $2, 1)', [
      bucket,
      'another',
    ]);
    await show(await passFor('mine', 'r1'));
    expect((await connection.query(`SELECT FROM artifact WHERE report_id = 'another'`)).rowCount).toBe(0);
    expect((await connection.query(`DELETE FROM artifact WHERE report_id = 'another'`)).rowCount).toBe(0);
    await expect(connection.query('UPDATE artifact SET published_at = now()')).rejects.toThrow(
      'permission denied',
    );
  });
});
