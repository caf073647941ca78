import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ComparedRow, compareRows } from './compare-rows.js';

async function* of(rows: readonly ComparedRow[]): AsyncIterable<ComparedRow> {
  yield* rows;
}

const rowsOf = (text: string): ComparedRow[] => Array.from(text, (mob) => ({ mob, head: mob.charCodeAt(0) }));

const compare = (left: readonly ComparedRow[], right: readonly ComparedRow[], limit = 10) =>
  compareRows(of(left), of(right), ['mob', 'head'], limit);

it.each([
  ['nothing', '', '', { same: 0, changed: 0, onlyDeprecated: 0, onlyReplacement: 0 }],
  ['the same rows', 'abc', 'abc', { same: 3, changed: 0, onlyDeprecated: 0, onlyReplacement: 0 }],
  ['a row more in the middle', 'abd', 'abcd', { same: 3, changed: 0, onlyDeprecated: 0, onlyReplacement: 1 }],
  ['a row less at the start', 'xabc', 'abc', { same: 3, changed: 0, onlyDeprecated: 1, onlyReplacement: 0 }],
  ['rows more at the end', 'ab', 'abcd', { same: 2, changed: 0, onlyDeprecated: 0, onlyReplacement: 2 }],
  ['a row that is another', 'abc', 'axc', { same: 2, changed: 1, onlyDeprecated: 0, onlyReplacement: 0 }],
  ['no row in common', 'abc', 'x', { same: 0, changed: 1, onlyDeprecated: 2, onlyReplacement: 0 }],
])('tells %s', async (_, left, right, rows) => {
  expect((await compare(rowsOf(left), rowsOf(right))).rows).toEqual(rows);
});

it('names the cells of a changed row, blank ones too, and no others', async () => {
  const { differences } = await compare(
    [{ mob: 'a', head: 1 }, { mob: 'b' }],
    [
      { mob: 'a', head: 1 },
      { mob: 'b', head: 2, other: 3 },
    ],
  );
  expect(differences).toEqual([
    {
      kind: 'changed',
      deprecatedRow: 2,
      replacementRow: 2,
      cells: [{ column: 'head', deprecated: null, replacement: 2 }],
    },
  ]);
});

it('tells the first differences only, and counts all', async () => {
  const { rows, differences } = await compare(rowsOf('aaaa'), rowsOf('abbbb'), 2);
  expect(rows).toEqual({ same: 1, changed: 3, onlyDeprecated: 0, onlyReplacement: 1 });
  expect(differences).toHaveLength(2);
});

it('accounts for every row of both sides, however they differ', async () => {
  const rows = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(rows, rows, async (left, right) => {
      const found = (await compare(rowsOf(left.join('')), rowsOf(right.join('')))).rows;
      expect(found.same + found.changed + found.onlyDeprecated).toBe(left.length);
      expect(found.same + found.changed + found.onlyReplacement).toBe(right.length);
    }),
    { numRuns: 50 },
  );
});
