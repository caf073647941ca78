export interface TableColumn {
  readonly name: string;
  /** Numbers stand at the right. */
  readonly right: boolean;
}

export interface TableRow {
  /** As many as columns. */
  readonly cells: readonly string[];
  /** A total: set off from what it adds up. */
  readonly total: boolean;
}

const GAP = '  ';
const WIDEST_CELL = 26;

/**
 * A table in plain text, no wider than `width` characters: columns that do not fit are left out from the right (the first always
 * stays), long cells are cut. Lines end without blanks.
 */
export function tableText(columns: readonly TableColumn[], rows: readonly TableRow[], width: number): string {
  const widths = columns.map(({ name }, index) =>
    Math.max(lengthOf(name), ...rows.map(({ cells }) => Math.min(lengthOf(cells[index] ?? ''), WIDEST_CELL))),
  );
  const fitting = columns.slice(0, fitCount(widths, width));
  const line = (cells: readonly string[]): string =>
    fitting
      .map(({ right }, index) => pad(cut(cells[index] ?? '', widths[index] ?? 0), widths[index] ?? 0, right))
      .join(GAP)
      .trimEnd();
  const rule = fitting.map((_, index) => '-'.repeat(widths[index] ?? 0)).join(GAP);
  const body = rows.flatMap((row, index) =>
    row.total && index > 0 && !rows[index - 1]?.total ? [rule, line(row.cells)] : [line(row.cells)],
  );
  return [line(columns.map(({ name }) => name)), rule, ...body].join('\n');
}

function fitCount(widths: readonly number[], width: number): number {
  let used = 0;
  const first = widths.findIndex((wide, index) => (used += wide + (index === 0 ? 0 : GAP.length)) > width);
  return first === -1 ? widths.length : Math.max(first, 1);
}

function cut(text: string, most: number): string {
  return lengthOf(text) <= most
    ? text
    : `${charactersOf(text)
        .slice(0, most - 1)
        .join('')}…`;
}

function pad(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - lengthOf(text)));
  return right ? blanks + text : text + blanks;
}

function lengthOf(text: string): number {
  return charactersOf(text).length;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** As people count them, not UTF-16 units. */
function charactersOf(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}
