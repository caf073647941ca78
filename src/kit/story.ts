/** A record without its envelope: ids and `meta` are given to it when it is told. */
export interface Said {
  readonly resourceType: string;
  readonly [field: string]: unknown;
}

export interface StoryOptions {
  /** How a name is written; by default as it is. */
  readonly name?: (plain: string) => string;
}

const SPECIES = { name: 'sheep', species: 'Sheep' };
const WOOL = { enterpriseId: 'wool', ageClass: 'ewe', mobId: 'm1', paddockId: 'p1' };
const HERD = { groupMethod: 'ExistingAnimalSet', ext: { mobId: 'm1' } };

/** What is there before anything happens: land, mobs, feeds, a medicine, ratings, and stock that opens the book on `day`. */
export function farmland(day: string, { name = (plain) => plain }: StoryOptions = {}): Said[] {
  const line = (mobId: string, paddockId: string, head: number) => ({
    species: 'Sheep',
    ageClass: 'ewe',
    enterpriseId: 'wool',
    mobId,
    paddockId,
    head,
    value: String(head * 80),
  });
  return [
    ...['p1', 'p2'].map((id) => ({
      resourceType: 'Paddock',
      id,
      name: name(`Paddock ${id}`),
      landUse: 'Grazing',
      totalArea: '50.5',
      grazableArea: '48',
    })),
    ...['m1', 'm2'].map((id) => ({ resourceType: 'Mob', id, name: name(`Mob ${id}`), species: 'Sheep' })),
    ...['wool', 'meat'].map((id) => ({ resourceType: 'Enterprise', id, name: name(id), species: 'Sheep' })),
    {
      resourceType: 'icarFeedResource',
      id: 'hay',
      name: name('Hay'),
      category: name('Roughage'),
      ext: { unitCost: { amount: '0.25', currency: 'AUD', unit: 'kg' }, dryMatterPct: '88', whpDays: 2 },
    },
    {
      resourceType: 'icarMedicineResource',
      id: 'drench',
      name: name('Drench'),
      ext: { whpDays: 14, esiDays: 30 },
    },
    {
      resourceType: 'AnimalUnitRating',
      scope: { species: 'Sheep', ageClass: 'ewe' },
      unit: 'dse',
      value: '1.5',
      validFrom: '2000-01-01',
    },
    { resourceType: 'OpeningStock', date: day, lines: [line('m1', 'p1', 200), line('m2', 'p2', 90)] },
  ];
}

/** What moves no head: a treatment, a feeding, and feed that is sold. */
export function chores(when: object, { name = (plain) => plain }: StoryOptions = {}): Said[] {
  return [
    {
      resourceType: 'icarGroupTreatmentEventResource',
      ...when,
      ...HERD,
      medicine: { name: name('Drench'), identifier: { scheme: 'farm', id: 'drench' } },
      batches: [{ identifier: name('Batch 1') }],
      dosePerAnimal: { doseQuantity: 2.5, doseUnits: 'ml' },
      responsible: name('Operator'),
      comment: name('Comment'),
      ext: { mobId: 'm1', unitCost: { amount: '0.31', currency: 'AUD' } },
    },
    {
      resourceType: 'icarGroupFeedingEventResource',
      ...when,
      ...HERD,
      feedPerAnimal: [
        { feedId: { scheme: 'farm', id: 'hay' }, entitlement: { value: 1.25, unitCode: 'KGM' } },
      ],
    },
    {
      resourceType: 'FeedSale',
      ...when,
      feedId: 'hay',
      batch: name('Stack'),
      quantity: '3.5',
      unit: 't',
      price: { amount: '212.35', currency: 'AUD', basis: 'perUnit' },
      freight: '12.34',
      fees: [{ kind: 'weighbridge', amount: '5.67' }],
      buyer: name('Feed buyer'),
      reference: name('Feed reference'),
    },
  ];
}

/** What moves or changes head: a purchase, a sale, a birth, a death, a reclassification, a move to a paddock, a count. */
export function stockWork(
  when: object,
  round: number,
  { name = (plain) => plain }: StoryOptions = {},
): Said[] {
  const group = (count: number, more: object = {}) => ({
    ...when,
    groupMethod: 'InventoryClassification',
    inventoryClassification: { ...SPECIES, count },
    ext: { ...WOOL, ...more },
  });
  const trade = (amount: string) => ({
    trade: {
      price: { amount, currency: 'AUD', basis: 'perHead' },
      weight: { value: '45.5', unit: 'KGM', type: 'live' },
      fees: [
        { kind: 'commission', amount: '10.01' },
        { kind: 'freight', amount: '20.02' },
      ],
      counterparty: name('Counterparty'),
      agent: name('Agent'),
      reference: name(`Reference ${round}`),
    },
  });
  return [
    {
      resourceType: 'icarGroupMovementArrivalEventResource',
      arrivalReason: 'Purchase',
      ...group(7, trade('101.10')),
    },
    {
      resourceType: 'icarGroupMovementDepartureEventResource',
      departureKind: 'Sale',
      ...group(4, trade('133.33')),
    },
    { resourceType: 'icarGroupMovementBirthEventResource', ...group(3) },
    { resourceType: 'icarGroupMovementDeathEventResource', deathMethod: 'Perished', ...group(1) },
    {
      resourceType: 'Reclassification',
      ...when,
      mobId: 'm1',
      head: 2,
      species: 'Sheep',
      from: { ageClass: 'ewe' },
      to: { ageClass: name('Old ewe'), enterpriseId: 'meat' },
      cause: name('Cause'),
    },
    { resourceType: 'PaddockMove', ...when, mobId: 'm2', toPaddockId: round % 2 === 0 ? 'p1' : 'p2' },
  ];
}
