import { CsvError, parse, type Parser } from 'csv-parse';
import { FarmCalendar } from '../calendar.js';
import type { ImportItem } from '../import-items.js';
import type { FieldProblem } from '../resources/index.js';
import { type Cells, COLUMNS, type ColumnName, isColumn } from './columns.js';
import { RowIds } from './row-id.js';
import { type Defaults, type RowRecord, toRecord } from './row-to-record.js';

export class MalformedCsv extends Error {}

/** A longer row is most likely a quote that is never closed. */
const ROW_LIMIT = 1024 * 1024;
const HEADER_LIMIT = 64 * 1024;
const DELIMITERS = [',', ';', '\t'];
const NEWLINE = /\r\n|\n|\r/;
const LINE_ENDS = new RegExp(NEWLINE, 'g');

/**
 * The records of a spreadsheet saved as CSV (docs/import-csv.md), in batches as the bytes arrive. Commas, semicolons and tabs
 * separate cells, whichever the header has. Times of day are those of the farm's zone, amounts in its currency unless a row says another. Throws MalformedCsv for a header that cannot be understood. Reading ends where
 * the form of CSV does; bytes left over are left unread.
 */
export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  { currency, timeZone }: { readonly currency: string; readonly timeZone: string },
): AsyncGenerator<readonly ImportItem[]> {
  const source = bytes[Symbol.asyncIterator]();
  const begun = await beginning(source);
  const rows = new Rows(begun.toString(), { currency, calendar: new FarmCalendar(timeZone) });
  const items: ImportItem[] = [];
  const parser = parserOf(rows, (row, emptyLines) => items.push(...rows.take(row, emptyLines)));
  for (let piece: Buffer | undefined = begun; piece; piece = await nextOf(source)) {
    const error = await written(parser, piece);
    yield items.splice(0);
    if (!error) continue;
    yield [unreadable(error)];
    return;
  }
  const error = await written(parser, undefined);
  yield items.splice(0);
  if (error) yield [unreadable(error)];
}

/** Hands over each row at once, so that those before an error are not lost with it. */
function parserOf(rows: Rows, take: (row: string[], emptyLines: number) => void): Parser {
  const parser = parse({
    bom: true,
    delimiter: rows.delimiter,
    from_line: rows.declaresSeparator ? 2 : 1,
    max_record_size: ROW_LIMIT,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    on_record: (row: string[], { empty_lines }) => {
      take(row, empty_lines);
    },
  });
  return parser.on('error', () => undefined).resume();
}

/** Undefined ends the file. Answers what was wrong with its form; throws what was wrong with its header. */
async function written(parser: Parser, piece: Buffer | undefined): Promise<CsvError | undefined> {
  const error = await new Promise<Error | null | undefined>((resolve) => {
    if (piece) parser.write(piece, resolve);
    else parser.end(resolve);
  });
  if (!error || error instanceof CsvError) return error ?? undefined;
  throw error;
}

/** The file up to the end of its header at least. */
async function beginning(source: AsyncIterator<Buffer>): Promise<Buffer> {
  let begun: Buffer = Buffer.alloc(0);
  while (begun.length < HEADER_LIMIT && begun.toString().split(NEWLINE).length < 3) {
    const piece = await nextOf(source);
    if (!piece) break;
    begun = Buffer.concat([begun, piece]);
  }
  return begun;
}

async function nextOf(source: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  const next = await source.next();
  return next.done === true ? undefined : next.value;
}

class Rows {
  readonly delimiter: string;
  /** Spreadsheet programs may begin a file with `sep=;`. */
  readonly declaresSeparator: boolean;
  private header: ColumnName[] | undefined;
  /** Of rows, not counting empty ones. */
  private linesTaken: number;
  private readonly ids = new RowIds();

  constructor(
    head: string,
    private readonly defaults: Defaults,
  ) {
    const [first = '', second = ''] = head.replace(/^\ufeff/, '').split(NEWLINE, 2);
    const declared = /^"?sep=(.)"?$/i.exec(first)?.[1];
    this.declaresSeparator = declared !== undefined;
    this.linesTaken = this.declaresSeparator ? 1 : 0;
    const line = declared === undefined ? first : second;
    this.delimiter = declared ?? DELIMITERS.find((delimiter) => line.includes(delimiter)) ?? ',';
  }

  /** `emptyLines` were passed over so far. The parser's own count of lines errs where cells hold line ends. */
  take(row: readonly string[], emptyLines: number): ImportItem[] {
    const line = this.linesTaken + emptyLines + 1;
    this.linesTaken += row.reduce((lines, cell) => lines + (cell.match(LINE_ENDS)?.length ?? 0), 1);
    if (!this.header) {
      this.header = readHeader(row);
      return [];
    }
    if (row.every((cell) => cell === '')) return [];
    const place = { line };
    if (row.slice(this.header.length).some((cell) => cell !== ''))
      return [{ place, problems: [{ pointer: '', detail: 'The row has more cells than the header.' }] }];
    const cells: Cells = new Map(
      this.header.flatMap((name, index) => (row[index] ? [[name, row[index]] as const] : [])),
    );
    const read = toRecord(cells, this.ids.idOf(cells), this.defaults);
    if ('problems' in read) return [{ place, problems: read.problems }];
    return [
      { place, text: JSON.stringify(read.record), inItsWords: (problems) => inColumns(problems, read) },
    ];
  }
}

/** Names may be written with capitals and spaces. */
function readHeader(row: readonly string[]): ColumnName[] {
  const names = row.map((cell) => cell.toLowerCase().replace(/[\s-]+/g, '_'));
  while (names.at(-1) === '') names.pop();
  const unknown = names.filter((name) => !isColumn(name)).map((name) => name || '(blank)');
  if (unknown.length > 0)
    throw new MalformedCsv(
      `The header has columns that are not known: ${unknown.slice(0, 10).join(', ').slice(0, 500)}. Known are ${Object.keys(COLUMNS).join(', ')}.`,
    );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new MalformedCsv(`The header has the column ${twice} twice.`);
  if (!names.includes('record'))
    throw new MalformedCsv('The header lacks the column record, which says what each row is about.');
  return names as ColumnName[];
}

/** Problems of the record that a row became, told of the row's own columns; one of each is enough. */
function inColumns(problems: readonly FieldProblem[], { origins }: RowRecord): FieldProblem[] {
  const told = problems.map(({ pointer, detail }) => {
    const column =
      origins.get(pointer) ?? [...origins].find(([origin]) => origin.startsWith(`${pointer}/`))?.[1];
    if (column === undefined) return { pointer: '', detail };
    const field = pointer.slice(pointer.lastIndexOf('/') + 1);
    const own = detail.startsWith(`${field} `) ? column + detail.slice(field.length) : `${column}: ${detail}`;
    return { pointer: `/${column}`, detail: own };
  });
  return [...Map.groupBy(told, ({ pointer }) => pointer).values()].flatMap(([first]) => first ?? []);
}

function unreadable(error: CsvError): ImportItem {
  const { lines: line = 0 } = error as CsvError & { lines?: number };
  const why =
    error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'a quote is opened and not closed, or the row is too long'
      : 'it is not CSV';
  const detail = `The file cannot be read from here on: ${why}. Nothing after it was imported.`;
  return { place: { line }, problems: [{ pointer: '', detail }] };
}
