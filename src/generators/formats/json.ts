import type { Cell, Column, Row } from '../generator.js';
import type { Encoder, ReportHeading } from './encoder.js';

/**
 * `{"report": {type, farm, period}, "columns": […], "rows": […], "totals": […], "warnings": […]}`. Rows are the
 * details, totals the subtotals and totals, so that adding up `rows` counts nothing twice. `row` is a row's number among all of them,
 * from 1, as the other formats order them: what explanations are asked by. Decimals are strings: no reader rounds them.
 */
export function jsonEncoder(heading: ReportHeading): Encoder {
  const linesFrom = rowLines(heading);
  const totals: string[] = [];
  let rows = 0;
  let details = 0;
  return {
    begin: () =>
      `{"report":${JSON.stringify(reportOf(heading))},\n"columns":${JSON.stringify(describe(heading.columns))},\n"rows":[`,
    rows: (batch) => {
      let out = '';
      const lines = linesFrom(rows, batch);
      rows += batch.length;
      lines.forEach((line, index) => {
        if (batch[index]?.rowType === 'detail') out += `${details++ === 0 ? '\n' : ',\n'}${line}`;
        else totals.push(line);
      });
      return out;
    },
    end: (warnings) =>
      `],\n"totals":[${totals.map((total) => `\n${total}`).join(',')}],\n"warnings":${JSON.stringify(warnings)}}\n`,
  };
}

/** One object a row, totals among them, told apart by `row_type`. */
export function ndjsonEncoder(heading: ReportHeading): Encoder {
  const linesFrom = rowLines(heading);
  let rows = 0;
  return {
    begin: () => '',
    rows: (batch) => {
      let out = '';
      for (const line of linesFrom(rows, batch)) out += `${line}\n`;
      rows += batch.length;
      return out;
    },
    end: () => '',
  };
}

function reportOf({ type, farm, period }: ReportHeading) {
  return { type, farm, period: { start: period.start, end: period.end, timeZone: period.timeZone } };
}

function describe(columns: readonly Column[]) {
  return [
    { name: 'row', type: 'integer', unit: 'none' },
    { name: 'row_type', type: 'text', unit: 'none' },
    ...columns.map(({ name, type, unit }) => ({ name, type, unit })),
  ];
}

/** Rows as lines, the first of which is numbered `before` + 1. */
type RowLines = (before: number, batch: readonly Row[]) => readonly string[];

const LINES = new WeakMap<ReportHeading, RowLines>();

/** The lines that JSON and NDJSON have in common: those of a batch are written once for both encoders of a report. */
function rowLines(heading: ReportHeading): RowLines {
  const known = LINES.get(heading);
  if (known) return known;
  const line = objectLine(heading.columns);
  let last: { before: number; batch: readonly Row[]; lines: readonly string[] } | undefined;
  const lines: RowLines = (before, batch) => {
    if (batch.length === 0) return [];
    if (last?.batch !== batch || last.before !== before)
      last = { before, batch, lines: batch.map((row, index) => line(row, before + index + 1)) };
    return last.lines;
  };
  LINES.set(heading, lines);
  return lines;
}

const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Writes a row and its number as a JSON object, several times faster than JSON.stringify would. */
function objectLine(columns: readonly Column[]): (row: Row, number: number) => string {
  const keys = columns.map(({ name }) => `,${JSON.stringify(name)}:`);
  return ({ rowType, cells }, number) => {
    let line = `{"row":${number},"row_type":"${rowType}"`;
    for (let index = 0; index < keys.length; index++)
      line += `${keys[index]}${jsonValue(cells[index] as Cell)}`;
    return `${line}}`;
  };
}

function jsonValue(cell: Cell): string {
  if (cell === null) return 'null';
  if (typeof cell === 'number') return String(cell);
  return NEEDS_ESCAPE.test(cell) ? JSON.stringify(cell) : `"${cell}"`;
}
