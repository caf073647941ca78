import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type * as Testing from '../src/kit/testing.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';

const BUILT = process.env.MUSTER_TEST_BUILD ?? join(import.meta.dirname, '../dist');
const built = (file: string) => pathToFileURL(join(BUILT, file)).href;
const { Conformance } = (await import(built('kit/testing.js'))) as typeof Testing;

let fresh: FreshDatabase;
let suite: Testing.Conformance;

beforeAll(async () => {
  fresh = await freshDatabase();
  suite = await Conformance.open(fresh.url);
});

afterAll(async () => {
  await suite?.close();
  await fresh?.drop();
});

const files = await readdir(join(BUILT, 'generators'), { recursive: true });
const ours = files.filter((file) => file.endsWith('.generator.js')).toSorted();

it.each(ours)(
  'the report types of %s keep every promise',
  async (file) => {
    expect(await suite.findings(built(`generators/${file}`))).toEqual([]);
  },
  60_000,
);

describe('the suite names what a report type breaks:', () => {
  let tests: readonly Testing.ConformanceTest[];

  beforeAll(async () => {
    tests = await suite.tests(pathToFileURL(join(import.meta.dirname, 'broken-report-types.mjs')));
  });

  it.each([
    ['has-no-unit', 'declares itself wholly', /gives the column head no unit/],
    ['half-an-animal', 'keeps to its declared columns and units', /head is 1.5, which is not a whole number/],
    [
      'floating-money',
      'keeps to its declared columns and units',
      /amount is 12.5, .*not a text with an exact decimal/,
    ],
    ['scientific-money', 'keeps to its declared columns and units', /amount is "1.25e3", .* exact decimal/],
    [
      'short-money',
      'keeps to its declared columns and units',
      /"12.5", which is not an amount with two places/,
    ],
    ['no-such-day', 'keeps to its declared columns and units', /date is "2024-02-30", which is not a day/],
    ['number-for-text', 'keeps to its declared columns and units', /name is 7, which is not a text/],
    ['extra-cell', 'keeps to its declared columns and units', /it has 2 cells where 1 columns are declared/],
    ['unknown-row-type', 'keeps to its declared columns and units', /its row type is "sum"/],
    ['goes-back', 'keeps to its declared columns and units', /date goes back from 2024-08-11 to 2024-08-05/],
    ['totals-first', 'keeps to its declared columns and units', /row 1: a total stands before detail rows/],
    [
      'tells-the-time',
      'gives the same bytes again, elsewhere and later',
      /made by another process.*row 1 differs/,
    ],
    [
      'tells-local-time',
      'gives the same bytes again, elsewhere and later',
      /made by another process.*row 1 differs/,
    ],
    [
      'throws-dice',
      'gives the same bytes again, elsewhere and later',
      /when it is made again .*row 1 differs/,
    ],
    [
      'escapes-formulas',
      'passes text on as it was recorded, safe from formulas',
      /is escaped by the report type/,
    ],
    ['cuts-names', 'passes text on as it was recorded, safe from formulas', /is recorded, but shown as/],
    ['never-empty', 'is a header without rows for an empty farm', /a farm without records gives 1 rows/],
    [
      'reads-utc-days',
      'reads days as the farm has them, in odd time zones too',
      /a row is of 2024-\d\d-\d\d, which is no day/,
    ],
    [
      'needs-midnight',
      'reads days as the farm has them, in odd time zones too',
      /Santiago around 2024-09-08, a day without midnight: it failed/,
    ],
    [
      'miscounts-totals',
      'has totals that equal its rows',
      /a total has 15.00 for amount, but its 14 detail rows make 14/,
    ],
    ['keeps-records', 'holds no more of a larger farm', /what it holds grows by \d+ KiB/],
    ['all-at-once', 'holds no more of a larger farm', /its largest batch grows from 100 to 1500 rows/],
    ['cannot-be-stopped', 'stops within a second', /told to stop before its first rows, it took 1\d\d\d ms/],
    ['fails', 'is a header without rows for an empty farm', /it failed: there is no such thing/],
  ])('%s, which is to be one that %s', async (stem, check, detail) => {
    const test = tests.find(({ name }) => name === `${stem}.v1 ${check}`);
    expect(test).toBeDefined();
    await expect(test?.run()).rejects.toThrow(detail);
  });
});
