import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findRow } from './row-lookup.js';

function fileOf(texts: readonly string[]): Buffer {
  const lines = texts.map((mob, index) =>
    JSON.stringify({ row: index + 1, row_type: 'detail', mob, head: index, net: null }),
  );
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

function reader(file: Buffer) {
  let reads = 0;
  const read = async (start: number, end: number) => {
    reads++;
    return file.subarray(start, Math.min(end, file.length));
  };
  return { read, reads: () => reads };
}

it('finds every row of a file and none beyond, whatever the lines look like', async () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 9_000 }), async (some, times) => {
      const rows = some.map((text, index) => (index % 7 === 3 ? text.repeat(times) : text));
      const file = fileOf(rows);
      for (const [index, mob] of rows.entries()) {
        const found = await findRow(reader(file).read, file.length, index + 1);
        expect(found).toEqual({ rowType: 'detail', cells: { mob, head: index, net: null } });
      }
      expect(await findRow(reader(file).read, file.length, rows.length + 1)).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

it('reads a few pieces of a long file only', async () => {
  const file = fileOf(Array.from({ length: 200_000 }, (_, index) => `mob ${index % 40}`));
  for (const number of [1, 2, 77_777, 199_999, 200_000]) {
    const { read, reads } = reader(file);
    expect((await findRow(read, file.length, number))?.cells['head']).toBe(number - 1);
    expect(reads()).toBeLessThan(40);
  }
});
