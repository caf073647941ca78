import fc from 'fast-check';
import { meta } from './farm-records-ledger.js';

/** What happens to stock, each animal known: told by mobs or animal by animal it is the same story. */
export interface Happening {
  readonly does: Doing;
  /** Local on the farm. */
  readonly day: string;
  readonly hour: number;
  /** Who it happens to, with what they were before; for arrivals, with what they are. */
  readonly stock: readonly Readonly<Head>[];
  /** What changes about them. */
  readonly to: Partial<Omit<Head, 'tag'>>;
}

export type Doing = Exclude<Wish['does'], never> | 'opening';

export interface Head {
  readonly tag: string;
  ageClass: string;
  enterprise: string;
  mob: string;
  /** '' for none. */
  paddock: string;
}

export const ZONE = 'Australia/Sydney';
const FIRST_DAY = '2024-08-20';
const CLASSES = ['ewe', 'lamb', 'wether'];
const ENTERPRISES = ['wool', 'meat'];
const PADDOCKS = ['p1', 'p2'];
const MOBS = ['m1', 'm2', 'm3', 'm4'];

/** What a story would like to happen; what makes no sense at its moment does not. */
const wish = fc.record({
  does: fc.constantFrom(
    ...(['birth', 'purchase', 'agistment in', 'sale', 'death', 'loss', 'ration', 'agistment out'] as const),
    ...(['class', 'enterprise', 'transfer', 'move', 'treatment', 'feeding'] as const),
  ),
  daysLater: fc.integer({ min: 0, max: 9 }),
  hour: fc.constantFrom(6, 12, 18),
  mob: fc.constantFrom(...MOBS),
  other: fc.constantFrom(...MOBS),
  head: fc.integer({ min: 1, max: 8 }),
  ageClass: fc.constantFrom(...CLASSES),
  enterprise: fc.constantFrom(...ENTERPRISES),
  paddock: fc.constantFrom(...PADDOCKS),
});
type Wish = typeof wish extends fc.Arbitrary<infer Value> ? Value : never;

/** A farm with stock in two mobs, and what becomes of them. */
export const herdStory: fc.Arbitrary<Happening[]> = fc
  .array(wish, { minLength: 3, maxLength: 25 })
  .map((wishes) => new Herd().live(wishes));

class Herd {
  private readonly stock = new Set<Head>();
  private readonly happenings: Happening[] = [];
  /** Withholding of a mob is of all its head by number, so nobody joins one that was treated while any of those are there. */
  private readonly treated = new Set<string>();
  private day = FIRST_DAY;
  private reclassifiedOn = '';
  private tags = 0;

  live(wishes: readonly Wish[]): Happening[] {
    this.arrive('opening', 12, { mob: 'm1', ageClass: 'ewe', enterprise: 'wool', paddock: 'p1' }, 0);
    this.arrive('opening', 5, { mob: 'm2', ageClass: 'lamb', enterprise: 'meat', paddock: '' }, 0);
    for (const each of wishes) {
      this.day = Temporal.PlainDate.from(this.day).add({ days: each.daysLater }).toString();
      this.grant(each);
    }
    return this.happenings.map((each) => ({ ...each }));
  }

  private grant(wished: Wish): void {
    const { does, mob, other, head, ageClass, enterprise, hour } = wished;
    for (const withheld of this.treated) if (this.inMob(withheld).length === 0) this.treated.delete(withheld);
    const paddock = this.paddockOf(mob) ?? wished.paddock;
    const cell = this.cellOf(wished);
    switch (does) {
      case 'birth':
      case 'purchase':
      case 'agistment in':
        if (!this.treated.has(mob)) this.arrive(does, head, { mob, ageClass, enterprise, paddock }, hour);
        return;
      case 'class':
      case 'enterprise': {
        this.reclassify(wished, cell);
        return;
      }
      case 'transfer':
        if (other === mob || this.treated.has(other)) return;
        // No record says that stock leave their paddock for none.
        if (this.paddockOf(other) === '' && paddock !== '') return;
        if (this.treated.has(mob) && cell.length > 0) {
          if (this.paddockOf(other) !== undefined) return;
          this.treated.add(other);
        }
        {
          this.change(does, cell, { mob: other, paddock: this.paddockOf(other) ?? paddock }, hour);
          return;
        }
      case 'move': {
        this.change(does, this.inMob(mob), { paddock: wished.paddock }, hour);
        return;
      }
      case 'treatment':
        if (this.inMob(mob).length > 0) this.treated.add(mob);
        {
          this.change(does, this.inMob(mob), {}, hour);
          return;
        }
      case 'feeding': {
        this.change(does, this.inMob(mob), {}, hour);
        return;
      }
      default:
        this.change(does, cell, {}, hour);
        for (const each of cell) this.stock.delete(each);
    }
  }

  /** Once a day: a mob cannot say whether those changed back are those that changed before. */
  private reclassify({ does, ageClass, enterprise, hour }: Wish, cell: readonly Head[]): void {
    const next = (values: readonly string[], value: string) =>
      values[(values.indexOf(value) + 1) % values.length] ?? value;
    if (this.reclassifiedOn === this.day || cell.length === 0) return;
    this.reclassifiedOn = this.day;
    const to =
      does === 'class'
        ? { ageClass: next(CLASSES, ageClass) }
        : { enterprise: next(ENTERPRISES, enterprise) };
    this.change(does, cell, to, hour);
  }

  private arrive(does: Doing, head: number, what: Omit<Head, 'tag'>, hour: number): void {
    const arrived = Array.from({ length: head }, () => ({ tag: `t${++this.tags}`, ...what }));
    for (const each of arrived) this.stock.add(each);
    this.change(does, arrived, {}, hour);
  }

  private change(does: Doing, who: readonly Head[], to: Happening['to'], hour: number): void {
    if (who.length === 0) return;
    const last = this.happenings.at(-1);
    // One after the other, also within a day.
    const later = last?.day === this.day && last.hour >= hour ? last.hour + 1 : hour;
    if (later > 23) this.day = Temporal.PlainDate.from(this.day).add({ days: 1 }).toString();
    this.happenings.push({
      does,
      day: this.day,
      hour: later > 23 ? 1 : later,
      stock: who.map((each) => ({ ...each })),
      to,
    });
    for (const each of who) Object.assign(each, to);
  }

  private inMob(mob: string): Head[] {
    return [...this.stock].filter((each) => each.mob === mob);
  }

  private cellOf({ mob, ageClass, enterprise, head }: Wish): Head[] {
    return this.inMob(mob)
      .filter((each) => each.ageClass === ageClass && each.enterprise === enterprise)
      .slice(0, head);
  }

  private paddockOf(mob: string): string | undefined {
    return this.inMob(mob)[0]?.paddock;
  }
}

type Telling = (happening: Happening, id: string) => object[];

const GROUP = { groupMethod: 'InventoryClassification' };
const ARRIVALS: Partial<Record<Doing, object>> = {
  birth: { registrationReason: 'Born' },
  purchase: { arrivalReason: 'Purchase' },
  'agistment in': { arrivalReason: 'Agistment' },
};
const KINDS: Partial<Record<Doing, [kind: string, said: object]>> = {
  birth: ['MovementBirth', { registrationReason: 'Born' }],
  purchase: ['MovementArrival', { arrivalReason: 'Purchase' }],
  'agistment in': ['MovementArrival', { arrivalReason: 'Agistment' }],
  sale: ['MovementDeparture', { departureKind: 'Sale' }],
  'agistment out': ['MovementDeparture', { departureKind: 'Agistment' }],
  death: ['MovementDeath', { deathMethod: 'Perished' }],
  loss: ['MovementDeath', { deathMethod: 'Lost' }],
  ration: ['MovementDeath', { deathMethod: 'Slaughter', deathreason: 'Consumption' }],
};

function told(telling: Telling, happenings: readonly Happening[]): object[] {
  return happenings.flatMap((each, index) => telling(each, `h${String(index).padStart(2, '0')}`));
}

/** Head by number: a record a happening. */
export function toldByMobs(happenings: readonly Happening[]): object[] {
  return told(
    (happening, id) => [{ id, ...meta(id), ...when(happening), ...byMob(happening, id) }],
    happenings,
  );
}

/** Every animal by its tag. Stock of the opening are tagged on its day. */
export function toldByAnimals(happenings: readonly Happening[]): object[] {
  return told((happening, id) => byAnimal(happening, id), happenings);
}

function when({ does, day, hour }: Happening): object {
  if (does === 'opening') return { date: day };
  const at = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: ZONE, plainTime: { hour } });
  return { eventDateTime: at.toInstant().toString() };
}

function byMob(happening: Happening, id: string): object {
  const { does, stock, to } = happening;
  const [first] = stock as readonly [Head];
  const whom = { mobId: first.mob, ageClass: first.ageClass, enterpriseId: first.enterprise };
  switch (does) {
    case 'opening':
      return {
        resourceType: 'OpeningStock',
        lines: [
          { species: 'Sheep', ...whom, ...placed(first), head: stock.length, value: `${stock.length * 40}` },
        ],
      };
    case 'class':
    case 'enterprise':
      return {
        resourceType: 'Reclassification',
        mobId: first.mob,
        head: stock.length,
        species: 'Sheep',
        from: { ageClass: first.ageClass, enterpriseId: first.enterprise },
        to: { ageClass: to.ageClass ?? first.ageClass, enterpriseId: to.enterprise ?? first.enterprise },
      };
    case 'transfer':
      return {
        resourceType: 'MobTransfer',
        from: { mobId: first.mob },
        to: [
          {
            mobId: to.mob,
            head: stock.length,
            species: 'Sheep',
            ageClass: first.ageClass,
            enterpriseId: first.enterprise,
            ...(to.paddock && { paddockId: to.paddock }),
          },
        ],
      };
    case 'move':
      return { resourceType: 'PaddockMove', mobId: first.mob, toPaddockId: to.paddock };
    case 'treatment':
      return {
        resourceType: 'icarGroupTreatmentEventResource',
        groupMethod: 'ExistingAnimalSet',
        ...treatment({ mobId: first.mob }),
      };
    case 'feeding':
      return feeding(first.mob);
    default: {
      const [kind, said] = KINDS[does] as [string, object];
      return {
        resourceType: `icarGroup${kind}EventResource`,
        ...GROUP,
        ...said,
        inventoryClassification: { name: 'sheep', species: 'Sheep', count: stock.length },
        ext: { ...whom, ...(does in ARRIVALS && placed(first)), ...trade(happening, id, true) },
      };
    }
  }
}

function byAnimal(happening: Happening, id: string): object[] {
  const { does, stock, to } = happening;
  const animals = stock.map(({ tag }) => animal(tag));
  const said = (resource: object, nth: number | string = '') => ({
    id: `${id}-${nth}`,
    ...meta(`${id}-${nth}`),
    ...when(happening),
    ...resource,
  });
  const each = (resource: (head: Head, nth: number) => object) =>
    stock.map((head, nth) => said({ animal: animal(head.tag), ...resource(head, nth) }, nth));
  switch (does) {
    case 'opening':
      return [
        said(byMob(happening, id)),
        ...each((head) => ({
          resourceType: 'icarMovementBirthEventResource',
          registrationReason: 'Registered',
          ext: { ...whomOf(head), ...placed(head) },
        })),
      ];
    case 'class':
    case 'enterprise': {
      const { ageClass, enterprise } = { ...(stock[0] as Head), ...to };
      return [
        said({
          resourceType: 'Reclassification',
          species: 'Sheep',
          animals,
          to: { ageClass, enterpriseId: enterprise },
        }),
      ];
    }
    case 'transfer':
      return [
        ...each(() => ({ resourceType: 'icarAnimalSetJoinEventResource', animalSetId: to.mob })),
        ...(to.paddock
          ? [said({ resourceType: 'PaddockMove', animals, toPaddockId: to.paddock }, 'move')]
          : []),
      ];
    case 'move':
      return [said({ resourceType: 'PaddockMove', animals, toPaddockId: to.paddock })];
    case 'treatment':
      return each(() => ({ resourceType: 'icarTreatmentEventResource', ...treatment({}) }));
    case 'feeding':
      return [said(feeding((stock[0] as Head).mob))];
    default: {
      const [kind, words] = KINDS[does] as [string, object];
      return each((head, nth) => ({
        resourceType: `icar${kind}EventResource`,
        ...words,
        ext: {
          ...whomOf(head),
          ...(does in ARRIVALS && placed(head)),
          ...trade(happening, id, nth === 0),
        },
      }));
    }
  }
}

function animal(id: string): object {
  return { scheme: 'tag', id };
}

function whomOf({ mob, ageClass, enterprise }: Head): object {
  return { species: 'Sheep', mobId: mob, ageClass, enterpriseId: enterprise };
}

function placed({ paddock }: Head): object {
  return paddock === '' ? {} : { paddockId: paddock };
}

function treatment(ext: object): object {
  return {
    procedure: 'Drench',
    ext: { ...ext, whpDays: 20, esiDays: 30, unitCost: { amount: '0.35', currency: 'AUD' } },
  };
}

function feeding(mob: string): object {
  return {
    resourceType: 'icarGroupFeedingEventResource',
    animalSetId: mob,
    feedTotal: [{ feedId: { id: 'barley' }, feedConsumption: { value: 60, unitCode: 'KGM' } }],
    ext: { mobId: mob, unitCost: { amount: '0.3', currency: 'AUD', unit: 'kg' } },
  };
}

/** Fees are of the whole consignment: they come with the first of its records. */
function trade({ does }: Happening, reference: string, withFees: boolean): object {
  if (does !== 'sale' && does !== 'purchase') return {};
  return {
    trade: {
      price: { amount: does === 'sale' ? '80.10' : '50.25', currency: 'AUD', basis: 'perHead' },
      reference,
      ...(withFees && { fees: [{ kind: 'freight', amount: '31.07' }] }),
    },
  };
}
