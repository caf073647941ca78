import type { RowInQuestion } from './generator.js';

/** Bytes of an NDJSON file; may answer fewer than asked for at the end only. */
export type ReadBytes = (start: number, end: number) => Promise<Buffer>;

export type DeliveredRow = Pick<RowInQuestion, 'rowType' | 'cells'>;

const WINDOW = 64 * 1024;
const LINE_END = 0x0a;
const NUMBERED = /^\{"row":(\d+),/;

interface Line {
  readonly start: number;
  readonly number: number;
}

/**
 * The row of a number in a delivered NDJSON file of `size` bytes, by halves, since every line says its number: a few reads, however long the
 * report is. undefined when the report has no such row.
 */
export async function findRow(
  read: ReadBytes,
  size: number,
  number: number,
): Promise<DeliveredRow | undefined> {
  let [low, high] = [0, size];
  while (high - low > WINDOW) {
    const middle = Math.floor((low + high) / 2);
    const line = await lineAfter(read, middle, high);
    if (line && line.number <= number) low = line.start;
    else high = line && line.start < high ? Math.max(line.start, middle + 1) : middle + 1;
  }
  return scan(read, low, size, number);
}

/** The first line that begins after `at` and before `end`. */
async function lineAfter(read: ReadBytes, at: number, end: number): Promise<Line | undefined> {
  for (let from = at; from < end; from += WINDOW) {
    const bytes = await read(from, from + WINDOW);
    const start = from + bytes.indexOf(LINE_END) + 1;
    if (start > from) return start < end ? { start, number: await numberAt(read, start) } : undefined;
    if (bytes.length < WINDOW) return undefined;
  }
  return undefined;
}

async function numberAt(read: ReadBytes, start: number): Promise<number> {
  const found = NUMBERED.exec((await read(start, start + 32)).toString('latin1'));
  if (!found) throw new Error(`no row begins at byte ${start}`);
  return Number(found[1]);
}

/** From the beginning of a line on. */
async function scan(
  read: ReadBytes,
  from: number,
  size: number,
  number: number,
): Promise<DeliveredRow | undefined> {
  let rest = Buffer.alloc(0);
  for (let at = from; at < size; at += WINDOW) {
    rest = Buffer.concat([rest, await read(at, Math.min(at + WINDOW, size))]);
    for (let end = rest.indexOf(LINE_END); end >= 0; end = rest.indexOf(LINE_END)) {
      const {
        row,
        row_type: rowType,
        ...cells
      } = JSON.parse(rest.toString('utf8', 0, end)) as Record<string, string | number | null>;
      if (row === number) return { rowType: rowType as DeliveredRow['rowType'], cells };
      if (Number(row) > number) return undefined;
      rest = rest.subarray(end + 1);
    }
  }
  return undefined;
}
