import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emptyDatabase, type FreshDatabase, freshDatabase } from './support/database.js';
import { runMuster, spawnMuster } from './support/muster.js';

describe('every command', () => {
  it.each([
    '',
    'serve',
    'migrate',
    'farm create',
    'import',
    'report create',
    'api-key create',
    'api-key revoke',
    'describe',
  ])('muster %s explains itself', async (command) => {
    const { code, stdout, stderr } = await runMuster([...command.split(' ').filter(Boolean), '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: muster ${command}`));
  });

  it.each([
    ['without a command', [], 'Usage: muster'],
    ['with a command that is none', ['sevre'], `unknown command 'sevre'`],
    ['with an option that is none', ['migrate', '--force'], `unknown option '--force'`],
    ['with a choice that is none', ['serve', '--role', 'boss'], 'Allowed choices are all, api, worker'],
    ['without a required option', ['farm', 'create', '--id', 'f'], 'required option'],
  ])('exits 2 %s and says what is wrong', async (_, args, said) => {
    const { code, stdout, stderr } = await runMuster(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
  });
});

it('says which version it is', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(await runMuster(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

it('bears a reader that leaves before the end of the answer', async () => {
  const child = spawnMuster(['describe', '--json']);
  child.stdout.destroy();
  const said = text(child.stderr);
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, said: await said }).toEqual({ code: 0, said: '' });
});

it('names every bad variable of the environment at once', async () => {
  const env = { PORT: 'http', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://elsewhere' };
  const { code, stderr } = await runMuster(['migrate'], { env });
  expect(code).toBe(2);
  for (const name of Object.keys(env)) expect(stderr).toContain(name);
});

it('exits 1 when the database cannot be reached, and says why', async () => {
  const { code, stderr } = await runMuster(['migrate'], { databaseUrl: 'postgres://127.0.0.1:1/nothing' });
  expect(code).toBe(1);
  expect(stderr).toContain('ECONNREFUSED');
});

describe('migrate', () => {
  let empty: FreshDatabase;

  beforeAll(async () => {
    empty = await emptyDatabase();
  });

  afterAll(() => empty.drop());

  it('lists what it applied, then finds nothing to do', async () => {
    const first = await runMuster(['migrate', '--json'], { databaseUrl: empty.url });
    expect(first.code).toBe(0);
    expect((JSON.parse(first.stdout) as { applied: string[] }).applied[0]).toBe('001-roles');
    const second = await runMuster(['migrate'], { databaseUrl: empty.url });
    expect(second).toEqual({ code: 0, stdout: 'Nothing to migrate.\n', stderr: '' });
  });
});

describe('serve', () => {
  it('refuses a database that nobody migrated, and says what to run', async () => {
    const empty = await emptyDatabase();
    const { code, stderr } = await runMuster(['serve', '--role', 'worker'], { databaseUrl: empty.url });
    expect(code).toBe(1);
    expect(stderr).toContain('run muster migrate first');
    await empty.drop();
  });

  it('does not take the embedded database in production', async () => {
    const pepper = `main:${randomBytes(32).toString('base64')}`;
    const { code, stderr } = await runMuster(['serve'], {
      env: { NODE_ENV: 'production', MUSTER_DATA_DIR: '/nowhere', CLIENT_SECRET_PEPPERS: pepper },
    });
    expect(code).not.toBe(0);
    expect(stderr).toContain('DATABASE_URL');
  });
});

describe('farm create, import, report create', () => {
  let database: FreshDatabase;
  let folder: string;

  beforeAll(async () => {
    database = await freshDatabase();
    folder = await mkdtemp(join(tmpdir(), 'muster-command-line-'));
  });

  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const muster = (args: string[], input?: string): ReturnType<typeof runMuster> =>
    runMuster(args, { databaseUrl: database.url, ...(input !== undefined && { input }) });
  const create = [
    'farm',
    'create',
    '--id',
    'wattle',
    '--name',
    'Wattle Creek',
    '--time-zone',
    'Australia/Sydney',
  ];
  const reconcile = ['report', 'create', '--farm', 'wattle', '--type', 'livestock-reconciliation.v3'];
  const year = ['--start', '2024-07-01', '--end', '2025-06-30'];
  const opening = {
    resourceType: 'OpeningStock',
    id: 'opening',
    meta: { source: 'spec', sourceId: 'opening', modified: '2024-07-01T00:00:00Z' },
    date: '2024-07-01',
    lines: [{ species: 'Sheep', ageClass: 'Ewes', head: 120, value: '1440.00' }],
  };

  it('refuse a farm that cannot be, naming every field', async () => {
    const { code, stderr } = await muster([...create, '--currency', 'shillings', '--area-unit', 'rood']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/areaUnit .*currency /);
  });

  it('lead from nothing to a report', async () => {
    const farm = await muster([...create, '--json']);
    expect(JSON.parse(farm.stdout)).toMatchObject({
      id: 'wattle',
      timeZone: 'Australia/Sydney',
      currency: 'AUD',
    });
    const imported = await muster(['import', 'wattle', '-', '--json'], `${JSON.stringify(opening)}\n`);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(imported.stdout)).toMatchObject({ accepted: 1, rejected: 0 });
    const report = await muster([...reconcile, ...year]);
    expect(report).toMatchObject({ code: 0, stderr: '' });
    expect(report.stdout).toMatch(/^row_type,species,.*\r?\n.*Sheep.*120/);
  });

  it('write the content to a file, whole, and the record to standard output', async () => {
    const output = join(folder, 'sheep.json');
    const { stdout } = await muster([
      ...reconcile,
      ...year,
      '--format',
      'json',
      '--output',
      output,
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', tenantId: 'wattle' });
    expect(JSON.parse(await readFile(output, 'utf8'))).toMatchObject({ report: { farm: 'wattle' } });
    expect(await readdir(folder)).toEqual(['sheep.json']);
  });

  it('leave nothing behind where the content cannot be written', async () => {
    const { code } = await muster([...reconcile, ...year, '--output', folder]);
    expect(code).toBe(1);
    expect(await readdir(dirname(folder))).not.toContain(`${basename(folder)}.part`);
  });

  it('import a spreadsheet', async () => {
    const sample = new URL('../docs/samples/records.csv', import.meta.url).pathname;
    const { code, stdout } = await muster(['import', 'wattle', sample, '--json']);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, accepted: 25, rejected: 0 });
  });

  it('say which records were rejected and import the others', async () => {
    const file = join(folder, 'records.ndjson');
    await writeFile(file, `${JSON.stringify(opening)}\n{"resourceType":"Unicorn"}\n`);
    const { code, stdout, stderr } = await muster(['import', 'wattle', file]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'muster: 1 of 2 records was rejected\n' });
    expect(stdout).toMatch(/^0 accepted, 0 replaced, 1 unchanged, 1 rejected\n {2}line 2, \/resourceType: /);
  });

  it.each([
    ['a farm that is none', 1, ['import', 'nowhere', '-'], 'there is no farm nowhere'],
    ['a file that is none', 1, ['import', 'wattle', '/nowhere/records.json'], 'no such file'],
    [
      'a report type that is none',
      2,
      ['report', 'create', '--farm', 'wattle', '--type', 'gold.v1', ...year],
      '--type must be one of',
    ],
    [
      'a day that is none',
      2,
      [...reconcile, '--start', '2024-02-30', '--end', '2024-03-01'],
      '--start must be a day',
    ],
    [
      'days in the wrong order',
      2,
      [...reconcile, '--start', '2024-03-02', '--end', '2024-03-01'],
      '--end must not be before',
    ],
  ])('refuse %s', async (_, code, args, said) => {
    const refused = await muster(args);
    expect(refused).toMatchObject({ code, stdout: '' });
    expect(refused.stderr).toContain(said);
  });
});
