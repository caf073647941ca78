import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  SAMPLE_FARM,
  SAMPLE_FARM_ID,
  SAMPLE_PERIOD,
  sampleFarmRecords,
} from '../src/cli/demo/sample-farm.js';
import { Catalogue } from '../src/generators/catalogue.js';
import { reportPages } from '../src/generators/report-pages.js';
import { type Ledger, openLedger } from './farm-records-ledger.js';

const PAGES = join(import.meta.dirname, '../docs/reports');

let ledger: Ledger;
let catalogue: Catalogue;

beforeAll(async () => {
  ledger = await openLedger();
  await ledger.farm(SAMPLE_FARM_ID, SAMPLE_FARM);
  expect(await ledger.import(SAMPLE_FARM_ID, sampleFarmRecords())).toMatchObject({ rejected: 0 });
  catalogue = await Catalogue.load(join(import.meta.dirname, '../src/generators'));
});
afterAll(() => ledger?.close());

it('the pages of report types say what the types say of themselves, with samples of the demo farm: npm run docs', async () => {
  const made = await ledger.read(SAMPLE_FARM_ID, (records) => reportPages(catalogue, records, SAMPLE_PERIOD));
  expect((await readdir(PAGES)).toSorted()).toEqual(Object.keys(made).toSorted());
  for (const [name, text] of Object.entries(made))
    expect([name, await readFile(join(PAGES, name), 'utf8')]).toEqual([name, text]);
});

it('every report type that is not deprecated says what its reader must know', () => {
  const current = catalogue.entries.filter(({ declaration }) => declaration.replacedBy === undefined);
  expect(current).not.toEqual([]);
  for (const { declaration } of current) expect(declaration.rules?.length).toBeGreaterThan(1);
});

/** What nothing on the sample farm has: figures that would mean something went wrong. */
const BLANK_ON_A_GOOD_FARM: Record<string, readonly string[]> = {};

it('the sample farm fills every column of every report', async () => {
  await ledger.read(SAMPLE_FARM_ID, async (records) => {
    for (const { declaration, generator } of catalogue.entries) {
      const period = { ...SAMPLE_PERIOD, timeZone: SAMPLE_FARM.timeZone };
      const input = { farmId: SAMPLE_FARM_ID, period, records, warn: () => undefined };
      const rows = (await Array.fromAsync(new generator().rows(input))).flat();
      const empty = declaration.columns
        .filter((_, index) => rows.every(({ cells }) => cells[index] === null || Number(cells[index]) === 0))
        .map(({ name }) => name);
      expect([declaration.type, empty]).toEqual([
        declaration.type,
        BLANK_ON_A_GOOD_FARM[declaration.type] ?? [],
      ]);
    }
  });
});
