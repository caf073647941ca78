import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentFaults } from './support/content-schema.js';
import { runMuster, spawnMuster } from './support/muster.js';

const TYPES = [
  'animal-load-by-paddock.v1',
  'feed-sale.v1',
  'livestock-classification-transitions.v1',
  'livestock-feed.v1',
  'livestock-purchase.v1',
  'livestock-reconciliation.v3',
  'livestock-sale.v1',
  'livestock-treatment.v1',
];

describe('the demo in a folder of its own', () => {
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    env = { MUSTER_DATA_DIR: await mkdtemp(join(tmpdir(), 'muster-demo-')), PORT: '0' };
  });

  afterAll(async () => {
    await rm(String(env.MUSTER_DATA_DIR), { recursive: true, force: true });
  });

  it('shows every report on a new farm and ends, with --once', async () => {
    const { code, stdout, stderr } = await runMuster(['demo', '--once'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const type of TYPES) expect(stdout).toContain(`(${type})`);
    expect(stdout).not.toMatch(/negative balance|livestock-reconciliation\.v[12]/);
    expect(stdout).toMatch(/(\d+) records of two financial years were imported: \1 new, 0 there already/);
    expect(stdout).toMatch(/It may now read:reports write:reports for \d+ s/);
  });

  it('finds the farm there the second time, and reuses its reports', async () => {
    const { code, stdout } = await runMuster(['demo', '--once', '--json'], { env });
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ event }) => event)).toEqual([
      'ready',
      'imported',
      'authorized',
      ...TYPES.map(() => 'report'),
      'done',
      'stopped',
    ]);
    expect(events[1]).toMatchObject({ accepted: 0, replaced: 0, rejected: 0, unchanged: expect.any(Number) });
    expect(events.filter(({ event }) => event === 'report')).toMatchObject(
      TYPES.map((type) => ({ type, reused: true })),
    );
  });

  it('serves until it is stopped; its curl lines work, content is as its type publishes, and no column of any report stays empty', async () => {
    const demo = spawnMuster(['demo'], env);
    const gone = once(demo, 'close');
    try {
      const printed = await printedUntil(demo.stdout, 'until you press Ctrl-C');
      const downloads = printed.filter((line) => line.includes('/download'));
      expect(downloads).toHaveLength(TYPES.length);
      for (const line of downloads) expect(await emptyColumns(line)).toEqual([]);
    } finally {
      demo.kill('SIGTERM');
    }
    expect(await gone).toEqual([0, null]);
  });
});

/** Does what a printed curl line says, holds the content against what its type publishes, and names the columns of that report in which nothing but blanks and zeros stands. */
async function emptyColumns(line: string): Promise<string[]> {
  const [url = '', ...headers] = [...line.matchAll(/'([^']*)'/g)].map(([, text]) => String(text));
  const named = Object.fromEntries(headers.map((header) => header.split(': ')));
  const csv = await fetch(url, { headers: named });
  expect(csv.status).toBe(200);
  expect(csv.headers.get('content-type')).toContain('text/csv');
  const [json = '', ndjson = ''] = await Promise.all(
    ['application/json', 'application/x-ndjson'].map(async (accept) =>
      (await fetch(url, { headers: { ...named, accept } })).text(),
    ),
  );
  const { report, columns, rows, totals } = JSON.parse(json) as any;
  const type = await fetch(new URL(`/v2/report-types/${report.type}`, url), { headers: named });
  const { data } = (await type.json()) as any;
  expect(contentFaults(data)(json, ndjson)).toEqual([]);
  const filled = (cell: unknown): boolean => cell !== null && Number(cell) !== 0;
  return columns
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => ![...rows, ...totals].some((row) => filled(row[name])));
}

async function printedUntil(stream: NodeJS.ReadableStream, last: string): Promise<string[]> {
  let text = '';
  const { promise, resolve } = Promise.withResolvers<string[]>();
  stream.on('data', (chunk) => {
    text += String(chunk);
    if (text.includes(last)) resolve(text.split('\n'));
  });
  stream.on('end', () => resolve(text.split('\n')));
  return promise;
}
