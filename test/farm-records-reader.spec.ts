import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FarmUnsettled } from '../src/farm-records/open-farm-records.js';
import { settleFarm } from '../src/farm-records/settle.js';
import { collect, type Ledger, meta, openLedger } from './farm-records-ledger.js';

let ledger: Ledger;
beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger.close());

const year = { start: '2024-07-01', end: '2025-06-30' };
const animal = (id: string) => ({ scheme: 'nlis', id });
const cows = {
  species: 'Cattle',
  ageClass: 'heifer',
  enterpriseId: 'breeding',
  mobId: 'm1',
  paddockId: 'p1',
};

/** Twenty heifers of a mob, two of them tagged on the first day. */
const herd = [
  { resourceType: 'OpeningStock', ...meta('opening'), date: '2024-07-01', lines: [{ ...cows, head: 20 }] },
  ...['A1', 'A2'].map((id) => ({
    resourceType: 'icarMovementBirthEventResource',
    ...meta(`tag ${id}`),
    date: '2024-07-01',
    animal: animal(id),
    registrationReason: 'Registered',
    ext: { mobId: 'm1' },
  })),
];
let records = 0;
const on = (when: string) => ({
  ...meta(`r${++records}`),
  ...(when.length === 10 ? { date: when } : { eventDateTime: when }),
});
const reclassify = (when: string, who: object, from: string, to: string, more: object = {}) => ({
  resourceType: 'Reclassification',
  ...on(when),
  ...who,
  species: 'Cattle',
  from: { ageClass: from },
  to: { ageClass: to, ...more },
});

async function farmWith(id: string, ...more: object[]): Promise<string> {
  await ledger.farm(id);
  const summary = await ledger.import(id, [...herd, ...more]);
  expect(summary.errors).toEqual([]);
  return id;
}

describe('transitions', () => {
  const transitionsOf = async (...more: object[]) => {
    const id = await farmWith(`transitions ${++records}`, ...more);
    const found = await ledger.read(id, (farm) => collect(farm.transitions(year)));
    return found.map((row) => [
      row.day,
      row.fromAgeClass,
      row.toAgeClass,
      row.kind,
      row.headMob,
      row.headIndividual,
      row.cause,
    ]);
  };
  const mob = (head: number) => ({ mobId: 'm1', head });
  const animals = (...ids: string[]) => ({ animals: ids.map(animal) });

  it('of a mob and of animals stand in one row a day', async () => {
    expect(
      await transitionsOf(
        { ...reclassify('2024-09-01', mob(5), 'heifer', 'cow'), cause: 'calved' },
        { ...reclassify('2024-09-01T01:00:00Z', animals('A1'), 'heifer', 'cow'), cause: 'age' },
        reclassify('2024-09-02', animals('A2'), 'heifer', 'cow'),
      ),
    ).toEqual([
      ['2024-09-01', 'heifer', 'cow', 'age_class', 5, 1, 'age; calved'],
      ['2024-09-02', 'heifer', 'cow', 'age_class', 0, 1, ''],
    ]);
  });

  it('of an animal count by its net change over the local day', async () => {
    expect(
      await transitionsOf(
        reclassify('2024-09-01T01:00:00Z', animals('A1'), 'heifer', 'cow'),
        reclassify('2024-09-01T02:00:00Z', animals('A1'), 'cow', 'heifer'),
        reclassify('2024-09-01T01:00:00Z', animals('A2'), 'heifer', 'cow'),
        reclassify('2024-09-01T02:00:00Z', animals('A2'), 'cow', 'cull'),
      ),
    ).toEqual([['2024-09-01', 'heifer', 'cull', 'age_class', 0, 1, '']]);
  });

  it('that reverse each other in one mob on one day net out', async () => {
    expect(
      await transitionsOf(
        reclassify('2024-09-01', mob(5), 'heifer', 'cow'),
        reclassify('2024-09-01T05:00:00Z', mob(2), 'cow', 'heifer'),
      ),
    ).toEqual([['2024-09-01', 'heifer', 'cow', 'age_class', 3, 0, '']]);
  });

  it('name what changed', async () => {
    expect(
      (
        await transitionsOf(
          { ...reclassify('2024-09-01', mob(1), 'heifer', 'cow'), to: { enterpriseId: 'trading' } },
          reclassify('2024-09-02', mob(1), 'heifer', 'cow', { enterpriseId: 'trading' }),
        )
      ).map((row) => row[3]),
    ).toEqual(['enterprise', 'both']);
  });
});

describe('treatments', () => {
  const treat = (when: string, who: object, ext: object) => ({
    resourceType: 'icarTreatmentEventResource',
    ...on(when),
    ...who,
    ext,
  });

  it('know the last day of their course, also after the period, and their medicine', async () => {
    const id = await farmWith(
      'treatments',
      {
        resourceType: 'icarMedicineResource',
        ...meta('dectomax'),
        id: 'dectomax',
        name: 'Dectomax',
        ext: { whpDays: 35, esiDays: 42 },
      },
      ...['2024-08-01', '2024-08-04', '2024-08-07'].map((day) => ({
        ...treat(day, { animal: animal('A1') }, { courseId: 'c1' }),
        medicine: { name: 'Dectomax', identifier: { scheme: 'x', id: 'dectomax' } },
      })),
      treat('2024-08-02', { animal: animal('A2') }, { whpHours: 36 }),
    );
    const acts = await ledger.read(id, (farm) =>
      collect(farm.treatments({ start: '2024-08-01', end: '2024-08-04' })),
    );
    expect(
      acts.map(({ record, lines, lastOfCourse, medicine, what }) => [
        record.day,
        lines.map(lastOfCourse),
        medicine?.whpDays,
        what.whpDays,
      ]),
    ).toEqual([
      ['2024-08-01', ['2024-08-07'], 35, undefined],
      ['2024-08-02', ['2024-08-02'], undefined, 2],
      ['2024-08-04', ['2024-08-07'], 35, undefined],
    ]);
    expect(acts[0]?.lines).toMatchObject([
      {
        category: 'treatment',
        delta: 0,
        head: 1,
        animal: 'nlis|A1',
        mob: 'm1',
        paddock: 'p1',
        ageClass: 'heifer',
        whpClear: '2024-09-05',
      },
    ]);
  });

  it('of a whole mob name how many it had, known by number or by tag', async () => {
    const id = await farmWith('mob treatment', {
      resourceType: 'icarGroupTreatmentEventResource',
      ...on('2024-08-01'),
      groupMethod: 'ExistingAnimalSet',
      animalSetReference: { identifier: { scheme: 'x', id: 'm1' } },
      ext: { whpDays: 1 },
    });
    const [act] = await ledger.read(id, (farm) => collect(farm.treatments(year)));
    expect(act?.lines.map(({ head, managed }) => [head, managed])).toEqual([
      [18, false],
      [2, true],
    ]);
  });

  it('withhold what is sold from then on', async () => {
    const id = await farmWith(
      'withheld',
      treat('2024-08-01', { animal: animal('A1') }, { whpDays: 10 }),
      ...['A1', 'A2'].map((tag) => ({
        resourceType: 'icarMovementDepartureEventResource',
        ...on('2024-08-10'),
        animal: animal(tag),
        departureKind: 'Sale',
      })),
    );
    const sales = await ledger.read(id, (farm) => collect(farm.movements(year, ['sale'])));
    expect(sales.flatMap(({ lines }) => lines.map((line) => [line.animal, line.whpClear]))).toEqual([
      ['nlis|A1', '2024-08-11'],
      ['nlis|A2', undefined],
    ]);
  });
});

describe('feedings', () => {
  const feed = (when: string, end?: string) => ({
    resourceType: 'icarGroupFeedingEventResource',
    ...on(when),
    groupMethod: 'ExistingAnimalSet',
    ext: { mobId: 'm1', batch: 'b7' },
    feedTotal: [{ feedId: { scheme: 'farm', id: 'hay' }, feedConsumption: { unitCode: 'TNE', value: 2.5 } }],
    ...(end && { feedingEndDateTime: end }),
  });

  it('that reach into the period are among those of the period', async () => {
    const id = await farmWith(
      'feedings',
      feed('2024-08-01'),
      feed('2024-08-20', '2024-09-02'),
      feed('2024-08-21', '2024-08-31'),
      feed('2024-09-05'),
    );
    const acts = await ledger.read(id, (farm) =>
      collect(farm.feedings({ start: '2024-09-01', end: '2024-09-05' })),
    );
    expect(acts.map(({ record }) => record.day)).toEqual(['2024-08-20', '2024-09-05']);
    expect(acts[0]).toMatchObject({
      what: { batch: 'b7', fed: [{ feedId: 'hay', per: 'total', quantity: '2.5', unit: 't' }] },
      lines: [{ head: 18 }, { head: 2 }],
    });
  });

  it('that end before they begin, or last for years, are refused', async () => {
    const summary = await ledger.import('feedings', [
      feed('2024-08-02', '2024-07-01'),
      feed('2024-08-02', '2027-01-01'),
    ]);
    expect(summary.errors.map(({ pointer }) => pointer)).toEqual([
      '/feedingEndDateTime',
      '/feedingEndDateTime',
    ]);
  });
});

it('counts are compared with the book after everything else of their day', async () => {
  const id = await farmWith(
    'counted',
    {
      resourceType: 'StockCount',
      ...on('2024-09-01'),
      lines: [{ species: 'cattle', enterpriseId: 'breeding', ageClass: 'heifer', head: 14 }],
      bookAdjustment: true,
    },
    {
      resourceType: 'icarGroupMovementDepartureEventResource',
      ...on('2024-09-01'),
      groupMethod: 'InventoryClassification',
      inventoryClassification: { name: 'x', species: 'Cattle', count: 5 },
      departureKind: 'Sale',
      ext: { mobId: 'm1' },
    },
  );
  const [counts, flows] = await ledger.read(
    id,
    async (farm) => [await farm.counts(year), await farm.flows(year, [])] as const,
  );
  expect(counts).toMatchObject([
    { species: 'Cattle', ageClass: 'heifer', mob: '', counted: 14, book: 15, booked: true },
  ]);
  expect(flows.map(({ category, head }) => [category, head])).toContainEqual(['adjust_out', -1]);
});

it('paddocks, ratings and names are told in order of their days, the later word winning', async () => {
  const paddock = (sourceId: string, validFrom: string, more: object) => ({
    resourceType: 'Paddock',
    ...meta(sourceId),
    id: 'p1',
    validFrom,
    ...more,
  });
  const id = await farmWith(
    'declared',
    paddock('b', '2025-01-01', { name: 'River', totalArea: 90, grazableArea: '80.25' }),
    paddock('a', '2020-01-01', { name: 'Creek', totalArea: 100 }),
    { resourceType: 'Mob', ...meta('m'), id: 'm1', name: 'Heifers', species: 'cattle' },
    { resourceType: 'Mob', ...meta('m again', { modified: '2025-07-02' }), id: 'm1', name: 'First calvers' },
    {
      resourceType: 'AnimalUnitRating',
      ...meta('r2'),
      scope: { mobId: 'm1' },
      unit: 'ae',
      value: 1.2,
      validFrom: '2024-09-01',
    },
    {
      resourceType: 'AnimalUnitRating',
      ...meta('r1'),
      scope: { species: 'cattle', ageClass: 'heifer' },
      unit: 'ae',
      value: '0.9',
    },
  );
  await ledger.read(id, async (farm) => {
    expect((await farm.paddocks()).map(({ name, grazableArea }) => [name, grazableArea])).toEqual([
      ['Creek', undefined],
      ['River', '80.25'],
    ]);
    expect((await farm.ratings()).map(({ value }) => value)).toEqual(['0.9', '1.2']);
    expect([
      farm.names.paddock('p1'),
      farm.names.mob('m1'),
      farm.names.mob('m9'),
      farm.names.enterprise('breeding'),
    ]).toEqual(['River', 'First calvers', 'm9', 'breeding']);
  });
});

it('movements tell who the animals are, by their declaration or by the event', async () => {
  const arrive = (id: string, more: object = {}) => ({
    resourceType: 'icarMovementArrivalEventResource',
    ...on('2024-08-01T00:00:00Z'),
    animal: animal(id),
    arrivalReason: 'Purchase',
    consignment: { originLocation: { scheme: 'pic', id: 'NSW1' }, countConsigned: 3 },
    ...more,
  });
  const id = await farmWith(
    'animals',
    arrive('B1'),
    arrive('B2', {
      animalDetail: {
        identifier: animal('B2'),
        specie: 'Cattle',
        gender: 'Male',
        primaryBreed: { scheme: 'icar', id: 'ANG' },
      },
    }),
    {
      resourceType: 'icarAnimalCoreResource',
      ...meta('B1'),
      identifier: animal('B1'),
      specie: 'Cattle',
      gender: 'Female',
      ext: { ageClass: 'cow' },
    },
  );
  const bought = await ledger.read(id, (farm) => collect(farm.movements(year, ['purchase'])));
  expect(bought.map(({ animals }) => [...animals])).toEqual([
    [['nlis|B1', { species: 'Cattle', sex: 'Female' }]],
    [['nlis|B2', { species: 'Cattle', sex: 'Male', breed: 'ANG' }]],
  ]);
  expect(bought[0]).toMatchObject({
    lines: [{ ageClass: 'cow', species: 'Cattle' }],
    trade: { counterpartyPic: 'NSW1', headInvoiced: 3 },
    record: { time: '10:00:00' },
  });
});

it('periods to the end of time are answered', async () => {
  const id = await farmWith('forever');
  const forever = { start: '1970-01-01', end: '+275760-09-13' };
  await ledger.read(id, async (farm) => {
    expect((await farm.flows(forever, [])).map(({ head }) => head)).toEqual([20, 0]);
    expect(await collect(farm.headLines(forever))).toHaveLength(5);
    expect(await farm.balances('+275760-09-13', [])).toMatchObject([{ head: 20 }]);
    expect(farm.calendar.months(forever)).toHaveLength((2200 - 1970) * 12);
  });
});

it('a farm cannot be read through another, nor one that is not there', async () => {
  await farmWith('mine');
  await ledger.farm('theirs');
  expect(await ledger.read('theirs', (farm) => farm.balances('2030-01-01', ['mob']))).toEqual([]);
  await expect(ledger.read('nobody', async () => undefined)).rejects.toThrow('There is no farm nobody');
});

it('an import that ended before its records were booked is read when it is settled', async () => {
  const id = await farmWith('interrupted');
  await ledger.database.query('UPDATE farm SET unsettled_from = $2 WHERE farm_id = $1', [id, '1970-01-01']);
  for (const table of ['head_line', 'monthly_flow', 'class_flow', 'head_balance'])
    await ledger.database.query(`DELETE FROM ${table} WHERE farm_id = $1`, [id]);
  await expect(ledger.read(id, async () => undefined)).rejects.toThrow(FarmUnsettled);
  await ledger.database.transaction((tx) => settleFarm(tx, id));
  expect(await ledger.read(id, (farm) => farm.balances('2030-01-01', []))).toMatchObject([{ head: 20 }]);
  expect(await ledger.disagreements(id)).toEqual([]);
});
