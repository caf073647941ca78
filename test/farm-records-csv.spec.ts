import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { columnOf, type ColumnName, COLUMNS } from '../src/farm-records/csv/columns.js';
import { columnsOfKind, ENVELOPE, type Kind, KINDS } from '../src/farm-records/csv/kinds.js';
import { readCsv } from '../src/farm-records/csv/index.js';
import type { ImportItem } from '../src/farm-records/index.js';
import { type Ledger, openLedger } from './farm-records-ledger.js';
import { AnimalLoadByPaddock } from '../src/generators/animal-load-by-paddock/animal-load-by-paddock.generator.js';
import { sampleRecords } from './farm-records-csv-sample.js';
import { columnsOf, currentReportTypes, reportOf } from './report-type-rows.js';

const REPORT_TYPES = await currentReportTypes();

const sample = await readFile(new URL('../docs/samples/records.csv', import.meta.url), 'utf8');

let ledger: Ledger;
beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger.close());

const newFarm = () => ledger.newFarm({ currency: 'AUD' });
const items = async (text: string | Buffer): Promise<ImportItem[]> =>
  (
    await Array.fromAsync(
      readCsv(Readable.from([Buffer.from(text)]), { currency: 'AUD', timeZone: 'Australia/Sydney' }),
    )
  ).flat();
const records = async (text: string): Promise<Record<string, unknown>[]> =>
  (await items(text)).flatMap((item) =>
    'text' in item ? [JSON.parse(item.text) as Record<string, unknown>] : [],
  );
const imported = async (text: string | Buffer, farm?: string) =>
  ledger.importCsv(farm ?? (await newFarm()), text);

describe('the sample file', () => {
  it('is accepted as a whole, and changes nothing when it is imported again', async () => {
    const farm = await newFarm();
    expect(await imported(sample, farm)).toMatchObject({ accepted: 25, rejected: 0, errors: [] });
    expect(await imported(sample, farm)).toMatchObject({ accepted: 0, unchanged: 25 });
    expect(await ledger.disagreements(farm)).toEqual([]);
  });

  it('gives the same reports as the same records in JSON and NDJSON', async () => {
    const [csv, json, ndjson] = [await newFarm(), await newFarm(), await newFarm()];
    await imported(sample, csv);
    expect(await ledger.import(json, sampleRecords)).toMatchObject({ accepted: 25, errors: [] });
    await ledger.importLines(ndjson, sampleRecords.map((record) => JSON.stringify(record)).join('\n'));
    expect(await ledger.lines(json)).toEqual(await ledger.lines(csv));
    for (const type of REPORT_TYPES) {
      const report = await reportOf(ledger, csv, type, '2024-07-01', '2025-06-30');
      expect(await reportOf(ledger, json, type, '2024-07-01', '2025-06-30')).toEqual(report);
      expect(await reportOf(ledger, ndjson, type, '2024-07-01', '2025-06-30')).toEqual(report);
    }
  });

  it.each([
    ['semicolons', (text: string) => text.replace('"Smith, J. & Co"', 'Smith J').replaceAll(',', ';')],
    ['tabs', (text: string) => text.replace('"Smith, J. & Co"', 'Smith J').replaceAll(',', '\t')],
    [
      'a byte order mark and the line ends of Windows',
      (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`,
    ],
    ['a line that says the separator', (text: string) => `sep=,\r\n${text.replaceAll('\n', '\r\n')}`],
    ['capitals and spaces in its header', (text: string) => text.replace('age_class', 'Age Class')],
    ['blank rows and a blank column', (text: string) => text.replaceAll('\n', ',\n,,,\n\n')],
    ['no line end at its end', (text: string) => text.trimEnd()],
  ])('is accepted with %s', async (_, change) => {
    expect(await imported(change(sample))).toMatchObject({ accepted: 25, errors: [] });
  });

  it('has a row of every kind', async () => {
    const kinds = sample.split('\n').map((line) => line.split(',')[0]);
    expect(kinds).toEqual(expect.arrayContaining(Object.keys(KINDS)));
  });

  it('can come in pieces of any size', async () => {
    const bytes = Buffer.from(sample);
    const pieces = Array.from({ length: bytes.length }, (_, index) => bytes.subarray(index, index + 1));
    const read = await Array.fromAsync(
      readCsv(Readable.from(pieces), { currency: 'AUD', timeZone: 'Australia/Sydney' }),
    );
    expect(read.flat().map(({ place }) => place)).toEqual((await items(sample)).map(({ place }) => place));
  });
});

describe('a row without an id', () => {
  const row = 'death,2024-11-03,3,m1';
  const file = (...rows: string[]) => ['record,date,head,mob', ...rows].join('\n');

  it('is known by its content, wherever it stands', async () => {
    const farm = await newFarm();
    expect(await imported(file(row, 'death,2024-11-04,1,m1'), farm)).toMatchObject({ accepted: 2 });
    expect(await imported(file('death,2024-11-04,1,m1', row), farm)).toMatchObject({ unchanged: 2 });
    expect(await imported(`mob,head,date,record\nm1,3,2024-11-03,death`, farm)).toMatchObject({
      unchanged: 1,
    });
  });

  it('that is there three times is three records', async () => {
    const farm = await newFarm();
    expect(await imported(file(row, row, row), farm)).toMatchObject({ accepted: 3 });
    expect(await imported(file(row, row, row), farm)).toMatchObject({ unchanged: 3 });
    expect(await imported(file(row, row, row, row), farm)).toMatchObject({ accepted: 1, unchanged: 3 });
  });

  it('has one that no other of thousands has', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => `death,2024-11-03,${index % 2500},m1`);
    const ids = (await records(file(...rows))).map(({ meta }) => (meta as { sourceId: string }).sourceId);
    expect(new Set(ids).size).toBe(5000);
  });
});

describe('the time of day of a row', () => {
  const at = async (row: string) =>
    (await records(`record,date,time,mob,to_paddock\n${row}`)).map(
      ({ date, eventDateTime }) => date ?? eventDateTime,
    );

  it.each([
    ['move,2024-09-14,,m1,p1', '2024-09-14'],
    ['move,2024-09-14,14:30,m1,p1', '2024-09-14T04:30:00.000Z'],
    ['move,2024-12-14,9:30,m1,p1', '2024-12-13T22:30:00.000Z'],
    ['move,2024-09-14T23:59:59,,m1,p1', '2024-09-14T13:59:59.000Z'],
    ['move,2024-09-14 00:00,,m1,p1', '2024-09-13T14:00:00.000Z'],
  ])('%s is at %s', async (row, instant) => expect(await at(row)).toEqual([instant]));

  it('that the clocks show twice is the first of the two', async () => {
    expect(await at('move,2024-04-07,02:30,m1,p1')).toEqual(['2024-04-06T15:30:00.000Z']);
  });

  it('puts a row among others of its day', async () => {
    const farm = await newFarm();
    const file = [
      'record,date,time,species,head,mob,to_mob,paddock,to_paddock',
      'opening,2024-07-01,,Sheep,10,m1,,p1,',
      'move,2024-07-02,12:00,,,m1,,,p2',
      'transfer,2024-07-02,18:00,,4,m1,m2,,',
    ];
    expect(await imported(file.join('\n'), farm)).toMatchObject({ accepted: 3, errors: [] });
    const { rows } = await reportOf(ledger, farm, AnimalLoadByPaddock, '2024-07-02', '2024-07-02');
    expect(columnsOf({ rows, warnings: [] }, ['paddock', 'head_days'])).toEqual([
      ['p1', '5.00'],
      ['p2', '5.00'],
    ]);
  });
});

it.each(['', 'sep=,\r\n'])(
  'a quoted cell may hold lines, and what comes after is told by its line all the same (%j)',
  async (first) => {
    const { errors, accepted } = await imported(
      first +
        'record,date,mob,product,note\r\n\r\ntreatment,2024-07-01,m1,Drench,"first\r\nsecond, and ""third"""\r\nmove,2024-07-02,m1,,\r\n',
    );
    expect(accepted).toBe(1);
    expect(errors).toMatchObject([{ line: first === '' ? 5 : 6, pointer: '/to_paddock' }]);
  },
);

describe('a row with an id', () => {
  const file = (head: number, deleted = '') =>
    `record,id,deleted,date,species,head\nopening,O1,${deleted},2024-07-01,Sheep,${head}`;
  const head = (farm: string) =>
    ledger.read(farm, async (farmRecords) => (await farmRecords.balances('2025-07-01', []))[0]?.head);

  it('is corrected and removed under it', async () => {
    const farm = await newFarm();
    await imported(file(10), farm);
    expect(await imported(file(12), farm)).toMatchObject({ replaced: 1 });
    expect(await head(farm)).toBe(12);
    expect(await imported(file(12, 'yes'), farm)).toMatchObject({ replaced: 1 });
    expect(await head(farm)).toBeUndefined();
  });
});

describe('a bad cell is named with its line and its column:', () => {
  const errors = async (header: string, row: string) => {
    const { errors: told, accepted } = await imported(
      `${header}\n${row}\nopening${','.repeat(header.split(',').length - 1)}`,
    );
    expect(accepted).toBe(0);
    return told
      .filter((error) => 'line' in error && error.line === 2)
      .map(({ pointer, detail }) => `${pointer} ${detail}`);
  };

  it.each([
    [
      'a kind nobody knows',
      'record,date',
      'sales,2024-07-01',
      '/record record must be one of paddock, opening,',
    ],
    [
      'a day of another country',
      'record,date,head',
      'death,14/9/2024,3',
      '/date date must be a day written year-month-day, such as 2024-09-14; it is "14/9/2024".',
    ],
    [
      'a day that is none',
      'record,date,head',
      'death,2024-02-30,3',
      '/date date is not a day of the calendar.',
    ],
    [
      'a day beyond range',
      'record,date,head',
      'death,1824-02-20,3',
      '/date date must lie from 1900-01-01 to 2199-12-31.',
    ],
    [
      'a decimal comma',
      'record,date,head,price',
      'sale,2024-07-01,3,"12,50"',
      '/price price must be written with a decimal point: 12.50, not 12,50',
    ],
    [
      'a sign of currency',
      'record,date,head,price',
      'sale,2024-07-01,3,$12',
      '/price price must be a number such as 12.50',
    ],
    [
      'less than no head',
      'record,date,head',
      'death,2024-07-01,-3',
      '/head head must be a whole number of head',
    ],
    ['half a head', 'record,date,head', 'death,2024-07-01,2.5', '/head head must be a whole number of head'],
    [
      'too many head',
      'record,date,head',
      'death,2024-07-01,99999999999',
      '/head head must be a whole number of head from 0',
    ],
    [
      'a negative price',
      'record,date,head,price',
      'sale,2024-07-01,3,-5',
      '/price price must not be less than 0.',
    ],
    [
      'an unknown unit',
      'record,date,mob,feed,quantity,unit',
      'feeding,2024-07-01,m1,hay,3,stone',
      '/unit unit must be kg, t, g, mg, lb, oz, bale or bag',
    ],
    [
      'an unknown currency',
      'record,date,head,price,currency',
      'sale,2024-07-01,3,5,XYZ',
      '/currency currency must be a currency code',
    ],
    [
      'a word that is none of those',
      'record,date,head,price,price_basis',
      'sale,2024-07-01,3,5,each',
      '/price_basis price_basis must be one of per_head, per_kg, total.',
    ],
    [
      'a column of another kind',
      'record,date,head,feed',
      'death,2024-07-01,3,hay',
      '/feed feed is not a column of a death: leave it blank.',
    ],
    [
      'head beside a tag',
      'record,date,head,tag',
      'sale,2024-07-01,3,A1',
      '/head head is not a column of a sale of one animal: leave it blank.',
    ],
    [
      'a tag where none can be',
      'record,date,species,head,tag',
      'opening,2024-07-01,Sheep,3,A1',
      '/tag tag cannot be used by opening rows.',
    ],
    [
      'a basis without a price',
      'record,date,head,price_basis',
      'sale,2024-07-01,3,total',
      '/price_basis price_basis says something of price, which is blank.',
    ],
    [
      'nobody',
      'record,date,species',
      'purchase,2024-07-01,Sheep',
      '/head head or tag is missing: a purchase needs it.',
    ],
    [
      'a time of another clock',
      'record,date,time,head',
      'death,2024-07-01,9:30 am,3',
      '/time time has a time of day that is not written hours:minutes, such as 14:30: "9:30 am".',
    ],
    [
      'an hour that no day has',
      'record,date,head',
      'death,2024-07-01T24:30,3',
      '/date date has a time of day that is not written hours:minutes',
    ],
    [
      'a time that the clocks passed over',
      'record,date,time,head',
      'death,2024-10-06,02:30,3',
      '/time time is a time that no clock showed on 2024-10-06 in Australia/Sydney.',
    ],
    [
      'two times',
      'record,date,time,head',
      'death,2024-07-01 09:30,10:00,3',
      '/date date has a time already: leave time blank.',
    ],
    [
      'a time on a day that is none',
      'record,date,time,head',
      'death,2024-02-30,10:00,3',
      '/date date is not a day of the calendar.',
    ],
    [
      'a time of an opening',
      'record,date,species,head',
      'opening,2024-07-01T10:00,Sheep,3',
      '/date date must be a day without a time.',
    ],
    [
      'a transfer of nobody knows how many',
      'record,date,mob,to_mob',
      'transfer,2024-07-01,m1,m2',
      '/head head or tag is missing: a transfer needs it.',
    ],
    [
      'a reclassification into nothing',
      'record,date,mob,head',
      'reclassification,2024-07-01,m1,3',
      '/to_age_class to_age_class or to_enterprise is missing: a reclassification needs it.',
    ],
    [
      'neither yes nor no',
      'record,date,species,head,book',
      'count,2024-07-01,Sheep,3,true',
      '/book book must be yes or no.',
    ],
    ['no day', 'record,head', 'death,3', '/date date is missing: a death needs it.'],
    [
      'bytes that are no UTF-8',
      'record,date,head,mob',
      'death,2024-07-01,3,\ufffd',
      '/mob mob is not UTF-8: save the file as "CSV UTF-8".',
    ],
    [
      'cells beyond the header',
      'record,date',
      'death,2024-07-01,3',
      ' The row has more cells than the header.',
    ],
  ])('%s', async (_, header, row, told) => {
    const [first, ...others] = await errors(header, row);
    expect(first?.slice(0, told.length)).toBe(told);
    expect(others).toEqual([]);
  });

  it('and all of them at once', async () => {
    const told = await errors('record,date,head,price', 'sale,1/7/2024,x,"1,5"');
    expect(told.map((error) => error.split(' ')[0])).toEqual(['/date', '/head', '/price']);
  });
});

describe('a header', () => {
  it.each([
    ['with a column nobody knows', 'record,date,hed', 'The header has columns that are not known: hed.'],
    ['with a column twice', 'record,date,Date', 'The header has the column date twice.'],
    ['without the column record', 'date,head', 'The header lacks the column record'],
    ['of binary data', 'PK\u0003\u0004\u0014\u0000', 'The header has columns that are not known'],
  ])('%s refuses the whole file', async (_, header, told) => {
    await expect(items(`${header}\ndeath,2024-07-01,3`)).rejects.toThrow(told);
  });

  it('alone, and a file of nothing, import nothing', async () => {
    expect(await imported('record,date\n')).toMatchObject({ accepted: 0, rejected: 0 });
    expect(await imported('')).toMatchObject({ accepted: 0, rejected: 0 });
  });
});

describe('a file that breaks off its form', () => {
  const good = 'record,date,head,mob\ndeath,2024-07-01,3,m1\n';

  it('in a quote that is never closed says where, and keeps what came before', async () => {
    const { accepted, errors } = await imported(
      `${good}death,2024-07-02,"3,m1\n${'death,2024-07-03,1,m1\n'.repeat(60_000)}`,
    );
    expect(accepted).toBe(1);
    expect(errors).toEqual([
      {
        line: expect.any(Number),
        pointer: '',
        detail: expect.stringContaining('a quote is opened and not closed'),
      },
    ]);
  });

  it('at its end in such a quote says so', async () => {
    const { accepted, errors } = await imported(`${good}death,2024-07-02,"3,m1\n`);
    expect({ accepted, rejected: errors.length }).toEqual({ accepted: 1, rejected: 1 });
  });

  it('with a quote inside a cell says so', async () => {
    const { accepted, errors } = await imported(`${good}death,2024-07-02,3,"m"1"\n`);
    expect({ accepted, rejected: errors.length }).toEqual({ accepted: 1, rejected: 1 });
  });
});

describe('docs/import-csv.md', () => {
  const requirement = ({ required, oneOf }: Kind, name: ColumnName) => {
    const choice = oneOf.find((names) => names.includes(name));
    if (required.includes(name)) return 'yes';
    return choice ? `one of ${choice.map((other) => `\`${other}\``).join(', ')}` : '';
  };
  const rowOf = (name: ColumnName, required: string) => {
    const { unit, meaning, example } = columnOf(name);
    return [`\`${name}\``, required, unit, meaning, example];
  };

  it('has every column of every kind as the import reads them', async () => {
    const text = await readFile(new URL('../docs/import-csv.md', import.meta.url), 'utf8');
    const tables = new Map(
      text
        .split('\n### ')
        .slice(1)
        .map((section) => [
          section.split('\n')[0]?.replaceAll('`', ''),
          section
            .split('\n')
            .filter((line) => line.startsWith('| `'))
            .map((line) =>
              line
                .split('|')
                .slice(1, -1)
                .map((cell) => cell.trim()),
            ),
        ]),
    );
    const names = Object.keys(COLUMNS) as ColumnName[];
    expect(tables.get('Every row')).toEqual(
      ENVELOPE.map((name) => rowOf(name, name === 'record' ? 'yes' : '')),
    );
    for (const [record, kind] of Object.entries(KINDS)) {
      const of = columnsOfKind(kind);
      expect(tables.get(record)).toEqual(
        names.filter((name) => of.has(name)).map((name) => rowOf(name, requirement(kind, name))),
      );
      expect(text).toContain(kind.meaning);
    }
    expect(tables.size).toBe(1 + Object.keys(KINDS).length);
  });
});
