import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newReportType, ReportTypeRefused } from './new-report-type.js';

let folder: string;

beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'muster-new-type-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

it('names the package, the class and the page after the type', async () => {
  await newReportType('lamb-marking-2.v12', join(folder, 'deep', 'down'));
  const read = (file: string) => readFile(join(folder, 'deep/down/lamb-marking-2', file), 'utf8');
  expect(JSON.parse(await read('package.json'))).toMatchObject({
    name: 'lamb-marking-2',
    exports: './dist/lamb-marking-2.generator.js',
  });
  const generator = await read('src/lamb-marking-2.generator.ts');
  expect(generator).toContain("type: 'lamb-marking-2.v12'");
  expect(generator).toContain('export class LambMarking2 implements Generator');
  expect(await read('README.md')).toMatch(/^# Lamb marking 2: `lamb-marking-2\.v12`/);
});

it.each([
  'Wool.v1',
  'wool-clip',
  'wool.v0',
  'wool.v01',
  '../wool.v1',
  'wool--clip.v1',
  '-wool.v1',
  '2wool.v1',
  `${'wool-'.repeat(20)}clip.v1`,
  '',
])('refuses %j for a name', async (type) => {
  await expect(newReportType(type, folder)).rejects.toThrow('is no name of a report type');
  expect(await readdir(folder)).toEqual([]);
});

it.each([
  ['row', 'RowReport'],
  ['test-farms', 'TestFarmsReport'],
  ['promise', 'PromiseReport'],
  ['rows', 'Rows'],
])('a type called %s is a class that hides nothing its file needs', async (stem, name) => {
  await newReportType(`${stem}.v1`, folder);
  const read = (file: string) => readFile(join(folder, stem, 'src', file), 'utf8');
  expect(await read(`${stem}.generator.ts`)).toContain(`export class ${name} implements Generator`);
  expect(await read(`${stem}.test.ts`)).toContain(`import { ${name} } from './${stem}.generator.js'`);
});

it.each(['muster', 'typescript', 'events'])('refuses to make a package called %s', async (stem) => {
  await expect(newReportType(`${stem}.v1`, folder)).rejects.toThrow(ReportTypeRefused);
  expect(await readdir(folder)).toEqual([]);
});

it("refuses the name of one of the service's own types", async () => {
  await expect(newReportType('livestock-sale.v1', folder)).rejects.toThrow(ReportTypeRefused);
});

it('leaves alone what is there', async () => {
  await mkdir(join(folder, 'wool-clip'));
  await expect(newReportType('wool-clip.v1', folder)).rejects.toThrow(
    'is there already; nothing was written',
  );
  expect(await readdir(join(folder, 'wool-clip'))).toEqual([]);
});
