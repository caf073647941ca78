import { Chance } from '#muster/cli/demo/story/chance.js';

/** How large a farm is, and how busy over its years. */
export interface FarmSize {
  /** Head of cattle with a tag each; half as many sheep run in mobs beside them. */
  readonly tagged: number;
  readonly paddocks: number;
  readonly records: number;
  /** Whole years, from FIRST_DAY on. */
  readonly years: number;
}

export const FIRST_DAY = '2023-07-01';
const SEED = 20_230_701;
const DAY = 86_400_000;
const CHUNK = 256 * 1024;
/** Cattle of a mob. */
const MOB = 400;
/** Days it takes to tag the herd. */
const TAGGING_DAYS = 60;

/** The farm's records as NDJSON, in the order of their events; the same size always gives the same bytes. */
export function* largeFarm(size: FarmSize): Generator<Buffer> {
  let text = '';
  for (const record of recordsOf(size)) {
    text += `${JSON.stringify(record)}\n`;
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

function* recordsOf(size: FarmSize): Generator<object> {
  const herd = new Herd(size, new Chance(SEED));
  let number = 0;
  const told = (record: object) => ({
    ...record,
    meta: { source: 'bench', sourceId: `r${++number}`, modified: '2025-07-01T00:00:00Z' },
  });
  for (const declared of herd.declarations()) yield told(declared);
  for (const opening of herd.openings()) yield told({ ...opening, date: FIRST_DAY });
  const begin = Date.parse(FIRST_DAY) + 12 * 3_600_000;
  const days = size.years * 365;
  const rest = size.records - number - size.tagged;
  for (let day = 0; day < days; day++) {
    const tagged = day < TAGGING_DAYS ? share(size.tagged, day, TAGGING_DAYS) : 0;
    const happening = [...herd.tag(tagged), ...herd.work(share(rest, day, days))];
    for (const [index, event] of happening.entries()) {
      const at = begin + day * DAY + Math.floor((index * 8 * 3_600_000) / happening.length);
      yield told({ ...event, eventDateTime: new Date(at).toISOString() });
    }
  }
}

/** The nth part of a number that is cut into whole parts. */
function share(number: number, nth: number, parts: number): number {
  return Math.floor((number * (nth + 1)) / parts) - Math.floor((number * nth) / parts);
}

const CLASSES = ['calf', 'heifer', 'cow', 'steer'] as const;
const MEDICINES = ['drench', 'pour-on', 'vaccine', 'antibiotic', 'mineral'] as const;
const FEEDS = ['hay', 'silage', 'barley', 'pellets'] as const;

interface Mob {
  readonly id: string;
  readonly ageClass: string;
  /** Numbers of tagged animals. */
  readonly animals: number[];
}

/** Who is on the farm, and what is done with them. A piece of work is a day in the yards: many records about one mob. */
class Herd {
  private readonly size: FarmSize;
  private readonly chance: Chance;
  private readonly cattle: Mob[];
  private readonly sheep: number;
  private animals = 0;
  private tagged = 0;
  private consignments = 0;

  constructor(size: FarmSize, chance: Chance) {
    this.size = size;
    this.chance = chance;
    const mobs = Math.max(4, Math.ceil(size.tagged / MOB));
    this.cattle = Array.from({ length: mobs }, (_, n) => ({
      id: `cattle-${n}`,
      ageClass: CLASSES[n % CLASSES.length] ?? 'cow',
      animals: [],
    }));
    this.sheep = Math.ceil(mobs / 2);
  }

  *declarations(): Generator<object> {
    for (let n = 0; n < this.size.paddocks; n++)
      yield {
        resourceType: 'Paddock',
        id: `p${n}`,
        name: `Paddock ${n}`,
        landUse: n % 20 === 19 ? 'Cropping' : 'Grazing',
        totalArea: `${20 + (n % 60)}.5`,
        grazableArea: `${18 + (n % 60)}`,
      };
    for (const id of ['breeding', 'trading', 'wool'])
      yield { resourceType: 'Enterprise', id, name: `The ${id} enterprise` };
    for (const { id } of this.cattle) yield { resourceType: 'Mob', id, name: `Mob ${id}`, species: 'Cattle' };
    for (let n = 0; n < this.sheep; n++)
      yield { resourceType: 'Mob', id: `sheep-${n}`, name: `Mob sheep-${n}`, species: 'Sheep' };
    for (const [n, id] of MEDICINES.entries())
      yield { resourceType: 'icarMedicineResource', id, name: id, ext: { whpDays: n * 7, esiDays: n * 14 } };
    for (const id of FEEDS)
      yield {
        resourceType: 'icarFeedResource',
        id,
        name: id,
        category: 'Roughage',
        ext: { unitCost: { amount: '0.32', currency: 'AUD', unit: 'kg' }, dryMatterPct: '86' },
      };
    for (const [n, ageClass] of [...CLASSES, 'ewe'].entries())
      yield {
        resourceType: 'AnimalUnitRating',
        scope: { species: ageClass === 'ewe' ? 'Sheep' : 'Cattle', ageClass },
        unit: 'dse',
        value: `${ageClass === 'ewe' ? 1.5 : 5 + n}`,
      };
  }

  *openings(): Generator<object> {
    for (const [n, { id: mobId, ageClass }] of this.cattle.entries()) {
      const head = share(this.size.tagged, n, this.cattle.length);
      const line = {
        species: 'Cattle',
        ageClass,
        enterpriseId: 'breeding',
        mobId,
        paddockId: this.paddock(),
      };
      yield { resourceType: 'OpeningStock', lines: [{ ...line, head, value: `${head * 900}` }] };
    }
    for (let n = 0; n < this.sheep; n++) {
      const head = share(this.size.tagged / 2, n, this.sheep);
      const line = { species: 'Sheep', ageClass: 'ewe', enterpriseId: 'wool', mobId: `sheep-${n}` };
      yield {
        resourceType: 'OpeningStock',
        lines: [{ ...line, paddockId: this.paddock(), head, value: `${head * 120}` }],
      };
    }
  }

  *tag(count: number): Generator<object> {
    for (let n = 0; n < count; n++) {
      const mob = this.cattle[Math.floor((this.tagged++ * this.cattle.length) / this.size.tagged)];
      if (mob)
        yield {
          resourceType: 'icarMovementBirthEventResource',
          ...this.newcomer(mob),
          registrationReason: 'Registered',
          ext: { mobId: mob.id },
        };
    }
  }

  /** So many records of all that is done in a day. */
  *work(count: number): Generator<object> {
    let done = 0;
    while (done < count) {
      for (const record of this.job()) {
        yield record;
        if (++done === count) return;
      }
    }
  }

  private *job(): Generator<object> {
    const mob = this.chance.pick(this.cattle as [Mob, ...Mob[]]);
    const which = this.chance.between(1, 100);
    if (which <= 20) yield* this.weigh(mob);
    else if (which <= 36) yield* this.treat(mob);
    else if (which <= 41) yield* this.draft(mob);
    else if (which <= 48) yield* this.buy(mob);
    else if (which <= 58) yield* this.sell(mob);
    else if (which <= 70) yield* this.calve(mob);
    else if (which <= 75) yield* this.lose(mob);
    else if (which <= 78) yield* this.reclassify(mob);
    else for (let n = 0; n < 8; n++) yield this.runTogether(mob);
  }

  private *weigh(mob: Mob): Generator<object> {
    for (const animal of this.some(mob, 60))
      yield {
        resourceType: 'icarWeightEventResource',
        ...named(animal),
        weight: { measurement: this.chance.between(180, 640), units: 'KGM' },
      };
  }

  private *treat(mob: Mob): Generator<object> {
    const id = this.chance.pick(MEDICINES);
    for (const animal of this.some(mob, 60))
      yield {
        resourceType: 'icarTreatmentEventResource',
        ...named(animal),
        medicine: { name: id, identifier: { scheme: 'farm', id } },
        procedure: 'Injection',
        dose: { doseQuantity: '12.5', doseUnits: 'ml' },
        batches: [{ identifier: `B${animal % 90}`, expiryDate: '2026-12-31' }],
        ext: { reason: 'worms', unitCost: { amount: '0.11', currency: 'AUD' } },
      };
  }

  private *draft(from: Mob): Generator<object> {
    const to = this.chance.pick(this.cattle as [Mob, ...Mob[]]);
    if (to === from) return;
    for (const animal of this.some(from, 30, true)) {
      to.animals.push(animal);
      yield { resourceType: 'icarAnimalSetJoinEventResource', ...named(animal), animalSetId: to.id };
    }
  }

  private *buy(mob: Mob): Generator<object> {
    const trade = this.trade('perHead', this.chance.between(600, 1900));
    const ext = { mobId: mob.id, ageClass: mob.ageClass, enterpriseId: 'trading', paddockId: this.paddock() };
    for (let n = 0; n < 40; n++)
      yield {
        resourceType: 'icarMovementArrivalEventResource',
        ...this.newcomer(mob),
        arrivalReason: 'Purchase',
        ext: { ...ext, trade },
      };
  }

  private *sell(mob: Mob): Generator<object> {
    const trade = {
      ...this.trade('perKg', 3),
      weight: { value: this.chance.between(350, 620), unit: 'KGM', type: 'live' },
      saleType: 'saleyard',
    };
    for (const animal of this.some(mob, 40, true))
      yield {
        resourceType: 'icarMovementDepartureEventResource',
        ...named(animal),
        departureKind: 'Sale',
        ext: { trade },
      };
  }

  private *calve(mob: Mob): Generator<object> {
    for (let n = 0; n < 12; n++)
      yield {
        resourceType: 'icarMovementBirthEventResource',
        ...this.newcomer(mob),
        registrationReason: 'Born',
        ext: { mobId: mob.id, ageClass: 'calf', enterpriseId: 'breeding', paddockId: this.paddock() },
      };
  }

  private *lose(mob: Mob): Generator<object> {
    const [deathReason, deathMethod] = this.chance.pick([
      ['Disease', 'Perished'],
      ['Missing', 'Lost'],
      ['Consumption', 'Slaughter'],
    ]) as [string, string];
    for (const animal of this.some(mob, 4, true))
      yield {
        resourceType: 'icarMovementDeathEventResource',
        ...named(animal),
        deathReason,
        deathMethod,
      };
  }

  private *reclassify(mob: Mob): Generator<object> {
    const animals = this.some(mob, 20).map((animal) => named(animal).animal);
    if (animals.length === 0) return;
    const to = { ageClass: this.chance.pick(CLASSES) };
    yield { resourceType: 'Reclassification', animals, species: 'Cattle', to, cause: 'weaning' };
  }

  /** Something done with a mob as a whole, of sheep mostly. */
  private runTogether(mob: Mob): object {
    const mobId = `sheep-${this.chance.between(0, this.sheep - 1)}`;
    const head = this.chance.between(1, 30);
    const group = {
      groupMethod: 'InventoryClassification',
      inventoryClassification: { name: 'sheep', species: 'Sheep', count: head },
    };
    const ext = { mobId, ageClass: 'ewe', enterpriseId: 'wool' };
    switch (this.chance.between(0, 6)) {
      case 0:
        return {
          resourceType: 'icarGroupMovementBirthEventResource',
          ...group,
          registrationReason: 'Born',
          ext: { ...ext, paddockId: this.paddock() },
        };
      case 1:
        return {
          resourceType: 'icarGroupMovementDeathEventResource',
          ...group,
          deathMethod: 'Perished',
          ext,
        };
      case 2:
        return {
          resourceType: 'icarGroupMovementDepartureEventResource',
          ...group,
          departureKind: 'Sale',
          ext: { ...ext, trade: this.trade('perHead', 140) },
        };
      case 3:
        return {
          resourceType: 'icarGroupTreatmentEventResource',
          groupMethod: 'ExistingAnimalSet',
          medicine: { name: 'drench', identifier: { scheme: 'farm', id: 'drench' } },
          dosePerAnimal: { doseQuantity: '10', doseUnits: 'ml' },
          ext: { mobId },
        };
      case 4:
        return {
          resourceType: 'FeedSale',
          feedId: this.chance.pick(FEEDS),
          quantity: `${this.chance.between(1, 40)}.25`,
          unit: 't',
          price: { amount: '310', currency: 'AUD', basis: 'perUnit' },
          buyer: 'Next door',
          reference: `F${++this.consignments}`,
        };
      case 5:
        return {
          resourceType: 'icarGroupFeedingEventResource',
          groupMethod: 'ExistingAnimalSet',
          feedPerAnimal: [
            {
              feedId: { scheme: 'farm', id: this.chance.pick(FEEDS) },
              feedConsumption: { value: '2.4', unitCode: 'KGM' },
            },
          ],
          ext: { mobId: mob.id },
        };
      default:
        return { resourceType: 'PaddockMove', mobId: mob.id, toPaddockId: this.paddock() };
    }
  }

  private trade(basis: string, amount: number): object {
    return {
      price: { amount: `${amount}.40`, currency: 'AUD', basis },
      fees: [{ kind: 'commission', amount: '12.60' }],
      counterparty: `Trader ${this.consignments % 50}`,
      reference: `C${++this.consignments}`,
      nvd: `N${this.consignments}`,
    };
  }

  private newcomer(mob: Mob): object {
    const animal = this.animals++;
    mob.animals.push(animal);
    const { animal: identifier } = named(animal);
    return {
      animal: identifier,
      animalDetail: { identifier, specie: 'Cattle', gender: animal % 2 ? 'Male' : 'Female' },
    };
  }

  /** Animals of a mob, in the order they are drafted; `leaving`: they are no longer in it. */
  private some({ animals }: Mob, most: number, leaving = false): number[] {
    const first = this.chance.between(0, Math.max(0, animals.length - most));
    return leaving ? animals.splice(first, most) : animals.slice(first, first + most);
  }

  private paddock(): string {
    return `p${this.chance.between(0, this.size.paddocks - 1)}`;
  }
}

function named(animal: number): { animal: object } {
  return { animal: { scheme: 'au.nlis', id: `3ABCD${String(animal).padStart(9, '0')}` } };
}
