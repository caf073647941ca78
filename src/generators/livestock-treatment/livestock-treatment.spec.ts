import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Ledger, meta, openLedger } from '../../../test/farm-records-ledger.js';
import { columnsOf, reportOf, type ShownReport } from '../../../test/report-type-rows.js';
import { LivestockSale } from '../livestock-sale/livestock-sale.generator.js';
import { LivestockTreatment } from './livestock-treatment.generator.js';

let ledger: Ledger;

beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger?.close());

async function treatments(records: readonly object[]): Promise<ShownReport> {
  const id = await ledger.farmWith([opening, medicine, ...records]);
  return reportOf(ledger, id, LivestockTreatment, '2024-07-01', '2025-06-30');
}

const opening = {
  resourceType: 'OpeningStock',
  id: 'o',
  ...meta('o'),
  date: '2024-07-01',
  lines: [
    { species: 'Sheep', enterpriseId: 'wool', ageClass: 'ewe', mobId: 'm1', paddockId: 'p1', head: 50 },
  ],
};
const medicine = {
  resourceType: 'icarMedicineResource',
  id: 'closal',
  ...meta('closal'),
  name: 'Closal',
  registeredID: { id: '54321' },
  ext: { whpDays: 28 },
};
const drench = (id: string, eventDateTime: string, ext: object = {}, more: object = {}) => ({
  resourceType: 'icarGroupTreatmentEventResource',
  id,
  ...meta(id),
  eventDateTime,
  animalSetId: 'm1',
  medicine: { identifier: { id: 'closal' } },
  procedure: 'Drench',
  dosePerAnimal: { doseQuantity: '7.5', doseUnits: 'MLT' },
  batches: [{ identifier: 'B1', expiryDate: '2026-01-01' }],
  site: 'Oral',
  responsible: 'Jo',
  ext: { mobId: 'm1', esiDays: 49, unitCost: { amount: '0.08', currency: 'AUD' }, ...ext },
  ...more,
});

it('shows a treatment of a mob with its dose, withholding and cost', async () => {
  const { rows, warnings } = await treatments([
    drench('t', '2024-08-01T02:30:00Z', { reason: 'worms' }, { comment: 'all of them' }),
  ]);
  expect(rows).toEqual([
    {
      row_type: 'detail',
      date: '2024-08-01',
      time: '12:30:00',
      mob: 'm1',
      mob_id: 'm1',
      management: 'mob',
      paddock: 'p1',
      paddock_id: 'p1',
      species: 'Sheep',
      age_class: 'ewe',
      enterprise: 'wool',
      enterprise_id: 'wool',
      head_treated: 50,
      product: 'Closal',
      registration_no: '54321',
      procedure: 'Drench',
      reason: 'worms',
      batch: 'B1',
      batch_expiry: '2026-01-01',
      dose_per_head: '7.5',
      dose_unit: 'MLT',
      total_used: '375',
      route: 'Oral',
      whp_days: 28,
      whp_clear_date: '2024-08-29',
      esi_days: 49,
      esi_clear_date: '2024-09-19',
      cost: '30.00',
      currency: 'AUD',
      operator: 'Jo',
      note: 'all of them',
    },
  ]);
  expect(warnings).toEqual([]);
});

it('is clear by the last administration of the course', async () => {
  const report = await treatments(
    ['2024-08-01', '2024-08-05', '2024-08-10'].map((day, index) =>
      drench(`t${index}`, `${day}T02:00:00Z`, { courseId: 'c1' }),
    ),
  );
  expect(columnsOf(report, ['date', 'course', 'whp_clear_date', 'esi_clear_date'])).toEqual([
    ['2024-08-01', 'c1', '2024-09-07', '2024-09-28'],
    ['2024-08-05', 'c1', '2024-09-07', '2024-09-28'],
    ['2024-08-10', 'c1', '2024-09-07', '2024-09-28'],
  ]);
});

describe('a course whose doses do not say the same of withholding', () => {
  const unsaid = { esiDays: null };
  const first = drench('t1', '2024-08-01T02:00:00Z', { courseId: 'c1', esiDays: 42 });
  const sale = (id: string, date: string) => ({
    resourceType: 'icarGroupMovementDepartureEventResource',
    id,
    ...meta(id),
    date,
    departureKind: 'Sale',
    inventoryClassification: { species: 'Sheep', count: 2 },
    ext: { mobId: 'm1' },
  });
  const sales = [sale('s1', '2024-09-04'), sale('s2', '2024-09-05')];
  const shown = ['date', 'whp_days', 'whp_clear_date', 'esi_days', 'esi_clear_date'];
  const flagged = ['date', 'whp_active_head', 'whp_clear_date', 'esi_active_head', 'esi_clear_date'];
  const period = ['2024-07-01', '2025-06-30'] as const;

  it.each([
    ['at once', (records: readonly object[]) => [records]],
    ['one after the other', (records: readonly object[]) => records.map((record) => [record])],
    ['last things first', (records: readonly object[]) => records.map((record) => [record]).toReversed()],
  ])('is withheld by its last dose for the days of an earlier one, imported %s', async (_, batches) => {
    const id = await ledger.newFarm();
    const last = drench('t2', '2024-08-08T02:00:00Z', { courseId: 'c1', ...unsaid }, { medicine: null });
    for (const batch of batches([medicine, opening, first, last, ...sales])) await ledger.import(id, batch);
    const treated = await reportOf(ledger, id, LivestockTreatment, ...period);
    expect(columnsOf(treated, shown)).toEqual([
      ['2024-08-01', 28, '2024-09-05', 42, '2024-09-19'],
      ['2024-08-08', 28, '2024-09-05', 42, '2024-09-19'],
    ]);
    expect(treated.warnings).toEqual([]);
    expect(columnsOf(await reportOf(ledger, id, LivestockSale, ...period), flagged)).toEqual([
      ['2024-09-04', 2, '2024-09-05', 2, '2024-09-19'],
      ['2024-09-05', 0, null, 2, '2024-09-19'],
    ]);
  });

  it('shows each dose with its own days, and stock sold are held to the longest', async () => {
    const id = await ledger.newFarm();
    const last = drench('t2', '2024-08-08T02:00:00Z', { courseId: 'c1', whpDays: 7, esiDays: 7 });
    await ledger.import(id, [medicine, opening, first, last, ...sales]);
    expect(columnsOf(await reportOf(ledger, id, LivestockTreatment, ...period), shown)).toEqual([
      ['2024-08-01', 28, '2024-09-05', 42, '2024-09-19'],
      ['2024-08-08', 7, '2024-08-15', 7, '2024-08-15'],
    ]);
    expect(columnsOf(await reportOf(ledger, id, LivestockSale, ...period), flagged)).toEqual([
      ['2024-09-04', 2, '2024-09-05', 2, '2024-09-19'],
      ['2024-09-05', 0, null, 2, '2024-09-19'],
    ]);
  });

  it('goes on with an animal that was treated with its mob before it had a tag', async () => {
    const id = await ledger.newFarm();
    const animal = { scheme: 'nlis', id: '951' };
    const event = (resourceType: string, key: string, date: string, more: object) => ({
      resourceType,
      id: key,
      ...meta(key),
      date,
      animal,
      ...more,
    });
    for (const record of [
      medicine,
      opening,
      first,
      event('icarMovementBirthEventResource', 'tag', '2024-08-03', {
        registrationReason: 'Registered',
        ext: { mobId: 'm1' },
      }),
      event('icarTreatmentEventResource', 't2', '2024-08-08', { ext: { courseId: 'c1' } }),
      event('icarMovementDepartureEventResource', 's', '2024-09-04', { departureKind: 'Sale' }),
    ])
      await ledger.import(id, [record]);
    expect(columnsOf(await reportOf(ledger, id, LivestockTreatment, ...period), shown).at(-1)).toEqual([
      ...['2024-08-08', 28, '2024-09-05', 42, '2024-09-19'],
    ]);
    expect(columnsOf(await reportOf(ledger, id, LivestockSale, ...period), flagged)).toEqual([
      ['2024-09-04', 1, '2024-09-05', 1, '2024-09-19'],
    ]);
  });

  it('ends where a dose gives an end instead of days', async () => {
    const ended = { withdrawals: [{ productType: 'Meat', endDate: '2024-08-20' }], medicine: null };
    const report = await treatments([
      drench('t1', '2024-08-01T02:00:00Z', { courseId: 'c1', ...unsaid }, ended),
      drench('t2', '2024-08-08T02:00:00Z', { courseId: 'c1', ...unsaid }, ended),
    ]);
    expect(columnsOf(report, ['whp_days', 'whp_clear_date'])).toEqual([
      [null, '2024-08-20'],
      [null, '2024-08-20'],
    ]);
  });
});

it('follows a course mob by mob, as the sale does, though two mobs were given one of the same name', async () => {
  const other = {
    ...opening,
    id: 'o2',
    ...meta('o2'),
    lines: [{ ...opening.lines[0], mobId: 'm2', head: 10 }],
  };
  const report = await treatments([
    other,
    drench('t1', '2024-08-01T02:00:00Z', { courseId: 'spring' }),
    drench('t2', '2024-08-20T02:00:00Z', { courseId: 'spring', mobId: 'm2' }),
  ]);
  expect(columnsOf(report, ['date', 'mob', 'whp_clear_date'])).toEqual([
    ['2024-08-01', 'm1', '2024-08-29'],
    ['2024-08-20', 'm2', '2024-09-17'],
  ]);
});

it('keeps a long note whole, and refuses one that is no note any more', async () => {
  const comment = 'She was seen. '.repeat(714);
  const report = await treatments([drench('t', '2024-08-01T02:00:00Z', {}, { comment })]);
  expect(columnsOf(report, ['note'])).toEqual([[comment.trim()]]);
  const endless = drench('t', '2024-08-01T02:00:00Z', {}, { comment: 'x'.repeat(10_001) });
  expect(await ledger.import('farm-1', [endless])).toMatchObject({
    errors: [{ pointer: '/comment', detail: 'comment is longer than 10000 characters.' }],
  });
});

it('rounds 36 hours of withholding up to 2 days', async () => {
  const report = await treatments([drench('t', '2024-08-01T02:00:00Z', { whpHours: 36 })]);
  expect(columnsOf(report, ['whp_days', 'whp_clear_date'])).toEqual([[2, '2024-08-03']]);
});

it('leaves a missing export slaughter interval blank, with one warning a product', async () => {
  const unknown = { esiDays: null };
  const report = await treatments([
    drench('t1', '2024-08-01T02:00:00Z', unknown),
    drench('t2', '2024-08-02T02:00:00Z', unknown),
  ]);
  expect(columnsOf(report, ['whp_days', 'esi_days', 'esi_clear_date'])).toEqual([
    [28, null, null],
    [28, null, null],
  ]);
  expect(report.warnings).toEqual([
    'Closal: no export slaughter interval is known; its esi columns are blank.',
  ]);
});

it('warns of a batch that was past its expiry', async () => {
  const old = drench(
    't',
    '2024-08-01T02:00:00Z',
    {},
    { batches: [{ identifier: 'B0', expiryDate: '2024-07-31' }] },
  );
  expect((await treatments([old])).warnings).toEqual([
    'Closal: batch B0 expired on 2024-07-31 and was used after that.',
  ]);
});

it('warns of a mob in which treated and untreated stock came together', async () => {
  const others = {
    resourceType: 'OpeningStock',
    id: 'o2',
    ...meta('o2'),
    date: '2024-07-01',
    lines: [{ species: 'Sheep', enterpriseId: 'wool', ageClass: 'ewe', mobId: 'm2', head: 10 }],
  };
  const merge = {
    resourceType: 'MobTransfer',
    id: 'merge',
    ...meta('merge'),
    date: '2024-08-05',
    from: { mobId: 'm1' },
    to: [{ mobId: 'm2', head: 5 }],
  };
  const report = await treatments([others, drench('t', '2024-08-01T02:00:00Z', { esiDays: 0 }), merge]);
  expect(report.warnings).toEqual([
    'Stock of unequal withholding came together in mob m2 on 2024-08-05: all its head carry the later date, 2024-08-29.',
  ]);
});

it('shows a total in the unit of the dose', async () => {
  const used = (doseQuantity: number, doseUnits: string) =>
    drench(`t-${doseUnits}`, '2024-08-01T02:00:00Z', {}, { totalMedicineUsed: { doseQuantity, doseUnits } });
  const litres = await treatments([used(0.4, 'LTR')]);
  expect(columnsOf(litres, ['dose_unit', 'total_used', 'cost'])).toEqual([['MLT', '400', '32.00']]);
  const grams = await treatments([used(90, 'GRM')]);
  expect(columnsOf(grams, ['dose_unit', 'total_used'])).toEqual([['MLT', '375']]);
  expect(grams.warnings).toEqual([
    'Closal: a total in GRM says nothing of a dose in MLT; total_used is the dose times the head.',
  ]);
});

it.each([
  ['its id', { identifier: { id: 'closal', scheme: 'farm' } }],
  ['its registration', { registeredIdentifier: { id: '54321', scheme: 'apvma' } }],
  [
    'an id of another system and its registration',
    { identifier: { id: 'x1' }, registeredIdentifier: { id: 54321 } },
  ],
  ['one of several ids', { identifiers: [{ id: 'x1' }, { id: 'closal' }] }],
])('knows a medicine by %s, declared before or after', async (_, named) => {
  const treated = drench('t', '2024-08-01T02:00:00Z', {}, { medicine: { ...named } });
  const departed = {
    resourceType: 'icarGroupMovementDepartureEventResource',
    id: 's',
    ...meta('s'),
    eventDateTime: '2024-08-10T02:00:00Z',
    departureKind: 'Sale',
    inventoryClassification: { species: 'Sheep', count: 2 },
    ext: { mobId: 'm1' },
  };
  for (const records of [
    [medicine, opening, treated, departed],
    [opening, treated, departed, medicine],
  ]) {
    const id = await ledger.newFarm();
    for (const record of records) await ledger.import(id, [record]);
    const period = ['2024-07-01', '2025-06-30'] as const;
    expect(
      columnsOf(await reportOf(ledger, id, LivestockTreatment, ...period), ['product', 'whp_days']),
    ).toEqual([['Closal', 28]]);
    expect(
      columnsOf(await reportOf(ledger, id, LivestockSale, ...period), ['whp_active_head', 'whp_clear_date']),
    ).toEqual([[2, '2024-08-29']]);
  }
});

it('shows an animal that is treated by itself with its tag', async () => {
  const animal = { scheme: 'nlis', id: '951' };
  const born = {
    resourceType: 'icarMovementBirthEventResource',
    id: 'b',
    ...meta('b'),
    eventDateTime: '2024-07-05T02:00:00Z',
    registrationReason: 'Born',
    animal,
    animalDetail: { identifier: animal, specie: 'Sheep' },
    ext: { mobId: 'm1', ageClass: 'lamb' },
  };
  const treated = {
    resourceType: 'icarTreatmentEventResource',
    id: 't',
    ...meta('t'),
    eventDateTime: '2024-08-01T02:00:00Z',
    animal,
    medicine: { identifier: { id: 'closal' } },
    dose: { doseQuantity: 2, doseUnits: 'MLT' },
    ext: { esiDays: 1 },
  };
  const report = await treatments([born, treated]);
  expect(
    columnsOf(report, ['tag', 'animal_id', 'mob', 'management', 'age_class', 'head_treated', 'total_used']),
  ).toEqual([['951', 'nlis|951', 'm1', 'individual', 'lamb', 1, '2']]);
});
