import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { runMuster } from './support/muster.js';
import { startService, type StartedService } from './support/service.js';

const ROOT = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

let folder: string;
let database: FreshDatabase;
/** As another team has it: the package of this service with the types of its kit, linked in place of an installed one. */
let muster: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-kit-'));
  database = await freshDatabase();
  muster = await kitWithTypes();
});

afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function kitWithTypes(): Promise<string> {
  const package_ = join(folder, 'muster');
  await cp(process.env.MUSTER_TEST_BUILD ?? join(ROOT, 'dist'), join(package_, 'dist'), { recursive: true });
  for (const shared of ['node_modules', 'migrations', 'package.json'])
    await symlink(join(ROOT, shared), join(package_, shared));
  await tsc(ROOT, '-p', 'tsconfig.kit.json', '--outDir', join(package_, 'dist'));
  return package_;
}

function tsc(cwd: string, ...args: string[]): Promise<unknown> {
  const command = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args];
  return run(process.execPath, command, { cwd }).catch((error: unknown) => {
    throw new Error((error as { stdout: string }).stdout);
  });
}

/** Puts what a package would have installed where it looks for it. */
async function installTools(into: string): Promise<void> {
  await mkdir(join(into, 'node_modules/@types'), { recursive: true });
  await symlink(muster, join(into, 'node_modules/muster'));
  await symlink(join(ROOT, 'node_modules/@types/node'), join(into, 'node_modules/@types/node'));
}

function npm(cwd: string, ...args: string[]): Promise<unknown> {
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  return run('npm', [...args, ...quiet], {
    cwd,
    env: { ...process.env, npm_config_cache: join(folder, 'npm') },
  });
}

describe('muster report-type new', () => {
  it('writes a package that compiles against the kit, strictly, and whose tests pass at once', async () => {
    const { code, stdout } = await runMuster([
      'report-type',
      'new',
      'lamb-marking.v1',
      '--directory',
      folder,
      '--json',
    ]);
    expect(code).toBe(0);
    const written = JSON.parse(stdout) as { folder: string; files: string[] };
    expect(written).toEqual({
      type: 'lamb-marking.v1',
      folder: join(folder, 'lamb-marking'),
      files: [
        'package.json',
        'tsconfig.json',
        'README.md',
        'src/lamb-marking.generator.ts',
        'src/lamb-marking.test.ts',
      ],
    });
    expect((await readdir(written.folder, { recursive: true })).filter((file) => file.includes('.'))).toEqual(
      expect.arrayContaining(written.files),
    );
    await installTools(written.folder);
    await tsc(written.folder, '--skipLibCheck', 'false');
    const tests = ['--test', '--test-reporter', 'spec', 'dist/lamb-marking.test.js'];
    const { stdout: report } = await run(process.execPath, tests, { cwd: written.folder });
    expect(report).toContain('shows the head of every mob at the end of the period');
    expect(report).toContain('lamb-marking.v1 has totals that equal its rows');
    expect(report).toContain('fail 0');
  });

  it('says what is wrong with a name, and writes nothing', async () => {
    const none = join(folder, 'none');
    const { code, stderr } = await runMuster(['report-type', 'new', 'Wool.v1', '--directory', none]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('"Wool.v1" is no name') });
    await expect(readdir(none)).rejects.toThrow('ENOENT');
  });
});

describe('a package by another team', () => {
  let service: StartedService;
  let farmer: Caller;
  let home: string;
  const request = {
    type: 'wool-clip.v1',
    tenantType: 'farm',
    tenantId: 'farm-1',
    reportingPeriodStart: Date.parse('2024-06-30T14:00:00Z'),
    reportingPeriodEnd: Date.parse('2025-06-29T14:00:00Z'),
  };

  beforeAll(async () => {
    home = join(folder, 'home');
    await installed(home);
    service = await startService({
      databaseUrl: database.url,
      env: { MUSTER_REPORT_MODULES: 'wool-clip' },
      folder: home,
    });
    farmer = new Caller(service.url, await apiKeyFor(database.url, ['*']));
    const line = { species: 'Sheep', ageClass: 'ewe', mobId: 'm1', paddockId: 'p1', head: 120 };
    expect(
      (await farmer.send('PUT', '/v2/farms/farm-1', { name: 'Home', timeZone: 'Australia/Sydney' })).status,
    ).toBe(201);
    await farmer.import('farm-1', [
      {
        resourceType: 'OpeningStock',
        id: 'o1',
        meta: { source: 'test', sourceId: 'o1', modified: '2024-07-01T00:00:00Z' },
        date: '2024-07-01',
        lines: [line],
      },
    ]);
  });

  afterAll(() => service?.stop());

  /** Builds the sample against the kit's types, packs it, and installs the pack, without a registry. */
  async function installed(into: string): Promise<void> {
    const source = join(folder, 'wool-clip');
    await cp(join(ROOT, 'test/wool-clip'), source, { recursive: true });
    await installTools(source);
    await tsc(source, '--skipLibCheck', 'false');
    await npm(source, 'pack', '--pack-destination', folder);
    await mkdir(into);
    await writeFile(join(into, 'package.json'), '{ "private": true }');
    await npm(into, 'install', '--omit=optional', join(folder, 'wool-clip-1.0.0.tgz'));
  }

  it('is packed without its tests and without a copy of the kit', async () => {
    expect((await readdir(join(home, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
      'wool-clip',
    ]);
    const files = await readdir(join(home, 'node_modules/wool-clip'), { recursive: true });
    expect(files.toSorted()).toEqual([
      'README.md',
      'dist',
      'dist/wool-clip.generator.d.ts',
      'dist/wool-clip.generator.js',
      'package.json',
    ]);
  });

  it('is listed among the report types, its deprecated name with its sunset', async () => {
    const { body } = await farmer.get('/v2/report-types');
    const types = new Map<string, object>(body.data.map((type: { type: string }) => [type.type, type]));
    expect(types.get('wool-clip.v1')).toMatchObject({ title: 'Wool clip', deprecated: false });
    expect(types.get('fleece.v1')).toMatchObject({ deprecated: true, replacedBy: 'wool-clip.v1' });
    const { headers } = await farmer.get('/v2/report-types/fleece.v1');
    expect(headers.get('sunset')).toBe('Wed, 30 Jun 2027 00:00:00 GMT');
  });

  it('is asked for, made by a worker and downloaded like any other', async () => {
    const { status, body } = await farmer.createReport(request);
    expect(status).toBe(201);
    expect(await farmer.ended(body.data.id)).toMatchObject({
      status: 'completed',
      manifest: { controlTotals: { head: '120', wool_kg: '540.0' } },
    });
    const { text } = await farmer.get(`/v2/report/${body.data.id}/download`);
    expect(text).toBe(
      'row_type,mob,age_class,head,kg_per_head,wool_kg\r\ndetail,m1,ewe,120,4.5,540.0\r\ntotal,,,120,,540.0\r\n',
    );
  });
});

describe('a process that is told of modules it cannot serve', () => {
  const type = (
    name: string,
    more: string,
    columns = `[{ name: 'head', type: 'integer', unit: 'head' }]`,
  ) => `
    import { ReportGenerator } from 'muster/kit';
    export class Type { async *rows() {} }
    ReportGenerator({ type: '${name}', title: 'T', description: 'D', version: '1', columns: ${columns}, ${more} })(Type);`;

  it('does not start, and names each with its fault', async () => {
    const modules = {
      'empty.js': 'export const nothing = 1;',
      'broken.js': 'export const = ;',
      'once.js': type('mutton.v1', ''),
      'twice.js': type('mutton.v1', ''),
      'alias.js': type('hogget.v1', `replacedBy: 'hogget.v2'`),
      'unitless.js': type(
        'tallow.v1',
        '',
        `[{ name: 'kg', type: 'decimal' }, { name: 'days', unit: 'days' }]`,
      ),
      'nothing.js': 'throw null;',
      'waiting.js': 'await new Promise(() => undefined);',
      'columnless.js': type('suet.v1', '', '[null]'),
      'ours.js': type('livestock-sale.v1', ''),
    };
    for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, name), text);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const named = ['no-such-package', './missing.js', ...Object.keys(modules).map((name) => `./${name}`)];
    named[3] = pathToFileURL(join(folder, 'broken.js')).href;
    const { code, stderr } = await runMuster(['serve'], {
      databaseUrl: database.url,
      env: { MUSTER_REPORT_MODULES: named.join(', '), PORT: '0' },
      folder,
    });
    expect(code).toBe(1);
    for (const fault of [
      'no-such-package, which cannot be loaded: Cannot find package',
      './missing.js, which cannot be loaded: Cannot find module',
      './empty.js, which exports no report type',
      'broken.js, which cannot be loaded: Unexpected token',
      'nothing.js, which cannot be loaded: it throws null',
      'waiting.js, which cannot be loaded: it has not loaded within 10 s',
      'suet.v1 has a column that is no object',
      'mutton.v1 is claimed 2 times',
      'hogget.v1 is replaced by hogget.v2, which does not exist',
      'tallow.v1 gives the column kg no unit',
      'tallow.v1 gives the column days no type',
      'livestock-sale.v1 is claimed 2 times',
    ])
      expect(stderr).toContain(fault);
  });
});

it('the packed service brings the kit and its types along', async () => {
  const { exports } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, Record<string, string>>;
  };
  for (const entry of ['./kit', './kit/testing'])
    for (const file of Object.values(exports[entry] as Record<string, string>))
      expect(await readFile(join(muster, file), 'utf8')).not.toBe('');
});
