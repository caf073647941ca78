import { isDay } from '../farm-records/reader.js';
import type { Cell, Column, ColumnType, Row } from '../generators/generator.js';

/** A report with many faults has them many times. */
const SHOWN = 10;
const ROW_TYPES = ['detail', 'subtotal', 'total'];

const SHAPES: Readonly<Record<ColumnType, (cell: Cell) => boolean>> = {
  text: (cell) => typeof cell === 'string' && cell.isWellFormed(),
  integer: (cell) => Number.isSafeInteger(cell) && !Object.is(cell, -0),
  decimal: (cell) =>
    typeof cell === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell) && !/^-0(\.0+)?$/.test(cell),
  date: (cell) => typeof cell === 'string' && isDay(cell),
  time: (cell) => typeof cell === 'string' && /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(cell),
};

const EXPECTED: Readonly<Record<ColumnType, string>> = {
  text: 'a text',
  integer: 'a whole number',
  decimal: 'a text with an exact decimal such as "27022.79"',
  date: 'a day YYYY-MM-DD',
  time: 'a time of day HH:MM:SS',
};

/** Units that say more of a cell than its type does. */
const UNITS: Readonly<
  Record<string, { readonly holds: (cell: Cell) => boolean; readonly expected: string }>
> = {
  head: { holds: (cell) => Number.isSafeInteger(cell), expected: 'whole head' },
  currency: { holds: (cell) => /^-?\d+\.\d\d$/.test(String(cell)), expected: 'an amount with two places' },
};

/** Where rows are not what the columns declare: the first few faults, each with its row (from 1) and column. */
export function rowFaults(rows: readonly Row[], columns: readonly Column[]): string[] {
  const faults: string[] = [];
  for (const [index, row] of rows.entries()) {
    for (const fault of faultsOf(row, columns)) faults.push(`row ${index + 1}: ${fault}`);
    if (faults.length >= SHOWN) break;
  }
  return faults.slice(0, SHOWN);
}

function faultsOf({ rowType, cells }: Row, columns: readonly Column[]): string[] {
  if (!ROW_TYPES.includes(rowType)) return [`its row type is ${JSON.stringify(rowType)}`];
  if (cells.length !== columns.length)
    return [`it has ${cells.length} cells where ${columns.length} columns are declared`];
  return columns.flatMap((column, index) => cellFaults(cells[index] as Cell, column));
}

function cellFaults(cell: Cell, { name, type, unit }: Column): string[] {
  if (cell === null) return [];
  const found = `${name} is ${JSON.stringify(cell)}`;
  if (!SHAPES[type](cell)) return [`${found}, which is not ${EXPECTED[type]}`];
  const rule = UNITS[unit];
  return rule && !rule.holds(cell)
    ? [`${found}, which is not ${rule.expected}, as its unit ${unit} says`]
    : [];
}
