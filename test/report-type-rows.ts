import { expect } from '@jest/globals';
import type { Cell, Column, Generator, Row } from '../src/generators/generator.js';
import { declarationOf } from '../src/generators/report-generator.js';
import type { Ledger } from './farm-records-ledger.js';

/** A row as its reader sees it: the cells that are not blank, by column. */
export type ShownRow = { row_type: Row['rowType'] } & Record<string, Cell>;

export interface ShownReport {
  readonly rows: ShownRow[];
  readonly warnings: string[];
}

/** The whole report that a generator makes of a farm, each cell held against its column's type. */
export async function reportOf(
  ledger: Ledger,
  farmId: string,
  generator: new () => Generator,
  start: string,
  end: string,
): Promise<ShownReport> {
  const columns = declarationOf(generator)?.columns ?? [];
  const warnings = new Set<string>();
  const rows = await ledger.read(farmId, async (records) => {
    const period = { start, end, timeZone: records.farm.timeZone };
    const input = { farmId, period, records, warn: (text: string) => void warnings.add(text) };
    return (await Array.fromAsync(new generator().rows(input))).flat();
  });
  return { rows: rows.map((row) => shown(row, columns)), warnings: [...warnings] };
}

/** The report's detail rows, or another kind, with some of their columns. */
export function columnsOf(
  { rows }: ShownReport,
  names: readonly string[],
  rowType: Row['rowType'] = 'detail',
): Cell[][] {
  return rows.filter((row) => row.row_type === rowType).map((row) => names.map((name) => row[name] ?? null));
}

const SHAPES: Readonly<Record<Column['type'], RegExp>> = {
  text: /^/,
  integer: /^-?\d+$/,
  decimal: /^-?\d+(\.\d+)?$/,
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d:\d\d$/,
};

function shown({ rowType, cells }: Row, columns: readonly Column[]): ShownRow {
  expect(cells).toHaveLength(columns.length);
  const named = columns.map(({ name, type }, index) => {
    const cell = cells[index] as Cell;
    if (cell !== null) {
      expect([name, typeof cell]).toEqual([name, type === 'integer' ? 'number' : 'string']);
      expect([name, String(cell)]).toEqual([name, expect.stringMatching(SHAPES[type])]);
    }
    return [name, cell] as const;
  });
  return { row_type: rowType, ...Object.fromEntries(named.filter(([, cell]) => cell !== null)) };
}
