import { expect, it } from '@jest/globals';
import { tableText } from './table.js';

const columns = [
  { name: 'paddock', right: false },
  { name: 'head', right: true },
  { name: 'note', right: false },
];
const row = (...cells: string[]) => ({ cells, total: false });

it('sets texts to the left and numbers to the right', () => {
  expect(tableText(columns, [row('Creek', '7', 'wet'), row('Top Ridge', '1204', '')], 80)).toBe(
    ['paddock    head  note', '---------  ----  ----', 'Creek         7  wet', 'Top Ridge  1204'].join('\n'),
  );
});

it('draws a rule above the first of several totals', () => {
  const totals = [
    { cells: ['Sheep', '3', ''], total: true },
    { cells: ['all', '3', ''], total: true },
  ];
  expect(
    tableText(columns, [row('Creek', '3', ''), ...totals], 80)
      .split('\n')
      .slice(2),
  ).toEqual(['Creek       3', '-------  ----  ----', 'Sheep       3', 'all         3']);
});

it('leaves out the columns at the right that do not fit, and never the first', () => {
  expect(tableText(columns, [row('Creek', '7', 'wet')], 13).split('\n')[0]).toBe('paddock  head');
  expect(tableText(columns, [row('Creek', '7', 'wet')], 3).split('\n')[0]).toBe('paddock');
});

it('cuts a long cell and counts characters that take two UTF-16 units as one', () => {
  const [, , cut, sheep] = tableText(columns, [row('x'.repeat(40), '1', ''), row('🐑', '2', '')], 80).split(
    '\n',
  );
  expect(cut).toBe(`${'x'.repeat(25)}…     1`);
  expect(sheep).toBe(`🐑${' '.repeat(25)}     2`);
});

it('prints the header of a table without rows', () => {
  expect(tableText(columns, [], 80)).toBe('paddock  head  note\n-------  ----  ----');
});
