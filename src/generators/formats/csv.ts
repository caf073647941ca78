import type { Cell, Column, Row } from '../generator.js';
import type { Encoder, ReportHeading } from './encoder.js';
import { fragment, plainBut, type Utf8Buffer } from './utf8-buffer.js';

const FORMULA = /^[=+\-@\t\r]/;
const PLAIN = plainBut('",');
const PLAIN_FIRST = plainBut('", =+-@');
const BLANK = 0x20;
const COMMA = 0x2c;
const LINE_END = fragment('\r\n');

/**
 * RFC 4180 in UTF-8 with CRLF and a header row; the first column, `row_type`, tells details from totals. A text
 * that a spreadsheet would take for a formula gets a leading apostrophe; numbers never do.
 */
export function csvEncoder({ columns }: ReportHeading): Encoder {
  const shown = columns.flatMap((column, index) =>
    column.jsonOnly ? [] : [{ index, text: column.type === 'text' }],
  );
  return {
    begin: (out) =>
      out.text(`row_type,${shown.map(({ index }) => (columns[index] as Column).name).join(',')}\r\n`),
    rows: (batch, out) => {
      for (const row of batch) writeLine(row, shown, out);
    },
    end: () => undefined,
  };
}

function writeLine(
  { rowType, cells }: Row,
  shown: readonly { index: number; text: boolean }[],
  out: Utf8Buffer,
): void {
  out.text(rowType);
  for (const { index, text } of shown) {
    const cell = cells[index] as Cell;
    out.byte(COMMA);
    if (cell === null) continue;
    if (!text) out.text(String(cell));
    else if (!writePlain(cell as string, out)) out.text(csvText(cell as string));
  }
  out.append(LINE_END);
}

/** Writes a text that csvText would leave as it is, as nearly all are. */
function writePlain(text: string, out: Utf8Buffer): boolean {
  const { length } = text;
  if (length === 0) return true;
  if (PLAIN_FIRST[text.charCodeAt(0)] !== 1 || text.charCodeAt(length - 1) === BLANK) return false;
  return out.plain(text, PLAIN);
}

export function csvText(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^ | $/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
