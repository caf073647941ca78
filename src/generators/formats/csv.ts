import type { Cell, Column, Row } from '../generator.js';
import type { Encoder, ReportHeading } from './encoder.js';

const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_CARE = /^[=+\-@\t\r ]|[",\r\n]| $/;

/**
 * RFC 4180 in UTF-8 with CRLF and a header row; the first column, `row_type`, tells details from totals. A text
 * that a spreadsheet would take for a formula gets a leading apostrophe; numbers never do.
 */
export function csvEncoder({ columns }: ReportHeading): Encoder {
  const shown = columns.flatMap((column, index) =>
    column.jsonOnly ? [] : [{ index, text: column.type === 'text' }],
  );
  return {
    begin: () => `row_type,${shown.map(({ index }) => (columns[index] as Column).name).join(',')}\r\n`,
    rows: (batch) => {
      let out = '';
      for (const row of batch) out += csvLine(row, shown);
      return out;
    },
    end: () => '',
  };
}

function csvLine({ rowType, cells }: Row, shown: readonly { index: number; text: boolean }[]): string {
  let line: string = rowType;
  for (const { index, text } of shown) {
    const cell = cells[index] as Cell;
    line += cell === null ? ',' : text ? `,${csvText(cell as string)}` : `,${cell}`;
  }
  return `${line}\r\n`;
}

export function csvText(text: string): string {
  if (!NEEDS_CARE.test(text)) return text;
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^ | $/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
