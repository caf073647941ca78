import { describe, expect, it } from '@jest/globals';
import { FarmCalendar } from './calendar.js';
import { type ReadRecord, readRecord } from './read-record.js';
import { kilograms, parseExactly } from './resources/index.js';

const sydney = new FarmCalendar('Australia/Sydney');
const meta = { source: 's', sourceId: 'i', modified: '2025-01-01T00:00:00Z' };
const group = {
  groupMethod: 'InventoryClassification',
  inventoryClassification: { name: 'x', species: 'Sheep', count: 2 },
};
const animal = { animal: { scheme: 'nlis', id: 'A1' } };
const when = { eventDateTime: '2024-08-01T00:00:00Z' };

const read = (resourceType: string, fields: object) => readRecord({ resourceType, meta, ...fields }, sydney);
function good(resourceType: string, fields: object): ReadRecord {
  const result = read(resourceType, fields);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.record;
}
function pointers(resourceType: string, fields: object): string[] {
  const result = read(resourceType, fields);
  return 'problems' in result ? result.problems.map(({ pointer }) => pointer) : [];
}

describe('what head do', () => {
  it.each([
    ['MovementArrival', { arrivalReason: 'Purchase' }, 'enter', 'purchase'],
    ['MovementArrival', { arrivalReason: 'Imported' }, 'enter', 'purchase'],
    ['MovementArrival', { arrivalReason: 'Agistment' }, 'enter', 'transfer_in'],
    ['MovementArrival', {}, 'enter', 'transfer_in'],
    ['MovementArrival', { arrivalReason: 'SaleReturn' }, 'enter', 'sale'],
    ['MovementBirth', { registrationReason: 'Born' }, 'enter', 'birth'],
    ['MovementDeparture', { departureKind: 'Sale' }, 'leave', 'sale'],
    ['MovementDeparture', { departureKind: 'Slaughter' }, 'leave', 'sale'],
    ['MovementDeparture', { departureKind: 'Export' }, 'leave', 'sale'],
    ['MovementDeparture', { departureReason: 'Sale' }, 'leave', 'sale'],
    ['MovementDeparture', { departureKind: 'Agistment', departureReason: 'Sale' }, 'leave', 'transfer_out'],
    ['MovementDeath', { deathReason: 'Consumption' }, 'leave', 'ration'],
    ['MovementDeath', { deathreason: 'Consumption' }, 'leave', 'ration'],
    ['MovementDeath', { deathReason: 'Missing' }, 'leave', 'missing'],
    ['MovementDeath', { deathMethod: 'Theft' }, 'leave', 'missing'],
    ['MovementDeath', { deathMethod: 'Lost' }, 'leave', 'missing'],
    ['MovementDeath', { deathReason: 'Disease', deathMethod: 'Perished' }, 'leave', 'death'],
  ])('%s %j is %s as %s, of animals and of groups alike', (kind, reason, does, as) => {
    expect(good(`icar${kind}EventResource`, { ...when, ...animal, ...reason }).statement).toMatchObject({
      does,
      as,
    });
    expect(good(`icarGroup${kind}EventResource`, { ...when, ...group, ...reason }).statement).toMatchObject({
      does,
      as,
    });
  });

  it('registering an animal of a mob is tagging it, and without a mob a birth', () => {
    const registered = { ...when, ...animal, registrationReason: 'Registered' };
    expect(
      good('icarMovementBirthEventResource', { ...registered, ext: { mobId: 'm1' } }).statement,
    ).toMatchObject({ does: 'tag' });
    expect(good('icarMovementBirthEventResource', registered).statement).toMatchObject({
      does: 'enter',
      as: 'birth',
    });
  });
});

describe('whom a group event is about', () => {
  const subjectOf = (fields: object) => {
    const { statement } = good('icarGroupTreatmentEventResource', { ...when, ...fields });
    return statement && 'does' in statement && statement.does === 'treat' ? statement.subject : undefined;
  };
  const members = {
    member: [
      { scheme: 'n', id: '1' },
      { scheme: 'n', id: '2' },
    ],
  };

  it.each([
    [{ ...group }, { species: 'Sheep', head: 2, animals: [] }],
    [{ animalSetReference: { identifier: { id: 'm1', scheme: 'x' } } }, { mob: 'm1', animals: [] }],
    [{ animalSetReference: { '@id': 'm1' } }, { mob: 'm1', animals: [] }],
    [{ ext: { mobId: 7 } }, { mob: '7', animals: [] }],
    [{ embeddedAnimalSet: members }, { animals: ['n|1', 'n|2'], head: 0 }],
    [
      { ...group, embeddedAnimalSet: { member: [{ scheme: 'n', id: '1' }] } },
      { species: 'Sheep', animals: ['n|1'], head: 1 },
    ],
    [
      { inventoryClassification: { species: 'sheep', count: 3 }, countObserved: 2 },
      { species: 'Sheep', head: 3, animals: [] },
    ],
  ])('%j', (fields, subject) => expect(subjectOf(fields)).toEqual(subject));
});

describe('when something happened', () => {
  const moment = (fields: object) => good('PaddockMove', { mobId: 'm', toPaddockId: 'p', ...fields }).moment;

  it.each([
    [{ date: '2024-08-01' }, { day: '2024-08-01', at: Date.parse('2024-07-31T14:00:00Z'), timed: false }],
    [
      { eventDateTime: '2024-08-01' },
      { day: '2024-08-01', at: Date.parse('2024-07-31T14:00:00Z'), timed: false },
    ],
    [
      { eventDateTime: '2024-07-31T13:30:00Z' },
      { day: '2024-07-31', at: Date.parse('2024-07-31T13:30:00Z'), timed: true },
    ],
    [
      { eventDateTime: '2024-07-31T14:30:00Z' },
      { day: '2024-08-01', at: Date.parse('2024-07-31T14:30:00Z'), timed: true },
    ],
    [
      { eventDateTime: '2024-08-01T00:30:00+10:00' },
      { day: '2024-08-01', at: Date.parse('2024-07-31T14:30:00Z'), timed: true },
    ],
    [
      { eventDateTime: '2024-10-05T23:59:60.123456Z' },
      { day: '2024-10-06', at: Date.parse('2024-10-05T23:59:59.123Z'), timed: true },
    ],
  ])('%j', (fields, expected) => expect(moment(fields)).toMatchObject(expected));

  it.each([
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-04-31',
    '1899-12-31',
    '2200-01-01',
    '24-08-01',
    'yesterday',
    '',
    '2024-08-01T10:00:00',
    '2024-08-01T24:00:00Z',
    '2024-08-01T10:61:00Z',
    '2024-08-01T10:00:00+99:00',
    '+275760-09-13',
  ])('%j is no day of ours', (date) => {
    expect(pointers('PaddockMove', { mobId: 'm', toPaddockId: 'p', eventDateTime: date })).toEqual([
      '/eventDateTime',
    ]);
  });
});

describe('every bad field is named', () => {
  it.each<[string, object, string[]]>([
    ['Mob', {}, ['/id']],
    ['Mob', { id: 'x'.repeat(121), name: 7 }, ['/name', '/id']],
    ['OpeningStock', {}, ['/lines', '/eventDateTime']],
    [
      'OpeningStock',
      { date: '2024-08-01', lines: [{ head: 1.5 }, 4, { species: 'Sheep', head: '5', value: 'much' }] },
      ['/lines/0/species', '/lines/0/head', '/lines/1', '/lines/2/value', '/lines/2/head'],
    ],
    [
      'StockCount',
      { date: '2024-08-01', lines: [{ head: -1 }], bookAdjustment: 'yes' },
      ['/lines/0/head', '/bookAdjustment'],
    ],
    ['MobTransfer', { date: '2024-08-01', from: {}, to: [{ head: 3 }] }, ['/from/mobId', '/to/0/mobId']],
    ['Reclassification', { date: '2024-08-01', to: {} }, ['/to', '/mobId', '/head']],
    ['PaddockMove', { date: '2024-08-01' }, ['/mobId', '/toPaddockId']],
    ['Paddock', { id: 'p', totalArea: -1, validFrom: 'spring' }, ['/totalArea', '/validFrom']],
    ['AnimalUnitRating', { scope: {}, unit: 'cow', value: 'x' }, ['/scope', '/unit', '/value']],
    [
      'FeedSale',
      { date: '2024-08-01', feedId: 'f', quantity: 1, unit: 'bushel', price: { amount: 1 } },
      ['/price/currency', '/price/basis', '/unit'],
    ],
    [
      'FeedSale',
      {
        date: '2024-08-01',
        feedId: 'f',
        quantity: 1,
        unit: 't',
        price: { amount: 1, currency: 'AUD', basis: 'total' },
        fees: [{ kind: 'x', amount: 1, currency: 'NZD' }],
      },
      ['/fees/0/currency'],
    ],
    [
      'icarMovementDepartureEventResource',
      {
        ...when,
        ext: {
          trade: {
            price: { amount: 'x', currency: 'XXL', basis: 'perTail' },
            weight: { value: 1, unit: 'stone' },
          },
        },
      },
      [
        '/animal',
        '/ext/trade/price/amount',
        '/ext/trade/price/currency',
        '/ext/trade/price/basis',
        '/ext/trade/weight/unit',
      ],
    ],
    [
      'icarGroupMovementArrivalEventResource',
      { ...when, arrivalReason: 'Magic' },
      ['/inventoryClassification', '/arrivalReason'],
    ],
    [
      'icarGroupMovementArrivalEventResource',
      {
        ...when,
        ...group,
        ext: {
          trade: {
            fees: [
              { kind: 'freight', amount: 1, currency: 'NZD' },
              { kind: 'levy', amount: 1, currency: 'AUD' },
            ],
          },
        },
      },
      ['/ext/trade/fees/1/currency'],
    ],
    [
      'icarMovementDepartureEventResource',
      { ...when, ...animal, departureKind: 'Gone', departureReason: 'Sold' },
      ['/departureKind', '/departureReason'],
    ],
    [
      'icarMovementDeathEventResource',
      { ...when, ...animal, deathReason: 'Eaten', deathMethod: 'Stolen' },
      ['/deathReason', '/deathMethod'],
    ],
    ['icarGroupMovementDeathEventResource', { ...when, ...group, deathreason: 'eaten' }, ['/deathreason']],
    [
      'icarGroupFeedingEventResource',
      {
        ...when,
        ...group,
        feedTotal: [{ feedId: 'hay', feedConsumption: { value: -1, unitCode: 'ZZ' } }, {}],
        rationTotal: [{ rationId: 7.5, feedConsumption: { value: 'much' } }],
      },
      [
        '/feedTotal/0/feedId',
        '/feedTotal/0/feedConsumption/value',
        '/feedTotal/0/feedConsumption/unitCode',
        '/feedTotal/1/feedId',
        '/feedTotal/1/feedConsumption',
        '/rationTotal/0/rationId',
        '/rationTotal/0/feedConsumption/value',
      ],
    ],
    [
      'icarFeedTransactionResource',
      { ...when, transactionKind: 'Gift' },
      ['/transactionKind', '/product', '/quantity', '/units'],
    ],
    ['icarFeedResource', { ext: { dryMatterPct: 101 } }, ['/id', '/ext/dryMatterPct']],
    ['icarAnimalSetJoinEventResource', { ...when }, ['/animal', '/animalSetId']],
    ['icarAnimalSetResource', { member: [{}] }, ['/id', '/member/0/id']],
    ['icarLocationResource', {}, ['/identifier']],
    ['icarAnimalCoreResource', { identifier: { scheme: 'a|b', id: '1' } }, ['/identifier/scheme', '/specie']],
    ['icarTreatmentEventResource', { ...when, ...animal, ext: { whpDays: -1 } }, ['/ext/whpDays']],
    [
      'icarTreatmentEventResource',
      { ...when, ...animal, withdrawals: [{ productType: 'meat', endDate: 'soon' }] },
      ['/withdrawals/0/productType', '/withdrawals/0/endDate'],
    ],
    [
      'icarWeightEventResource',
      { ...when, ...animal, weight: { measurement: 3, units: 'bale' } },
      ['/weight/units'],
    ],
    ['Unicorn', {}, ['/resourceType']],
  ])('%s %j', (type, fields, expected) =>
    expect(pointers(type, fields).sort()).toEqual([...expected].sort()),
  );

  it('of the envelope too', () => {
    const result = readRecord({ resourceType: 'Mob', id: 'm', meta: { modified: 'x' } }, sydney);
    expect('problems' in result && result.problems.map(({ pointer }) => pointer)).toEqual([
      '/meta/modified',
      '/meta/source',
    ]);
  });

  it.each([null, 7, 'x', [], true])('%j is no item', (item) =>
    expect(readRecord(item, sydney)).toMatchObject({ problems: [{ pointer: '' }] }),
  );
});

describe('what was fed', () => {
  const fed = (fields: object) => {
    const { statement } = good('icarGroupFeedingEventResource', { ...when, ...group, ...fields });
    return statement && 'does' in statement && statement.does === 'feed' ? statement.feeding.fed : undefined;
  };

  it('is a ration by its plain id, as the standard has it, or by an identifier', () => {
    const feedConsumption = { value: 12, unitCode: 'KGM' };
    for (const rationId of ['mix', { id: 'mix', scheme: 'farm' }])
      expect(fed({ rationTotal: [{ rationId, feedConsumption }] })).toEqual([
        { feedId: 'mix', per: 'total', quantity: '12', unit: 'kg' },
      ]);
  });

  it.each([
    ['KGM', 'kg', '8'],
    ['TNE', 't', '8000'],
    ['GRM', 'g', '0.008'],
    ['MGM', 'mg', '0.000008'],
    ['MC', 'ug', '0.000000008'],
    ['LBR', 'lb', '3.62873896'],
    ['PN', 'lb', '3.62873896'],
    ['ONZ', 'oz', '0.226796185'],
    ['bales', 'bale', undefined],
  ])('%s is %s, 8 of which are %s kg', (unitCode, unit, kilos) => {
    const feedTotal = [{ feedId: { id: 'f', scheme: 's' }, feedConsumption: { value: 8, unitCode } }];
    const [part] = fed({ feedTotal }) ?? [];
    expect(part).toMatchObject({ unit, quantity: '8' });
    expect(part && kilograms(part.quantity, part.unit)).toBe(kilos);
  });
});

describe('withholding that the record itself ends', () => {
  const ends = (withdrawals: object[]) => {
    const { statement } = good('icarTreatmentEventResource', { ...when, ...animal, withdrawals });
    return statement && 'does' in statement && statement.does === 'treat' ? statement.treatment : undefined;
  };

  it('is that of meat, the latest of several markets', () => {
    expect(
      ends([
        { productType: 'Meat', market: 'au.gov.apvma.whp', endDate: '2024-08-20T00:00:00Z' },
        { productType: 'Meat', market: 'nz.govt.mpi.whp', endDate: '2024-08-09T00:00:00Z' },
        { productType: 'Milk', market: 'au.gov.apvma.whp', endDate: '2024-09-20T00:00:00Z' },
        { productType: 'Meat', market: 'au.gov.apvma.esi', endDate: '2024-08-30T00:00:00Z' },
      ]),
    ).toMatchObject({
      whpEnd: { instant: Date.parse('2024-08-20T00:00:00Z') },
      esiEnd: { instant: Date.parse('2024-08-30T00:00:00Z') },
    });
  });
});

it.each([
  ['sheep', 'Sheep'],
  ['CATTLE', 'Cattle'],
  ['Goats', 'Goat'],
  ['alpacas', 'alpacas'],
])('the species %s is %s', (species, standard) => {
  const { statement } = good('Mob', { id: 'm', species });
  expect(statement).toMatchObject({ named: { species: standard } });
});

it('a tombstone needs no more than its envelope', () => {
  expect(good('OpeningStock', { meta: { ...meta, isDeleted: true } })).toMatchObject({
    deleted: true,
    sourceId: 'i',
  });
});

it('what nobody asks for is ignored', () => {
  expect(good('Mob', { id: 'm', colour: { of: ['money'] }, name: null }).statement).toEqual({
    declares: 'mob',
    named: { id: 'm' },
  });
});

it.each([
  ['0.1', '0.1'],
  ['123456789.123456789012', '123456789.123456789012'],
  ['-1e3', '-1000'],
  ['"2.50"', '2.5'],
])('the decimal %s is read as %s', (written, value) => {
  const sale = { resourceType: 'FeedSale', meta, date: '2024-08-01', feedId: 'f', unit: 't', quantity: 0 };
  const body = JSON.stringify(sale).replace('"quantity":0', `"quantity":${written}`);
  expect(readRecord(parseExactly(body), sydney)).toMatchObject({
    record: { statement: { sale: { quantity: value } } },
  });
});

it.each(['1,5', '0x10', 'Infinity', '', '1 000', '123456789012345678901.5'])(
  'the text %j is no decimal',
  (quantity) => {
    expect(pointers('FeedSale', { date: '2024-08-01', feedId: 'f', unit: 't', quantity })).toEqual([
      '/quantity',
    ]);
  },
);
