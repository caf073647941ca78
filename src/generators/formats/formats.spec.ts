import { expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { Cell, Column, Row } from '../generator.js';
import { csvText } from './csv.js';
import { encoded, ENCODERS, type ReportHeading } from './index.js';
import { readSheets } from '../../../test/support/workbook.js';
import { xlsxEncoder } from './xlsx.js';

const columns: Column[] = [
  { name: 'date', type: 'date', unit: 'day', description: 'When' },
  { name: 'mob', type: 'text', unit: 'none', description: 'Who' },
  { name: 'mob_id', type: 'text', unit: 'none', description: 'Whose id', jsonOnly: true },
  { name: 'time', type: 'time', unit: 'time of day', description: 'What time' },
  { name: 'head', type: 'integer', unit: 'head', description: 'How many' },
  { name: 'net', type: 'decimal', unit: 'currency', description: 'How much' },
];

const heading: ReportHeading = {
  type: 'wool-clip.v1',
  farm: 'farm-1',
  title: 'Wool clip',
  period: { start: '2024-07-01', end: '2025-06-30', timeZone: 'Australia/Sydney' },
  columns,
};

const rows: Row[] = [
  { rowType: 'detail', cells: ['2024-08-01', '=HYPERLINK("evil")', 'm1', '06:30:00', -3, '-27022.79'] },
  { rowType: 'detail', cells: ['2024-08-02', 'Ewes, "old"', 'm2', null, 0, null] },
  { rowType: 'total', cells: [null, null, null, null, -3, '-27022.79'] },
];

function written(
  format: string,
  batches: readonly (readonly Row[])[] = [rows],
  warnings: string[] = [],
): Buffer {
  return encoded((ENCODERS[format] as (typeof ENCODERS)[string])(heading), batches, warnings);
}

it('writes CSV with a header, CRLF, totals marked, and texts that are no formulas', () => {
  expect(written('csv').toString()).toBe(
    'row_type,date,mob,time,head,net\r\n' +
      `detail,2024-08-01,"'=HYPERLINK(""evil"")",06:30:00,-3,-27022.79\r\n` +
      'detail,2024-08-02,"Ewes, ""old""",,0,\r\n' +
      'total,,,,-3,-27022.79\r\n',
  );
});

it.each([
  ['plain', 'plain'],
  ['-5', "'-5"],
  ['+61 2 9999', "'+61 2 9999"],
  ['@sum', "'@sum"],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ['a=b', 'a=b'],
  [' padded ', '" padded "'],
  ['two\nlines', '"two\nlines"'],
  ['', ''],
])('writes the text %j as %j', (text, cell) => {
  expect(csvText(text)).toBe(cell);
});

it('writes JSON with details as rows, the rest as totals, ids beside names and exact decimals', () => {
  expect(JSON.parse(written('json', [rows], ['look here']).toString())).toEqual({
    report: { type: 'wool-clip.v1', farm: 'farm-1', period: heading.period },
    columns: [
      { name: 'row', type: 'integer', unit: 'none' },
      { name: 'row_type', type: 'text', unit: 'none' },
      ...columns.map(({ name, type, unit }) => ({ name, type, unit })),
    ],
    rows: [
      {
        row: 1,
        row_type: 'detail',
        date: '2024-08-01',
        mob: '=HYPERLINK("evil")',
        mob_id: 'm1',
        time: '06:30:00',
        head: -3,
        net: '-27022.79',
      },
      {
        row: 2,
        row_type: 'detail',
        date: '2024-08-02',
        mob: 'Ewes, "old"',
        mob_id: 'm2',
        time: null,
        head: 0,
        net: null,
      },
    ],
    totals: [
      {
        row: 3,
        row_type: 'total',
        date: null,
        mob: null,
        mob_id: null,
        time: null,
        head: -3,
        net: '-27022.79',
      },
    ],
    warnings: ['look here'],
  });
});

it.each([
  ['csv', 'row_type,date,mob,time,head,net\r\n'],
  ['ndjson', ''],
])('writes an empty report as %s with a header at most', (format, content) => {
  expect(written(format, []).toString()).toBe(content);
});

it('writes an empty report as JSON with empty lists', () => {
  expect(JSON.parse(written('json', []).toString())).toMatchObject({ rows: [], totals: [], warnings: [] });
});

it.each(Object.keys(ENCODERS))('writes the same bytes as %s however the rows are batched', (format) => {
  const many = Array.from({ length: 3000 }, (_, head): Row => ({
    rowType: 'detail',
    cells: ['2024-08-01', `mob ${head % 7}`, 'm', null, head, '0.10'],
  }));
  const single = many.map((row) => [row]);
  expect(written(format, single).equals(written(format, [many]))).toBe(true);
  expect(written(format, [many]).equals(written(format, [many.slice(0, 1234), [], many.slice(1234)]))).toBe(
    true,
  );
});

it('writes a workbook with real numbers, dates and times, and notes with period, units and warnings', () => {
  const [data, notes] = readSheets(written('xlsx', [rows], ['look <here>']));
  expect(data).toEqual([
    ['row_type', 'date', 'mob', 'time', 'head', 'net'],
    ['detail', { date: '2024-08-01' }, '=HYPERLINK("evil")', { time: '06:30:00' }, -3, -27022.79],
    ['detail', { date: '2024-08-02' }, 'Ewes, "old"', null, 0, null],
    ['total', null, null, null, -3, -27022.79],
  ]);
  expect(notes).toEqual(
    expect.arrayContaining([
      ['From', '2024-07-01'],
      ['net', 'currency', 'How much'],
      ['', 'look <here>'],
    ]),
  );
});

it('goes on to a further sheet where one is full', () => {
  const [first, second, notes] = readSheets(encoded(xlsxEncoder(heading, 3), [rows]));
  expect(first).toHaveLength(3);
  expect(second).toEqual([first?.[0], ['total', null, null, null, -3, -27022.79]]);
  expect(notes?.[0]).toEqual(['Report', 'Wool clip']);
});

const text = fc.string({ unit: 'grapheme' }).map((any) => any.replaceAll('\u0000', ''));
const cells: fc.Arbitrary<Cell[]> = fc.tuple(
  fc.option(
    fc
      .date({ min: new Date('1900-03-01'), max: new Date('2199-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
  ),
  fc.option(text.filter((any) => any !== '')),
  fc.option(text),
  fc.option(
    fc.integer({ min: 0, max: 86_399 }).map((second) => new Date(second * 1000).toISOString().slice(11, 19)),
  ),
  fc.option(fc.integer()),
  fc.option(fc.integer({ min: -1e12, max: 1e12 }).map((cents) => (cents / 100).toFixed(2))),
);

it('says the same in every cell of every format', () => {
  fc.assert(
    fc.property(fc.array(cells), (table) => {
      const batch = table.map((row): Row => ({ rowType: 'detail', cells: row }));
      const shown = columns.filter((column) => !column.jsonOnly).map(({ name }) => name);
      const json = JSON.parse(written('json', [batch]).toString()) as { rows: Record<string, Cell>[] };
      const ndjson = written('ndjson', [batch])
        .toString()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, Cell>);
      const csv = parse(written('csv', [batch]), { relax_column_count: false }) as string[][];
      const [sheet] = readSheets(written('xlsx', [batch]));
      expect(json.rows).toEqual(ndjson);
      expect(csv.slice(1).map((row) => row.slice(1))).toEqual(
        json.rows.map((row) => shown.map((name) => asCsv(name, row[name] as Cell))),
      );
      expect(sheet?.slice(1).map((row) => row.slice(1))).toEqual(
        json.rows.map((row) => shown.map((name) => asCell(name, row[name] as Cell))),
      );
    }),
    { numRuns: 50 },
  );
});

function asCsv(name: string, cell: Cell): string {
  const plain = cell === null ? '' : String(cell);
  return name === 'mob' && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
}

function asCell(name: string, cell: Cell): unknown {
  if (cell === null) return null;
  if (name === 'date' || name === 'time') return { [name]: cell };
  return name === 'net' ? Number(cell) : cell;
}
