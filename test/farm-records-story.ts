import fc from 'fast-check';

/** A record with its id and everything that makes it one; see `meta` for the envelope. */
export interface StoryRecord {
  readonly resourceType: string;
  readonly meta: {
    readonly source: string;
    readonly sourceId: string;
    readonly modified: string;
    readonly isDeleted?: boolean;
  };
  readonly [field: string]: unknown;
}

const MOBS = ['m1', 'm2', 'm3'];
const CLASSES = ['ewe', 'lamb', 'wether'];
const ENTERPRISES = ['wool', 'meat'];
const PADDOCKS = ['p1', 'p2', 'p3'];
const TAGS = ['t1', 't2', 't3', 't4', 't5'];

const mob = fc.constantFrom(...MOBS);
const head = fc.integer({ min: 1, max: 40 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const tag = fc.constantFrom(...TAGS);
const animal = (id: string) => ({ scheme: 'tag', id });
const place = fc.record({
  mobId: mob,
  ageClass: maybe(fc.constantFrom(...CLASSES)),
  enterpriseId: maybe(fc.constantFrom(...ENTERPRISES)),
  paddockId: maybe(fc.constantFrom(...PADDOCKS)),
});
const trade = maybe(
  fc.record({
    price: fc.record({
      amount: fc.integer({ min: 1, max: 100_000 }).map((cents) => (cents / 100).toFixed(2)),
      currency: fc.constantFrom('AUD', 'AUD', 'NZD'),
      basis: fc.constantFrom('perHead', 'total'),
    }),
    fees: fc.constantFrom(
      [],
      [{ kind: 'freight', amount: '12.34' }],
      [
        { kind: 'commission', amount: '100.01' },
        { kind: 'Yard dues', amount: '7' },
      ],
    ),
    tax: maybe(fc.constant('3.33')),
    reference: maybe(fc.constantFrom('R1', 'R2')),
    counterparty: maybe(fc.constant('Smith & Co')),
  }),
);
const group = fc.tuple(place, head, trade).map(([where, count, deal]) => ({
  groupMethod: 'InventoryClassification',
  inventoryClassification: { name: 'sheep', species: 'Sheep', count },
  ext: { ...where, trade: deal },
}));
const single = fc.tuple(tag, place, trade).map(([id, where, deal]) => ({
  animal: animal(id),
  ext: { ...where, trade: deal },
  animalDetail: { identifier: animal(id), specie: 'Sheep', gender: 'Female' },
}));

const of = <T extends object>(resourceType: string, fields: fc.Arbitrary<T>) =>
  fields.map((said) => ({ resourceType, ...said }));

/** What can happen on a farm, also when it makes no sense. */
const happening: fc.Arbitrary<{ resourceType: string }> = fc.oneof(
  of('icarGroupMovementBirthEventResource', group),
  of(
    'icarGroupMovementArrivalEventResource',
    fc
      .tuple(group, fc.constantFrom('Purchase', 'Agistment', 'SaleReturn'))
      .map(([g, arrivalReason]) => ({ ...g, arrivalReason })),
  ),
  of(
    'icarGroupMovementDepartureEventResource',
    fc
      .tuple(group, fc.constantFrom('Sale', 'Agistment'))
      .map(([g, departureKind]) => ({ ...g, departureKind })),
  ),
  of(
    'icarGroupMovementDeathEventResource',
    fc.tuple(group, fc.constantFrom('Perished', 'Lost')).map(([g, deathMethod]) => ({ ...g, deathMethod })),
  ),
  of(
    'icarMovementBirthEventResource',
    fc
      .tuple(single, fc.constantFrom('Born', 'Registered'))
      .map(([s, registrationReason]) => ({ ...s, registrationReason })),
  ),
  of(
    'icarMovementArrivalEventResource',
    single.map((s) => ({ ...s, arrivalReason: 'Purchase' })),
  ),
  of(
    'icarMovementDepartureEventResource',
    single.map((s) => ({ ...s, departureKind: 'Sale' })),
  ),
  of('icarMovementDeathEventResource', single),
  of(
    'icarAnimalSetJoinEventResource',
    fc.tuple(tag, mob).map(([id, animalSetId]) => ({ animal: animal(id), animalSetId })),
  ),
  of(
    'icarAnimalSetLeaveEventResource',
    fc.tuple(tag, mob).map(([id, animalSetId]) => ({ animal: animal(id), animalSetId })),
  ),
  of(
    'icarGroupTreatmentEventResource',
    fc
      .tuple(mob, maybe(fc.integer({ min: 0, max: 60 })), maybe(fc.constant('course')))
      .map(([mobId, whpDays, courseId]) => ({
        groupMethod: 'ExistingAnimalSet',
        ext: { mobId, whpDays, courseId },
      })),
  ),
  of(
    'icarTreatmentEventResource',
    fc
      .tuple(tag, fc.integer({ min: 0, max: 60 }))
      .map(([id, esiDays]) => ({ animal: animal(id), ext: { esiDays } })),
  ),
  of(
    'icarTreatmentEventResource',
    fc.tuple(tag, mob, maybe(fc.constant('course')), fc.boolean()).map(([id, mobId, courseId, named]) => ({
      animal: animal(id),
      ...(named && { medicine: { name: 'Drench', identifier: { scheme: 'farm', id: 'drench' } } }),
      ext: { mobId, courseId },
    })),
  ),
  of(
    'icarGroupPositionObservationEventResource',
    fc.tuple(mob, fc.constantFrom('p1', 'Hill')).map(([mobId, positionName]) => ({
      groupMethod: 'ExistingAnimalSet',
      ext: { mobId },
      positionName,
    })),
  ),
  of(
    'MobTransfer',
    fc
      .tuple(
        mob,
        fc.array(
          place.chain((where) => head.map((n) => ({ ...where, head: n }))),
          { minLength: 1, maxLength: 2 },
        ),
      )
      .map(([mobId, to]) => ({ from: { mobId }, to })),
  ),
  of(
    'Reclassification',
    fc
      .tuple(mob, head, maybe(fc.constantFrom(...CLASSES)), fc.constantFrom(...CLASSES))
      .map(([mobId, n, ageClass, to]) => ({
        mobId,
        head: n,
        species: 'Sheep',
        from: { ageClass },
        to: { ageClass: to },
        cause: 'ageing',
      })),
  ),
  of(
    'Reclassification',
    fc
      .tuple(fc.uniqueArray(tag, { minLength: 1, maxLength: 3 }), fc.constantFrom(...CLASSES))
      .map(([ids, to]) => ({ animals: ids.map(animal), species: 'Sheep', to: { ageClass: to } })),
  ),
  of(
    'PaddockMove',
    fc
      .tuple(mob, maybe(head), fc.constantFrom(...PADDOCKS))
      .map(([mobId, n, toPaddockId]) => ({ mobId, head: n, toPaddockId })),
  ),
  of(
    'PaddockMove',
    fc
      .tuple(fc.uniqueArray(tag, { minLength: 1, maxLength: 3 }), fc.constantFrom(...PADDOCKS))
      .map(([ids, toPaddockId]) => ({ animals: ids.map(animal), toPaddockId })),
  ),
  of(
    'StockCount',
    fc
      .tuple(maybe(mob), maybe(fc.constantFrom(...CLASSES)), head, fc.boolean())
      .map(([mobId, ageClass, n, bookAdjustment]) => ({
        lines: [{ species: 'Sheep', enterpriseId: 'wool', ageClass, mobId, head: n }],
        bookAdjustment,
      })),
  ),
  of(
    'icarGroupFeedingEventResource',
    fc
      .tuple(
        mob,
        fc.integer({ min: 1, max: 90 }),
        fc.constantFrom('feedPerAnimal', 'feedTotal'),
        maybe(fc.integer({ min: 0, max: 30 })),
      )
      .map(([mobId, value, how, whpDays]) => ({
        animalSetId: mobId,
        [how]: [{ feedId: { id: 'barley' }, feedConsumption: { value, unitCode: 'KGM' } }],
        ext: {
          mobId,
          unitCost: { amount: '0.333', currency: 'AUD', unit: 'kg' },
          dryMatterPct: '87.5',
          whpDays,
        },
      })),
  ),
  of(
    'FeedSale',
    fc
      .tuple(fc.integer({ min: -20, max: 60 }), fc.constantFrom('t', 'bale'), fc.constantFrom('AUD', 'NZD'))
      .filter(([quantity]) => quantity !== 0)
      .map(([quantity, unit, currency]) => ({
        feedId: 'hay',
        quantity: String(quantity),
        unit,
        price: { amount: '81.55', currency, basis: 'perUnit' },
        freight: '12.50',
        fees: [{ kind: 'weighbridge', amount: '9.99' }],
        tax: '4.44',
      })),
  ),
  of(
    'OpeningStock',
    fc
      .tuple(place, head)
      .map(([where, n]) => ({ lines: [{ species: 'Sheep', ...where, head: n, value: '100' }] })),
  ),
);

/** What is declared, and may be declared before or after it is needed. */
const declaration: fc.Arbitrary<{ resourceType: string }> = fc.oneof(
  fc.constant({ resourceType: 'Paddock', id: 'p3', name: 'Hill' }),
  of(
    'icarMedicineResource',
    fc.integer({ min: 1, max: 40 }).map((whpDays) => ({ id: 'drench', name: 'Drench', ext: { whpDays } })),
  ),
  of(
    'icarFeedResource',
    maybe(fc.integer({ min: 1, max: 40 })).map((whpDays) => ({
      id: 'barley',
      name: 'Barley',
      ext: { whpDays },
    })),
  ),
  of(
    'Mob',
    mob.map((id) => ({ id, species: 'Sheep' })),
  ),
  of(
    'icarAnimalCoreResource',
    fc.tuple(tag, maybe(fc.constantFrom(...CLASSES))).map(([id, ageClass]) => ({
      identifier: animal(id),
      specie: 'Sheep',
      gender: 'Female',
      ext: { ageClass },
    })),
  ),
);

const when = fc
  .tuple(fc.integer({ min: 0, max: 80 }), maybe(fc.integer({ min: 0, max: 23 })))
  .map(([day, hour]) => {
    const date = new Date(Date.parse('2024-08-15') + day * 86_400_000).toISOString().slice(0, 10);
    return hour === undefined
      ? { date }
      : { eventDateTime: `${date}T${String(hour).padStart(2, '0')}:30:00Z` };
  });

const event = fc.tuple(happening, when).map(([what, time]) => ({ ...what, ...time }));

/** A year or so on a farm: every record has an id of its own. */
export const story = (size: number): fc.Arbitrary<StoryRecord[]> =>
  fc
    .array(fc.oneof({ arbitrary: event, weight: 12 }, { arbitrary: declaration, weight: 1 }), {
      minLength: 1,
      maxLength: size,
    })
    .map((records) =>
      records.map((record, index) => ({
        ...record,
        meta: {
          source: 'story',
          sourceId: `r${String(index).padStart(3, '0')}`,
          modified: '2025-01-01T00:00:00Z',
        },
      })),
    );

/** Corrections: some records are said again, differently, as deleted, as they were but for what no lines hang on, or at another price. */
export const retold = (records: StoryRecord[]): fc.Arbitrary<StoryRecord[]> =>
  fc
    .array(
      fc.tuple(
        fc.nat(records.length - 1),
        event,
        fc.constantFrom('other', 'deleted', 'again', 'priced', 'priced'),
      ),
      { maxLength: 8 },
    )
    .map((changes) =>
      changes.flatMap(([index, other, how], nth) => {
        const traded = records.filter(({ resourceType }) => /Movement(Arrival|Departure)/.test(resourceType));
        const before = how === 'priced' ? traded[index % traded.length] : records[index];
        if (!before) return [];
        const meta = {
          source: 'story',
          sourceId: before.meta.sourceId,
          modified: `2025-02-01T00:00:0${nth}Z`,
        };
        if (how === 'priced') return { ...before, ext: { ...(before.ext as object), ...price(nth) }, meta };
        if (how === 'again') return { ...before, comment: 'seen by the vet', meta };
        return how === 'deleted'
          ? { resourceType: other.resourceType, meta: { ...meta, isDeleted: true } }
          : { ...other, meta };
      }),
    );

/** Another each time; some are in a currency that the farm does not keep its books in. */
const price = (nth: number) => ({
  trade: {
    price: { amount: `7.${nth}`, currency: nth % 3 === 0 ? 'NZD' : 'AUD', basis: 'perHead' },
    fees: [{ kind: 'freight', amount: '1.11' }],
  },
});
