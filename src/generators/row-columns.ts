import { type FarmRecords, UNASSIGNED } from '../farm-records/reader.js';
import type { Cell, Column, ColumnType } from './generator.js';

/** A column together with what stands in it, so that a report's columns and cells cannot drift apart. */
export interface RowColumn<Subject> extends Column {
  readonly cell: (subject: Subject) => Cell;
}

/** Declares a column of rows made from `Subject`. */
export function column<Subject>(
  name: string,
  type: ColumnType,
  unit: string,
  description: string,
  cell: (subject: Subject) => Cell,
  more: Pick<Column, 'jsonOnly' | 'controlTotal'> = {},
): RowColumn<Subject> {
  return { name, type, unit, description, cell, ...more };
}

export function cellsOf<Subject>(columns: readonly RowColumn<Subject>[], subject: Subject): Cell[] {
  return columns.map(({ cell }) => cell(subject));
}

/** Cells of a row that fills the named columns and leaves the others blank. */
export function cellsNamed(columns: readonly Column[], filled: Readonly<Record<string, Cell>>): Cell[] {
  return columns.map(({ name }) => filled[name] ?? null);
}

/** The columns themselves, as a report type declares them. */
export function declared<Subject>(columns: readonly RowColumn<Subject>[]): Column[] {
  return columns.map(({ cell: _, ...column }) => column);
}

export function paddockName(records: FarmRecords, paddock: string): string {
  return paddock === '' ? UNASSIGNED : records.names.paddock(paddock);
}

export function mobName(records: FarmRecords, mob: string): string | null {
  return mob === '' ? null : records.names.mob(mob);
}
