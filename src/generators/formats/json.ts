import type { Cell, Column, Row } from '../generator.js';
import type { Encoder, ReportHeading } from './encoder.js';
import { type Fragment, fragment, plainBut, Utf8Buffer } from './utf8-buffer.js';

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
    begin: (out) =>
      out.text(
        `{"report":${JSON.stringify(reportOf(heading))},\n"columns":${JSON.stringify(describe(heading.columns))},\n"rows":[`,
      ),
    rows: (batch, out) => {
      const { text, ends } = linesFrom(rows, batch);
      rows += batch.length;
      let start = 0;
      for (const [index, { rowType }] of batch.entries()) {
        const end = ends[index] as number;
        const line = text.view(start, end - LINE_END.length);
        if (rowType === 'detail') {
          out.append(details++ === 0 ? FIRST : NEXT);
          out.append(line);
        } else totals.push(line.toString());
        start = end;
      }
    },
    end: (warnings, out) =>
      out.text(
        `],\n"totals":[${totals.map((total) => `\n${total}`).join(',')}],\n"warnings":${JSON.stringify(warnings)}}\n`,
      ),
  };
}

/** One object a row, totals among them, told apart by `row_type`. */
export function ndjsonEncoder(heading: ReportHeading): Encoder {
  const linesFrom = rowLines(heading);
  let rows = 0;
  return {
    begin: () => undefined,
    rows: (batch, out) => {
      out.append(linesFrom(rows, batch).text.view());
      rows += batch.length;
    },
    end: () => undefined,
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

const LINE_END = '\n';
const FIRST = fragment('\n');
const NEXT = fragment(',\n');

/** Rows as lines of text, and where each ends. */
interface Lines {
  readonly text: Utf8Buffer;
  readonly ends: readonly number[];
}

/** Rows as lines, the first of which is numbered `before` + 1; good until it is asked for others. */
type RowLines = (before: number, batch: readonly Row[]) => Lines;

const LINES = new WeakMap<ReportHeading, RowLines>();

/** The lines that JSON and NDJSON have in common: those of a batch are written once for both encoders of a report. */
function rowLines(heading: ReportHeading): RowLines {
  const known = LINES.get(heading);
  if (known) return known;
  const writeLine = objectLine(heading.columns);
  const text = new Utf8Buffer();
  const ends: number[] = [];
  let last: { before: number; batch: readonly Row[] } | undefined;
  const lines: RowLines = (before, batch) => {
    if (last?.batch === batch && last.before === before) return { text, ends };
    last = { before, batch };
    text.cutTo(0);
    ends.length = 0;
    for (const row of batch) {
      writeLine(row, before + ends.length + 1, text);
      ends.push(text.length);
    }
    return { text, ends };
  };
  LINES.set(heading, lines);
  return lines;
}

const NULL = fragment('null');
const QUOTE = 0x22;
const PLAIN = plainBut('"\\');

/** Writes a row and its number as a JSON object, several times faster than JSON.stringify would. */
function objectLine(columns: readonly Column[]): (row: Row, number: number, out: Utf8Buffer) => void {
  const keys = columns.map(({ name }) => `,${JSON.stringify(name)}:`);
  const members = keys.map((key) => ({ key: fragment(key), quoted: fragment(`${key}"`) }));
  return ({ rowType, cells }, number, out) => {
    out.text(`{"row":${number},"row_type":"${rowType}"`);
    for (let index = 0; index < members.length; index++)
      writeMember(members[index] as Member, cells[index] as Cell, out);
    out.text(`}${LINE_END}`);
  };
}

/** How a member of an object begins: with its key, and with the quotation mark of a text as well. */
interface Member {
  readonly key: Fragment;
  readonly quoted: Fragment;
}

function writeMember({ key, quoted }: Member, cell: Cell, out: Utf8Buffer): void {
  const start = out.length;
  if (typeof cell === 'string') {
    out.append(quoted);
    if (out.plain(cell, PLAIN)) {
      out.byte(QUOTE);
      return;
    }
    out.cutTo(start);
  }
  out.append(key);
  if (cell === null) out.append(NULL);
  else out.text(typeof cell === 'number' ? String(cell) : JSON.stringify(cell));
}
