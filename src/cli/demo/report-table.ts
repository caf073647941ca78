import { parse } from 'csv-parse/sync';
import type { ReportType } from './client.js';
import { showcaseOf } from './showcase.js';
import { type TableRow, tableText } from './table.js';

type CsvRow = Readonly<Record<string, string>>;

/** A downloaded report as people read it in a terminal of `width` characters: the columns worth it, some rows, all totals. */
export function reportText(type: ReportType, csv: string, width: number): string {
  const rows = parse(csv, { columns: true, bom: true }) as unknown as CsvRow[];
  const inCsv = type.columns.filter(({ jsonOnly }) => !jsonOnly);
  const { columns: chosen, details } = showcaseOf(
    type.type,
    inCsv.map(({ name }) => name),
    type.description,
  );
  const columns = chosen.flatMap((name) => inCsv.find((column) => column.name === name) ?? []);
  const { shown, left } = choose(rows, details);
  const table = tableText(
    columns.map(({ name, type: kind }) => ({ name, right: kind === 'integer' || kind === 'decimal' })),
    shown.map((row) => rowOf(row, columns)),
    width,
  );
  return left === 0 ? table : `${table}\n(and ${left} more ${left === 1 ? 'row' : 'rows'} in the report)`;
}

/** The totals, and the first of the details where these are too many. */
function choose(rows: readonly CsvRow[], details: number): { shown: CsvRow[]; left: number } {
  let room = details;
  const shown = rows.filter((row) => isTotal(row) || room-- > 0);
  return { shown, left: rows.length - shown.length };
}

/** A total without a text of its own says what it is in its first cell. */
function rowOf(row: CsvRow, columns: readonly { name: string; type: string }[]): TableRow {
  const cells = columns.map(({ name }) => row[name] ?? '');
  const total = isTotal(row);
  if (total && cells[0] === '') cells[0] = row.row_type ?? '';
  return { cells, total };
}

function isTotal(row: CsvRow): boolean {
  return row.row_type === 'total' || row.row_type === 'subtotal';
}
