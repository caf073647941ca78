import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Importer } from '../src/farm-records/importer.js';
import type { ImportCounts } from '../src/farm-records/import-tally.js';
import { collect, type Ledger, meta, openLedger } from './farm-records-ledger.js';
import { revaluing } from '../src/farm-records/revalue.js';

const year = { start: '2024-07-01', end: '2025-06-30' };

let ledger: Ledger;
beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger.close());

const opening = (head: number, more: object = {}) => ({
  resourceType: 'OpeningStock',
  ...meta('opening'),
  date: '2024-07-01',
  lines: [
    {
      species: 'sheep',
      ageClass: 'ewe',
      enterpriseId: 'wool',
      mobId: 'm1',
      paddockId: 'p1',
      head,
      value: '13974',
      ...more,
    },
  ],
});
const group = (kind: string, sourceId: string, when: string, count: number, more: object = {}) => ({
  resourceType: `icarGroupMovement${kind}EventResource`,
  ...meta(sourceId),
  eventDateTime: when,
  groupMethod: 'InventoryClassification',
  inventoryClassification: { name: 'sheep', species: 'Sheep', count },
  ext: { mobId: 'm1', ageClass: 'ewe', enterpriseId: 'wool', paddockId: 'p1' },
  ...more,
});

describe('the published sheep account', () => {
  it('closes at 1213 head', async () => {
    await ledger.farm('account');
    const summary = await ledger.import('account', [
      opening(1306),
      group('Birth', 'births', '2024-09-01T00:00:00Z', 425, { registrationReason: 'Born' }),
      group('Arrival', 'rams', '2024-10-01T00:00:00Z', 5, {
        arrivalReason: 'Purchase',
        ext: {
          mobId: 'm1',
          ageClass: 'ewe',
          enterpriseId: 'wool',
          trade: { price: { amount: 1750, currency: 'AUD', basis: 'total' } },
        },
      }),
      group('Departure', 'sales', '2025-02-01T00:00:00Z', 361, {
        departureKind: 'Sale',
        ext: { mobId: 'm1', trade: { price: { amount: '16543', currency: 'AUD', basis: 'total' } } },
      }),
      group('Death', 'rations', '2025-03-01T00:00:00Z', 10, {
        deathreason: 'Consumption',
        deathMethod: 'Slaughter',
      }),
      group('Death', 'deaths', '2025-03-02T00:00:00Z', 152, { deathMethod: 'Perished' }),
    ]);
    expect(summary).toMatchObject({ accepted: 6, rejected: 0 });
    const flows = await ledger.read('account', (records) => records.flows(year, ['species']));
    expect(flows.map(({ category, head, value }) => [category, head, value])).toEqual([
      ['opening', 1306, '13974'],
      ['birth', 425, '0'],
      ['purchase', 5, '1750'],
      ['sale', -361, '16543'],
      ['ration', -10, '0'],
      ['death', -152, '0'],
    ]);
    const closing = await ledger.read('account', (records) =>
      records.balances('2025-07-01', ['species', 'ageClass', 'mob', 'paddock']),
    );
    expect(closing).toMatchObject([
      { species: 'Sheep', ageClass: 'ewe', mob: 'm1', paddock: 'p1', head: 1213 },
    ]);
    expect(await ledger.disagreements('account')).toEqual([]);
  });

  it('is told again record by record', async () => {
    const movements = await ledger.read('account', (records) =>
      collect(records.movements(year, ['sale', 'death', 'ration'])),
    );
    expect(
      movements.map(({ record, lines }) => [
        record.sourceId,
        record.day,
        record.time,
        lines.map((line) => line.delta),
      ]),
    ).toEqual([
      ['sales', '2025-02-01', '11:00:00', [-361]],
      ['rations', '2025-03-01', '11:00:00', [-10]],
      ['deaths', '2025-03-02', '11:00:00', [-152]],
    ]);
  });
});

describe('an import', () => {
  it('counts what is new, said again, corrected, outdated and deleted', async () => {
    await ledger.farm('counts');
    const say = (more: object, head = 10) => ({ ...opening(head), ...meta('opening', more) });
    const counted = async (record: object) => {
      const { accepted, replaced, unchanged } = await ledger.import('counts', [record]);
      return { accepted, replaced, unchanged };
    };
    expect(await counted(say({}))).toEqual({ accepted: 1, replaced: 0, unchanged: 0 });
    expect(await counted(say({}))).toEqual({ accepted: 0, replaced: 0, unchanged: 1 });
    expect(await counted(say({}, 11))).toEqual({ accepted: 0, replaced: 1, unchanged: 0 });
    expect(await counted(say({ modified: '2020-01-01T00:00:00Z' }, 12))).toEqual({
      accepted: 0,
      replaced: 0,
      unchanged: 1,
    });
    const head = () =>
      ledger.read('counts', async (records) =>
        (await records.balances('2025-07-01', [])).map((row) => row.head),
      );
    expect(await head()).toEqual([11]);
    expect(
      await counted({
        resourceType: 'OpeningStock',
        ...meta('opening', { modified: '2025-08-01', isDeleted: true }),
      }),
    ).toMatchObject({ replaced: 1 });
    expect(await head()).toEqual([]);
    expect(await ledger.lines('counts')).toEqual([]);
  });

  it('books nothing again for what no lines hang on: records sent once more, notes, what a treatment says beside', async () => {
    await ledger.farm('again');
    const told = (id: string, day: number, resourceType: string, more: object) => ({
      resourceType,
      id,
      ...meta(id),
      eventDateTime: `2024-07-${day}T02:00:00Z`,
      ...more,
    });
    const animal = { scheme: 'nlis', id: '951' };
    const death = {
      inventoryClassification: { name: 'ewes', species: 'Sheep', count: 2 },
      ext: { mobId: 'm1' },
    };
    const treatment = told('t', 11, 'icarGroupTreatmentEventResource', { ext: { mobId: 'm1', whpDays: 9 } });
    const records = [
      told('o', 10, 'OpeningStock', {
        lines: [{ species: 'Sheep', mobId: 'm1', ageClass: 'ewe', head: 50, value: '5000' }],
      }),
      treatment,
      told('w', 12, 'icarWeightEventResource', { animal, weight: { measurement: 60, units: 'KGM' } }),
      told('d', 13, 'icarGroupMovementDeathEventResource', death),
    ];
    await ledger.import('again', records);
    const turns = async () => {
      const { rows } = await ledger.database.query<{ turns: string }>(
        `SELECT string_agg(record || ':' || turn, ' ' ORDER BY turn, line) AS turns FROM head_line WHERE farm_id = 'again'`,
      );
      return rows[0]?.turns;
    };
    expect(await turns()).toBe('1:1 2:2 4:3');
    const later = meta('', { modified: '2025-08-01T00:00:00Z' });
    const again = records.map((record) => ({ ...record, meta: { ...later.meta, sourceId: record.id } }));
    expect(await ledger.import('again', again)).toMatchObject({ replaced: 4 });
    const noted = [
      { ...treatment, comment: 'all of them', ...meta('t', { modified: '2025-08-02T00:00:00Z' }) },
      told('w2', 10, 'icarWeightEventResource', { animal, weight: { measurement: 61, units: 'KGM' } }),
      told('d2', 14, 'icarGroupMovementDeathEventResource', death),
    ];
    expect(await ledger.import('again', noted)).toMatchObject({ replaced: 1, accepted: 2 });
    expect(await turns()).toBe('1:1 2:2 4:3 11:4');
  });

  it('gives a sale the value of an invoice that comes late, and books nothing again', async () => {
    const sale = (id: string, day: number, more: object, said: object = {}) => ({
      resourceType: 'icarGroupMovementDepartureEventResource',
      id,
      ...meta(id, said),
      eventDateTime: `2024-07-${day}T02:00:00Z`,
      departureKind: 'Sale',
      inventoryClassification: { name: 'sheep', species: 'Sheep', count: 30 },
      ext: { mobId: 'm1', ...more },
    });
    const open = {
      resourceType: 'OpeningStock',
      id: 'o',
      ...meta('o'),
      date: '2024-07-01',
      lines: ['ewe', 'lamb', 'wether'].map((ageClass) => ({
        species: 'Sheep',
        mobId: 'm1',
        ageClass,
        head: 10,
      })),
    };
    const others = [sale('s2', 12, { mobId: 'm2' })];
    const priced = (amount: string, said: object = {}) =>
      sale('s', 10, { trade: { price: { amount, currency: 'AUD', basis: 'total' } } }, said);
    await ledger.farm('late', { currency: 'AUD' });
    await ledger.import('late', [open, sale('s', 10, {}), ...others]);
    const turns = async (): Promise<unknown> => {
      const { rows } = await ledger.database.query(
        `SELECT turn, line FROM head_line WHERE farm_id = 'late' ORDER BY turn, line`,
      );
      return rows;
    };
    const before = await turns();
    const { eventsInTheTime } = revaluing;
    revaluing.eventsInTheTime = 1;
    for (const [nth, amount] of ['100', '1000', '200'].entries())
      await ledger.import('late', [priced(amount, { modified: `2025-08-0${nth + 1}T00:00:00Z` })]);
    revaluing.eventsInTheTime = eventsInTheTime;
    expect(await turns()).toEqual(before);
    await ledger.farm('once', { currency: 'AUD' });
    await ledger.import('once', [open, priced('200'), ...others]);
    expect(await ledger.lines('late')).toEqual(await ledger.lines('once'));
    expect(await ledger.lines('late')).toContain(
      's 2 2024-07-10 11 Sheep Unassigned wether m1   f -10 10 66.6666666666',
    );
    expect(await ledger.disagreements('late')).toEqual([]);
  });

  it('keeps a tombstone that comes before its record', async () => {
    await ledger.farm('tombstone');
    await ledger.import('tombstone', [
      { resourceType: 'OpeningStock', ...meta('opening', { modified: '2025-08-01', isDeleted: true }) },
    ]);
    expect(await ledger.import('tombstone', [opening(10)])).toMatchObject({ unchanged: 1, accepted: 0 });
    expect(await ledger.lines('tombstone')).toEqual([]);
  });

  it('keeps what was said before', async () => {
    await ledger.farm('history');
    await ledger.import('history', [opening(10)]);
    await ledger.import('history', [{ ...opening(11), ...meta('opening', { modified: '2025-08-01' }) }]);
    const { rows } = await ledger.database.query(
      `SELECT body #>> '{lines,0,head}' AS head FROM farm_record_version WHERE farm_id = 'history'`,
    );
    expect(rows).toEqual([{ head: '10' }]);
  });

  it('refuses a bad item, naming every bad field, and takes its neighbours', async () => {
    await ledger.farm('bad');
    const bad = {
      resourceType: 'OpeningStock',
      meta: { source: 'test', sourceId: 'x' },
      date: '2024-02-30',
      lines: [{ species: 'Sheep', head: -1 }],
    };
    const summary = await ledger.import('bad', [opening(10), bad, { ...opening(5), ...meta('second') }]);
    expect(summary).toMatchObject({ accepted: 2, rejected: 1 });
    expect(summary.errors.map((error) => error.pointer)).toEqual([
      '/meta/modified',
      '/lines/0/head',
      '/date',
    ]);
    expect(summary.items?.map((item) => item.status)).toEqual(['accepted', 'rejected', 'accepted']);
  });

  it('refuses a day that does not exist in the zone of the farm', async () => {
    await ledger.farm('apia', { timeZone: 'Pacific/Apia' });
    const summary = await ledger.import('apia', [{ ...opening(10), date: '2011-12-30' }]);
    expect(summary.errors).toEqual([
      {
        index: 0,
        pointer: '/date',
        detail: 'date is 2011-12-30, a day that does not exist in Pacific/Apia.',
      },
    ]);
  });

  it('takes the last word when a file says the same record several times', async () => {
    await ledger.farm('twice');
    const lines = [10, 10, 11, 12, 12].map((head) => JSON.stringify(opening(head))).join('\n');
    expect(await ledger.importLines('twice', lines)).toMatchObject({
      accepted: 1,
      replaced: 2,
      unchanged: 2,
    });
    expect(await ledger.lines('twice')).toHaveLength(1);
    expect(await ledger.disagreements('twice')).toEqual([]);
  });
});

it('an import that is cut keeps the batches it has stored, books them, and has told of them', async () => {
  await ledger.farm('cut');
  const items = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      place: { line: from + index },
      text: JSON.stringify(group('Birth', `b${from + index}`, '2024-09-01T00:00:00Z', 2)),
    }));
  async function* source() {
    yield items(1, 3);
    yield [{ place: { line: 4 }, text: '{' }];
    yield items(5, 6_000);
    throw new Error('the connection is gone');
  }
  const told: ImportCounts[] = [];
  const cut = new Importer(ledger.database).import('cut', source(), false, (news) => void told.push(news));
  await expect(cut).rejects.toThrow('the connection is gone');
  const sum = (of: 'accepted' | 'rejected') => told.reduce((all, news) => all + news[of], 0);
  expect([sum('accepted'), sum('rejected')]).toEqual([5_000, 1]);
  const head = await ledger.read('cut', (records) => records.balances('2025-07-01', []));
  expect(head).toMatchObject([{ head: 10_000 }]);
  expect(await ledger.disagreements('cut')).toEqual([]);
});

describe('hostile lines', () => {
  const good = (id: string) => Buffer.from(`${JSON.stringify({ ...opening(1), ...meta(id) })}\n`);
  const hostile: [string, Buffer][] = [
    ['a line of many megabytes', Buffer.alloc(5_000_000, 'x')],
    ['deep nesting', Buffer.from(`{"resourceType":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
    ['nesting that is never closed', Buffer.from('['.repeat(900_000))],
    ['NaN', Buffer.from('{"head":NaN}')],
    [
      'a number out of range',
      Buffer.from(JSON.stringify({ ...opening(1), x: 0 }).replace('"x":0', '"x":1e999999')),
    ],
    ['a NUL character', Buffer.from(JSON.stringify({ ...opening(1), x: 'a\0b' }))],
    ['half a surrogate pair', Buffer.from(JSON.stringify({ ...opening(1), x: '\ud800' }))],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['no object', Buffer.from('42')],
    ['a cut object', Buffer.from(JSON.stringify(opening(1)).slice(0, 80))],
    ['a prototype', Buffer.from('{"__proto__":{"resourceType":"OpeningStock"}}')],
  ];

  it.each(hostile)('%s is one refused item', async (what, line) => {
    const id = `hostile ${what}`;
    await ledger.farm(id);
    const summary = await ledger.importLines(id, [
      good('a'),
      line.subarray(0, 70_000),
      line.subarray(70_000),
      Buffer.from('\n'),
      good('b'),
    ]);
    expect(summary).toMatchObject({ accepted: 2, rejected: 1 });
    expect(summary.errors.every((error) => 'line' in error && error.line === 2)).toBe(true);
    expect(await ledger.lines(id)).toHaveLength(2);
  });

  it('of all kinds together leave the good ones whole', async () => {
    await ledger.farm('hostile');
    const lines = hostile.flatMap(([what, line]) => [line, Buffer.from('\n'), good(what)]);
    expect(await ledger.importLines('hostile', lines)).toMatchObject({
      accepted: hostile.length,
      rejected: hostile.length,
    });
    expect(await ledger.disagreements('hostile')).toEqual([]);
  });
});

it('keeps every digit of a number', async () => {
  await ledger.farm('digits');
  const line = JSON.stringify(opening(1)).replace('"13974"', '123456789012.123456789012');
  await ledger.importLines('digits', line);
  const flows = await ledger.read('digits', (records) => records.flows(year, []));
  expect(flows[0]?.value).toBe('123456789012.123456789012');
});
