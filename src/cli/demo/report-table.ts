import { parse } from 'csv-parse/sync';
import type { ReportType } from '../../client/index.js';
import { showcaseOf, type View } from './showcase.js';
import { type TableRow, tableText } from './table.js';

type Column = ReportType['columns'][number];
type CsvRow = Readonly<Record<string, string>>;

/** A downloaded report as people read it in a terminal of `width` characters: what is worth it, and all totals. */
export function reportText(type: ReportType, csv: string, width: number): string {
  const rows = parse(csv, { columns: true, bom: true }) as unknown as CsvRow[];
  const inCsv = type.columns.filter(({ jsonOnly }) => !jsonOnly);
  const names = inCsv.map(({ name }) => name);
  const { views } = showcaseOf(type.type, names, type.description);
  return views.map((view) => viewText(inCsv, rows, view, width)).join('\n\n');
}

function viewText(inCsv: readonly Column[], rows: readonly CsvRow[], view: View, width: number): string {
  const columns = view.columns.flatMap((name) => inCsv.find((column) => column.name === name) ?? []);
  const numbers = columns.filter(isNumber);
  const { shown, left } = choose(
    rows.filter((row) => numbers.length === 0 || numbers.some(({ name }) => row[name] !== '')),
    view.details,
  );
  const table = tableText(
    columns.map((column) => ({ name: column.name, right: isNumber(column) })),
    shown.map((row) => rowOf(row, columns)),
    width,
  );
  return left === 0 ? table : `${table}\n(and ${left} more ${left === 1 ? 'row' : 'rows'} in the report)`;
}

function isNumber({ type }: Column): boolean {
  return type === 'integer' || type === 'decimal';
}

/** The totals, and the first of the details where these are too many. */
function choose(rows: readonly CsvRow[], details: number): { shown: CsvRow[]; left: number } {
  let room = details;
  const shown = rows.filter((row) => isTotal(row) || room-- > 0);
  return { shown, left: rows.length - shown.length };
}

/** A total without a text of its own says what it is in its first cell. */
function rowOf(row: CsvRow, columns: readonly Column[]): TableRow {
  const cells = columns.map(({ name }) => row[name] ?? '');
  const total = isTotal(row);
  if (total && cells[0] === '') cells[0] = row.row_type ?? '';
  return { cells, total };
}

function isTotal(row: CsvRow): boolean {
  return row.row_type === 'total' || row.row_type === 'subtotal';
}
