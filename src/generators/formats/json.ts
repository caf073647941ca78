import type { Cell, Column, Row } from '../generator.js';
import type { Encoder, ReportHeading } from './encoder.js';

/**
 * `{"report": {type, farm, period}, "columns": […], "rows": […], "totals": […], "warnings": […]}`. Rows are the
 * details, totals the subtotals and totals, so that adding up `rows` counts nothing twice. `row` is a row's number among all of them,
 * from 1, as the other formats order them: what explanations are asked by. Decimals are strings: no reader rounds them.
 */
export function jsonEncoder(heading: ReportHeading): Encoder {
  const line = objectLine(heading.columns);
  const totals: string[] = [];
  let rows = 0;
  let details = 0;
  return {
    begin: () =>
      `{"report":${JSON.stringify(reportOf(heading))},\n"columns":${JSON.stringify(describe(heading.columns))},\n"rows":[`,
    rows: (batch) => {
      let out = '';
      for (const row of batch) {
        const written = line(row, ++rows);
        if (row.rowType === 'detail') out += `${details++ === 0 ? '\n' : ',\n'}${written}`;
        else totals.push(written);
      }
      return out;
    },
    end: (warnings) =>
      `],\n"totals":[${totals.map((total) => `\n${total}`).join(',')}],\n"warnings":${JSON.stringify(warnings)}}\n`,
  };
}

/** One object a row, totals among them, told apart by `row_type`. */
export function ndjsonEncoder({ columns }: ReportHeading): Encoder {
  const line = objectLine(columns);
  let rows = 0;
  return {
    begin: () => '',
    rows: (batch) => {
      let out = '';
      for (const row of batch) out += `${line(row, ++rows)}\n`;
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
