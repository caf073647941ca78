const record = (resourceType: string, sourceId: string, date: string, said: object) => ({
  resourceType,
  meta: { source: 'csv', sourceId, modified: '1970-01-01T00:00:00Z' },
  date,
  ...said,
});
const timed = (resourceType: string, sourceId: string, eventDateTime: string, said: object) => ({
  resourceType,
  meta: { source: 'csv', sourceId, modified: '1970-01-01T00:00:00Z' },
  eventDateTime,
  ...said,
});
const sheep = (count: number | undefined, more: object = {}) => ({
  groupMethod: 'InventoryClassification',
  inventoryClassification: { species: 'Sheep', ...(count !== undefined && { count }), ...more },
});
const calf = { scheme: 'au.nlis', id: '982 000100000001' };
const steer = { scheme: 'au.nlis', id: '982 000100000002' };
const kg = (value: string) => ({ value, unit: 'KGM', type: 'live' });
const fee = (kind: string, amount: string) => ({ kind, amount });
const price = (amount: string, basis: string) => ({ amount, currency: 'AUD', basis });
const opening = (species: string, ageClass: string, head: number, where: object) => ({
  lines: [{ species, ageClass, head, ...where }],
});

/** What docs/samples/records.csv says, as JSON says it. */
export const sampleRecords = [
  {
    resourceType: 'Paddock',
    meta: { source: 'csv', sourceId: 'L1', modified: '1970-01-01T00:00:00Z' },
    id: 'hill',
    name: 'Hill',
    landUse: 'Grazing',
    totalArea: 310.5,
    grazableArea: '298',
  },
  {
    resourceType: 'Paddock',
    meta: { source: 'csv', sourceId: 'L2', modified: '1970-01-01T00:00:00Z' },
    id: 'hill',
    name: 'Hill',
    landUse: 'Grazing',
    totalArea: 310.5,
    grazableArea: '280',
    validFrom: '2025-01-01',
  },
  record(
    'OpeningStock',
    'O1',
    '2024-07-01',
    opening('Sheep', 'ewe', 1200, {
      enterpriseId: 'wool',
      mobId: 'ewes',
      paddockId: 'hill',
      value: '108000',
    }),
  ),
  record(
    'OpeningStock',
    'O2',
    '2024-07-01',
    opening('Cattle', 'cow', 80, {
      enterpriseId: 'breeding',
      mobId: 'cows',
      paddockId: 'river',
      value: 96000,
    }),
  ),
  record('icarGroupMovementBirthEventResource', 'B1', '2024-08-20', {
    ...sheep(950),
    ext: { ageClass: 'lamb', enterpriseId: 'wool', mobId: 'ewes', paddockId: 'hill' },
  }),
  record('icarMovementBirthEventResource', 'B2', '2024-09-02', {
    animal: calf,
    animalDetail: { specie: 'Cattle', gender: 'Female', primaryBreed: { id: 'ANG' } },
    registrationReason: 'Born',
    ext: { ageClass: 'calf', enterpriseId: 'breeding', mobId: 'cows', paddockId: 'river' },
  }),
  record('icarGroupMovementArrivalEventResource', 'P1', '2024-09-10', {
    ...sheep(12, { sex: 'Male', primaryBreed: { id: 'Merino' } }),
    arrivalReason: 'Purchase',
    ext: {
      ageClass: 'ram',
      enterpriseId: 'wool',
      mobId: 'rams',
      paddockId: 'ram paddock',
      trade: {
        price: price('1500.00', 'perHead'),
        fees: [fee('freight', '220.00')],
        counterparty: 'Smith, J. & Co',
        counterpartyPic: 'NA123456',
        reference: 'INV-77',
        nvd: 'LX1234567',
      },
    },
  }),
  record('icarMovementArrivalEventResource', 'P2', '2024-09-12', {
    animal: steer,
    animalDetail: { specie: 'Cattle', gender: 'Male', primaryBreed: { id: 'ANG' } },
    arrivalReason: 'Purchase',
    ext: {
      ageClass: 'steer',
      enterpriseId: 'trading',
      mobId: 'steers',
      paddockId: 'flat',
      trade: {
        price: price('3.85', 'perKg'),
        weight: kg('310'),
        counterparty: 'Elders',
        counterpartyPic: 'NB234567',
        reference: 'INV-81',
        nvd: 'LX7654321',
      },
    },
  }),
  timed('icarGroupMovementArrivalEventResource', 'A1', '2024-09-15T06:45:00.000Z', {
    groupMethod: 'InventoryClassification',
    inventoryClassification: { species: 'Cattle', count: 10 },
    arrivalReason: 'InternalTransfer',
    ext: {
      ageClass: 'heifer',
      enterpriseId: 'breeding',
      mobId: 'heifers',
      paddockId: 'flat',
      trade: { counterparty: 'Home block', counterpartyPic: 'NE567890', nvd: 'LX3333333' },
    },
  }),
  record('icarGroupTreatmentEventResource', 'T1', '2024-09-20', {
    ...sheep(undefined),
    medicine: { name: 'Cydectin' },
    dosePerAnimal: { doseQuantity: 5, doseUnits: 'ml' },
    batches: [{ identifier: 'B1234', expiryDate: '2025-12-31' }],
    responsible: 'Pat',
    ext: {
      mobId: 'ewes',
      whpDays: 14,
      esiDays: 28,
      courseId: 'spring-drench',
      reason: 'worms',
      unitCost: { amount: '0.12', currency: 'AUD' },
    },
  }),
  record('icarTreatmentEventResource', 'T2', '2024-09-21', {
    animal: steer,
    medicine: { name: 'Ultravac' },
    dose: { doseQuantity: 4, doseUnits: 'ml' },
    batches: [{ identifier: 'V77', expiryDate: '2026-03-31' }],
    responsible: 'Pat',
    ext: { whpDays: 0, esiDays: 0, reason: 'vaccination' },
  }),
  record('PaddockMove', 'M1', '2024-10-01', { mobId: 'ewes', toPaddockId: 'flat' }),
  record('PaddockMove', 'M2', '2024-10-02', { animals: [steer], toPaddockId: 'river' }),
  timed('PaddockMove', 'M3', '2024-11-01T01:00:00Z', { mobId: 'cows', toPaddockId: 'hill' }),
  record('MobTransfer', 'X1', '2024-12-01', {
    from: { mobId: 'ewes' },
    to: [{ mobId: 'lambs', head: 200, species: 'Sheep', ageClass: 'lamb', paddockId: 'hill' }],
  }),
  timed('icarAnimalSetJoinEventResource', 'X2', '2024-10-09T22:30:00Z', {
    animal: steer,
    animalSetId: 'heifers',
  }),
  record('icarGroupFeedingEventResource', 'F1', '2024-10-05', {
    feedTotal: [{ feedId: { id: 'hay' }, feedConsumption: { value: 350, unitCode: 'KGM' } }],
    ext: { mobId: 'cows', unitCost: { amount: '0.32', currency: 'AUD', unit: 'kg' } },
  }),
  record('icarGroupMovementDeathEventResource', 'D1', '2024-11-03', {
    ...sheep(7),
    deathMethod: 'Perished',
    ext: { ageClass: 'ewe', mobId: 'ewes' },
  }),
  record('icarGroupMovementDeathEventResource', 'D2', '2024-12-20', {
    ...sheep(2),
    deathReason: 'Consumption',
    ext: { ageClass: 'lamb', mobId: 'ewes' },
  }),
  record('Reclassification', 'R1', '2025-01-15', {
    mobId: 'lambs',
    head: 150,
    species: 'Sheep',
    from: { ageClass: 'lamb' },
    to: { ageClass: 'ewe_hogget' },
    cause: 'weaned',
  }),
  record('Reclassification', 'R2', '2025-02-01', { animals: [calf], to: { ageClass: 'heifer' } }),
  record('icarGroupMovementDepartureEventResource', 'S1', '2025-02-11', {
    ...sheep(600),
    departureKind: 'Sale',
    ext: {
      ageClass: 'lamb',
      mobId: 'ewes',
      trade: {
        price: price('142.50', 'perHead'),
        weight: kg('44.5'),
        fees: [fee('commission', '4275.00'), fee('freight', '900.00')],
        counterparty: 'Meatworks',
        counterpartyPic: 'NC345678',
        reference: 'KS-9',
        nvd: 'LX1111111',
        saleType: 'over-the-hooks',
      },
    },
  }),
  record('icarMovementDepartureEventResource', 'S2', '2025-03-04', {
    animal: steer,
    departureKind: 'Sale',
    ext: {
      trade: {
        price: price('3.10', 'perKg'),
        weight: kg('455'),
        fees: [fee('commission', '52.00')],
        counterparty: 'Elders',
        counterpartyPic: 'ND456789',
        reference: 'KS-12',
        nvd: 'LX2222222',
        saleType: 'saleyard',
      },
    },
  }),
  record('icarGroupMovementDepartureEventResource', 'G1', '2025-05-01', {
    inventoryClassification: { species: 'Cattle', count: 4 },
    departureKind: 'Agistment',
    ext: {
      ageClass: 'heifer',
      mobId: 'heifers',
      trade: { counterparty: 'River agistment', counterpartyPic: 'NF678901' },
    },
  }),
  record('StockCount', 'C1', '2025-06-30', {
    lines: [{ species: 'Sheep', ageClass: 'ewe', enterpriseId: 'wool', mobId: 'ewes', head: 1190 }],
    bookAdjustment: true,
  }),
];
