import { ANTIBIOTIC, animalOf, treatAnimal } from './care.js';
import { type Diary, FINANCIAL_YEARS, HOME_PIC } from './diary.js';
import { ateAlone, BARLEY } from './feeds.js';
import { moveTo, rotate } from './grazing.js';
import { classAndEnterprise } from './head-changes.js';
import { BULL, CALF, COW, HEIFER, type Kind, STEER } from './kinds.js';
import { ANGUS_STUD, BULL_BUYERS, type Party } from './parties.js';
import { dollars, tradeOf } from './trades.js';

interface Tagged {
  readonly tag: string;
  readonly sex: 'Female' | 'Male';
  readonly born: string;
}

/** The Angus stud: every animal has a tag and a record of its own. */
export function tellOfTheStud(diary: Diary): void {
  const cows = Array.from({ length: 20 }, (_, index) => ({
    tag: tagOf('H', index + 1),
    sex: 'Female' as const,
    born: `${2018 + (index % 4)}-08-${String(10 + (index % 18))}`,
  }));
  rotate(diary, 'stud-cows', ['creek', 'lucerne', 'river-flat'], 10);
  diary.on('2024-07-15T09:00', () => cows.forEach((cow) => tagCow(diary, cow)));
  for (const year of FINANCIAL_YEARS) tellOfDrop(diary, cows, year);
  tellOfDoctoring(diary, cows);
  for (const year of FINANCIAL_YEARS) diary.on(`${year}-08-21T13:00`, () => buyBull(diary, year));
}

/** The animal stood in its mob all along; from now on it has a record of its own. */
function tagCow(diary: Diary, cow: Tagged): void {
  declareAnimal(diary, cow);
  diary.event('icarMovementBirthEventResource', `tagging-${cow.tag}`, {
    animal: animalOf(cow.tag),
    registrationReason: 'Registered',
    ext: { mobId: 'stud-cows', enterpriseId: COW.enterprise, ageClass: COW.ageClass },
  });
}

/** One year's calves: born, weaned into a mob of their own, classed, and the best bulls sold the next spring. */
function tellOfDrop(diary: Diary, cows: readonly Tagged[], year: 2024 | 2025): void {
  const calves: Tagged[] = [];
  const letter = year === 2024 ? 'V' : 'W';
  for (const [index] of cows.entries()) {
    if (index % 9 === 4) continue; // This cow is empty.
    const born = `${year}-08-${String(2 + ((index * 7) % 27)).padStart(2, '0')}`;
    const sex = diary.chance.next() < 0.5 ? 'Female' : 'Male';
    const calf = { tag: tagOf(letter, calves.length + 1), sex, born } as const;
    calves.push(calf);
    diary.on(`${born}T06:50`, () => calve(diary, calf));
  }
  const males = calves.filter(({ sex }) => sex === 'Male');
  const females = calves.filter(({ sex }) => sex === 'Female');
  diary.on(`${year + 1}-03-12`, () => calves.forEach((calf) => join(diary, calf, 'stud-weaners', CALF)));
  diary.on(`${year + 1}-03-13`, () => moveTo(diary, 'stud-weaners', 'shelter'));
  diary.on(`${year + 1}-03-27`, () => {
    classAnimals(diary, females, CALF, HEIFER, 'Weaned');
    classAnimals(diary, males, CALF, BULL, 'Weaned, kept entire');
  });
  diary.on(`${year + 1}-03-28T10:30`, () => males.forEach((bull) => weigh(diary, bull)));
  if (year === 2024) tellOfBullSale(diary, males, females);
}

function tellOfBullSale(diary: Diary, males: readonly Tagged[], females: readonly Tagged[]): void {
  const forSale = males.slice(0, 5);
  const cut = males.slice(5, 7);
  diary.on('2025-07-08', () => classAnimals(diary, cut, BULL, STEER, 'Cut, to be grown out'));
  diary.on('2025-07-09', () => cut.forEach((steer) => join(diary, steer, 'steers', STEER)));
  for (const day of ['2025-08-18', '2025-08-25', '2025-09-01'])
    diary.on(`${day}T17:00`, () =>
      forSale.forEach(({ tag }) =>
        ateAlone(diary, animalOf(tag), tag, BARLEY, Math.round(diary.chance.near(52, 0.15)) / 10),
      ),
    );
  diary.on('2025-09-10', () => forSale.forEach((bull) => part(diary, bull, BULL)));
  diary.on('2025-09-11T13:00', () =>
    forSale.forEach(({ tag }, lot) => {
      const price = dollars(Math.round(diary.chance.near(7200, 0.25) / 250) * 250);
      const fees = [{ kind: 'commission', amount: dollars(Number(price) * 0.06) }];
      sellOne(diary, tag, diary.chance.pick(BULL_BUYERS), {
        price,
        fees,
        reference: `WIR-25-LOT-${String(lot + 1)}`,
      });
    }),
  );
  diary.on('2026-02-20T10:00', () =>
    females.slice(0, 3).forEach(({ tag }) => {
      const fees = [{ kind: 'freight', amount: '45.00' }];
      diary.book.add({ mob: 'stud-weaners', kind: HEIFER, head: -1 });
      sellOne(diary, tag, BULL_BUYERS[0], { price: '1650.00', fees, reference: 'WIR-26-HEIFERS' });
    }),
  );
}

/** A three-dose course for a lame cow, a cow lost in calving, a bull looked over. */
function tellOfDoctoring(diary: Diary, cows: readonly Tagged[]): void {
  const [, , lame, , lost] = cows;
  const dosing = {
    medicine: ANTIBIOTIC,
    dose: 50,
    batch: { identifier: 'OX-2025-03', expiryDate: '2027-03-31' },
    procedure: 'Injection',
    reason: 'Foot abscess',
  };
  for (const day of ['2025-09-03', '2025-09-05', '2025-09-07'])
    diary.on(`${day}T16:45`, () => lame && treatAnimal(diary, lame.tag, dosing, 'foot-abscess-2025-09'));
  diary.on('2025-08-09T05:30', () => {
    diary.book.add({ mob: 'stud-cows', kind: COW, head: -1 });
    diary.event('icarMovementDeathEventResource', `death-${lost?.tag ?? ''}`, {
      animal: animalOf(lost?.tag ?? ''),
      deathReason: 'Parturition',
      deathMethod: 'Perished',
      disposalMethod: 'OnPremise',
      explanation: 'Calf coming backwards',
    });
  });
}

function buyBull(diary: Diary, year: number): void {
  const bull: Tagged = { tag: `NB118352XBQ${String(year)}7`, sex: 'Male', born: `${year - 2}-07-20` };
  diary.book.add({ mob: 'bulls', kind: BULL, head: 1 });
  const price = year === 2024 ? '8500.00' : '10250.00';
  const fees = [
    { kind: 'insurance', amount: dollars(Number(price) * 0.045) },
    { kind: 'freight', amount: '180.00' },
  ];
  diary.event('icarMovementArrivalEventResource', `purchase-${bull.tag}`, {
    animal: animalOf(bull.tag),
    animalDetail: detailOf(bull),
    arrivalReason: 'Purchase',
    consignment: { originLocation: { scheme: 'au.pic', id: ANGUS_STUD.pic }, countConsigned: 1 },
    ext: {
      ...standing('bulls', BULL),
      ...(diary.book.paddockOf('bulls') && { paddockId: diary.book.paddockOf('bulls') }),
      trade: tradeOf(diary, 1, ANGUS_STUD, {
        price,
        basis: 'perHead',
        reference: `COOL-${year}-LOT-17`,
        saleType: 'on-property',
        weight: { value: '742', type: 'live' },
        fees,
      }),
    },
  });
}

function calve(diary: Diary, calf: Tagged): void {
  diary.book.add({ mob: 'stud-cows', kind: CALF, head: 1 });
  const paddockId = diary.book.paddockOf('stud-cows');
  diary.event('icarMovementBirthEventResource', `birth-${calf.tag}`, {
    animal: animalOf(calf.tag),
    animalDetail: detailOf(calf),
    registrationReason: 'Born',
    ext: { ...standing('stud-cows', CALF), ...(paddockId && { paddockId }) },
  });
}

function join(diary: Diary, { tag }: Tagged, mob: string, kind: Kind): void {
  const from = mob === 'steers' ? 'stud-weaners' : 'stud-cows';
  const here = diary.book.paddockOf(from);
  diary.book.add({ mob: from, kind, head: -1 });
  diary.book.add({ mob, kind, head: 1 });
  if (here !== undefined && diary.book.paddockOf(mob) === undefined) diary.book.move(mob, here);
  diary.event('icarAnimalSetJoinEventResource', `join-${mob}-${tag}`, {
    animal: animalOf(tag),
    animalSetId: mob,
  });
}

/** The animal leaves its mob and stands alone. */
function part(diary: Diary, { tag }: Tagged, kind: Kind): void {
  diary.book.add({ mob: 'stud-weaners', kind, head: -1 });
  diary.event('icarAnimalSetLeaveEventResource', `leave-stud-weaners-${tag}`, {
    animal: animalOf(tag),
    animalSetId: 'stud-weaners',
  });
}

function classAnimals(diary: Diary, animals: readonly Tagged[], from: Kind, to: Kind, cause: string): void {
  diary.book.add({ mob: 'stud-weaners', kind: from, head: -animals.length });
  diary.book.add({ mob: 'stud-weaners', kind: to, head: animals.length });
  diary.note('Reclassification', `reclassification-stud-${to.ageClass}`, {
    animals: animals.map(({ tag }) => animalOf(tag)),
    species: from.species,
    from: classAndEnterprise(from),
    to: classAndEnterprise(to),
    cause,
  });
}

function weigh(diary: Diary, { tag }: Tagged): void {
  const measurement = Math.round(diary.chance.near(262, 0.1));
  diary.event('icarWeightEventResource', `weight-${tag}`, {
    animal: animalOf(tag),
    weight: { measurement, units: 'KGM', method: 'LoadCell' },
  });
}

function sellOne(
  diary: Diary,
  tag: string,
  buyer: Party,
  { price, fees, reference }: { price: string; fees: { kind: string; amount: string }[]; reference: string },
): void {
  const deal = { price, basis: 'perHead', saleType: 'on-property', reference, fees } as const;
  diary.event('icarMovementDepartureEventResource', `sale-${tag}`, {
    animal: animalOf(tag),
    departureKind: 'Sale',
    consignment: { destinationLocation: { scheme: 'au.pic', id: buyer.pic } },
    ext: { trade: tradeOf(diary, 1, buyer, deal) },
  });
}

function declareAnimal(diary: Diary, animal: Tagged): void {
  diary.declare('icarAnimalCoreResource', animal.tag, detailOf(animal));
}

function detailOf({ tag, sex, born }: Tagged): object {
  return {
    identifier: animalOf(tag),
    specie: 'Cattle',
    gender: sex,
    birthDate: born,
    primaryBreed: { scheme: 'breed-name', id: 'Angus' },
    managementTag: tag.slice(-4),
  };
}

function standing(mob: string, kind: Kind): object {
  return { mobId: mob, ...classAndEnterprise(kind) };
}

/** In the manner of the visual tag: property, maker, year letter, number. */
function tagOf(letter: string, number: number): string {
  return `${HOME_PIC}XB${letter}${String(number).padStart(5, '0')}`;
}
