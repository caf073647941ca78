import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Client } from 'pg';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.js';
import { SnapshotReading } from './snapshot-reading.js';
import { batches, type CellKind } from './snapshot-sql.js';

let database: FreshDatabase;
let first: Client;
let second: Client;

beforeAll(async () => {
  database = await freshDatabase();
  [first, second] = [new Client(database.url), new Client(database.url)];
  await Promise.all([first.connect(), second.connect()]);
});
afterAll(async () => {
  await Promise.all([first?.end(), second?.end()]);
  await database?.drop();
});

const KINDS: CellKind[] = ['number', 'text', 'boolean', 'json'];
const QUERY = `SELECT n::integer, said, n % 2 = 0, CASE WHEN n % 3 > 0 THEN json_build_array(said, n) END
                 FROM unnest($1::text[]) WITH ORDINALITY AS told(said, n) WHERE n > $2 ORDER BY n`;

async function read(reading: SnapshotReading, texts: readonly (string | null)[]): Promise<unknown[]> {
  return (await Array.fromAsync(batches(reading, QUERY, [texts, 0], KINDS))).flat();
}

async function inSnapshot<T>(work: () => Promise<T>): Promise<T> {
  await first.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    return await work();
  } finally {
    await Promise.all([first, second].map((client) => client.query('ROLLBACK').catch(() => undefined)));
  }
}

it('rows that come by COPY are those of a cursor, whatever their texts hold', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('\t', '\n', '\\N', 'a\\tb', '\\', "it's", '{"x"}', '$1', '', 'ä\r\n€'),
  );
  const texts = fc.array(
    text.map((any) => any.replaceAll('\0', '')),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(texts, async (some) => {
      const bySecond = await inSnapshot(() => read(new SnapshotReading(first, second), some));
      expect(bySecond).toEqual(await inSnapshot(() => read(new SnapshotReading(first), some)));
    }),
    { numRuns: 60 },
  );
});

it('a result read inside another one comes by a cursor, of the same snapshot', async () => {
  const writer = new Client(database.ownerUrl);
  await writer.connect();
  await writer.query('CREATE TABLE grown AS SELECT generate_series(1, 5) AS n');
  await writer.query('GRANT SELECT ON grown TO muster_service');
  const counts = await inSnapshot(async () => {
    const reading = new SnapshotReading(first, second);
    const seen: unknown[] = [];
    await first.query('SELECT 1');
    await writer.query('INSERT INTO grown SELECT generate_series(6, 9)');
    for await (const outer of batches<[number]>(reading, 'SELECT n FROM grown', [], ['number'])) {
      expect(reading.canCopy).toBe(false);
      for await (const inner of batches<[string]>(reading, 'SELECT count(*) FROM grown', [], ['number']))
        seen.push(outer.length, Number(inner[0]?.[0]));
    }
    expect(reading.canCopy).toBe(true);
    return seen;
  });
  await writer.end();
  expect(counts).toEqual([5, 5]);
});

it('whoever stops reading a long result goes on by cursors', async () => {
  const doomed = new Client(database.url);
  await doomed.connect();
  doomed.on('error', () => undefined);
  await inSnapshot(async () => {
    const reading = new SnapshotReading(first, doomed);
    const long = 'SELECT n FROM generate_series(1, 3000000) AS n';
    for await (const rows of batches<[number]>(reading, long, [], ['number'])) {
      expect(rows[0]).toEqual([1]);
      break;
    }
    expect(reading.canCopy).toBe(false);
    expect(await Array.fromAsync(batches(reading, 'SELECT 7', [], ['number']))).toEqual([[[7]]]);
  });
});
