import { Courses } from './courses.js';
import { type HeadLine, type Holding } from './head-line.js';
import { Medicines } from './medicines.js';
import type { DeclaredAnimal } from './resources/index.js';

/** Head of one holding: those known only by number, and those that have a record of their own. */
export interface Cell {
  readonly holding: Holding;
  loose: number;
  managed: number;
}

/** An individually managed animal. `holding` is where it was last put; its mob may have moved on since. */
export interface AnimalState {
  holding: Holding;
  /** 1 while it is on the farm; more or less when the records contradict each other. */
  head: number;
  /** Unix milliseconds since when it stands there. */
  since: number;
  whpClear?: string;
  esiClear?: string;
}

/** Days on which stock is clear; absent: no withholding known. */
export interface Clearance {
  readonly whpClear?: string;
  readonly esiClear?: string;
}

interface MobTreatment extends Clearance {
  readonly at: number;
  /** Of head by number that are still there. */
  loose: boolean;
}

/**
 * The book of head at one moment of the ledger, as far as it was loaded: what the fold reads, and what its lines change. Lines must be
 * posted in the order of events.
 */
export class StockBook {
  readonly medicines = new Medicines();
  readonly courses = new Courses();
  /** Days of withholding of the feeds that are declared, by id. */
  readonly feedDays = new Map<string, number | undefined>();
  private readonly mobs = new Map<string, Map<string, Cell>>();
  private readonly animals = new Map<string, AnimalState>();
  private readonly members = new Map<string, Set<string>>();
  private readonly treatments = new Map<string, MobTreatment[]>();
  private readonly declaredAnimals = new Map<string, DeclaredAnimal>();
  private readonly mobSpecies = new Map<string, string>();
  private readonly paddockNames = new Map<string, string>();

  loadCell(holding: Holding, managed: boolean, head: number): void {
    this.cellOf(holding)[managed ? 'managed' : 'loose'] += head;
  }

  loadAnimal(key: string, state: AnimalState): void {
    this.animals.set(key, state);
    if (state.head > 0) this.membersOf(state.holding.mob).add(key);
  }

  /** `loose`: head by number that had it have been there since. */
  loadTreatment(mob: string, at: number, clearance: Clearance, loose: boolean): void {
    this.treatmentsOf(mob).push({ ...clearance, at, loose });
  }

  declareAnimal(animal: DeclaredAnimal): void {
    this.declaredAnimals.set(animal.key, animal);
  }

  declareMobSpecies(mob: string, species: string): void {
    this.mobSpecies.set(mob, species);
  }

  declarePaddock(id: string, name: string): void {
    this.paddockNames.set(id, id);
    if (!this.paddockNames.has(name)) this.paddockNames.set(name, id);
  }

  /** The cells of a mob with head, negative ones too, in the order of their keys; '' for head in no mob. */
  cells(mob: string): Cell[] {
    return sorted(this.mobs.get(mob)?.values() ?? []);
  }

  /** The cells of the whole farm; right only when all were loaded. */
  allCells(): Cell[] {
    return sorted([...this.mobs.values()].flatMap((cells) => [...cells.values()]));
  }

  animal(key: string): AnimalState | undefined {
    return this.animals.get(key);
  }

  /** The animals that stand in a mob, by key. */
  animalsIn(mob: string): string[] {
    return [...(this.members.get(mob) ?? [])].sort();
  }

  declared(key: string): DeclaredAnimal | undefined {
    return this.declaredAnimals.get(key);
  }

  speciesOf(mob: string): string | undefined {
    return this.mobSpecies.get(mob);
  }

  /** The paddock that an observer called so, by its id or its name; the name itself when none is declared. */
  paddockCalled(name: string): string {
    return this.paddockNames.get(name) ?? name;
  }

  /** An animal's holding with the paddock that its mob has moved it to since. */
  locate(state: AnimalState): Holding {
    const { holding } = state;
    if (holding.mob === '' || state.head <= 0) return holding;
    const places = this.cells(holding.mob).filter(
      (cell) => cell.managed > 0 && sameClass(cell.holding, holding),
    );
    const own = places.find((cell) => cell.holding.paddock === holding.paddock);
    return own?.holding ?? largest(places, (cell) => cell.managed)?.holding ?? holding;
  }

  /** What head in a mob that have no record of their own are withheld until. */
  clearanceOfLoose(mob: string): Clearance {
    return (this.treatments.get(mob) ?? []).filter(({ loose }) => loose).reduce<Clearance>(laterOf, {});
  }

  /** What animals are withheld until that stand in a mob since an instant. */
  clearanceOfMob(mob: string, since = -Infinity): Clearance {
    return (this.treatments.get(mob) ?? []).filter(({ at }) => at >= since).reduce<Clearance>(laterOf, {});
  }

  /** Whether a mob has head by number. */
  hasLoose(mob: string): boolean {
    return [...(this.mobs.get(mob)?.values() ?? [])].reduce((head, cell) => head + cell.loose, 0) > 0;
  }

  /** The head by number that were withheld are gone. */
  empty(mob: string): void {
    for (const treatment of this.treatments.get(mob) ?? []) treatment.loose = false;
  }

  clearanceOfAnimal(key: string): Clearance {
    const state = this.animals.get(key);
    if (!state) return {};
    return laterOf(
      state,
      state.holding.mob === '' ? {} : this.clearanceOfMob(state.holding.mob, state.since),
    );
  }

  post(line: HeadLine, at: number): void {
    if (line.animal !== '') this.postAnimal(line, at);
    if (line.delta !== 0) {
      this.cellOf(line)[line.managed ? 'managed' : 'loose'] += line.delta;
    }
    const withholds = line.whpClear !== undefined || line.esiClear !== undefined;
    if (withholds && line.animal === '' && line.mob !== '' && line.delta >= 0)
      this.loadTreatment(line.mob, at, clearanceOf(line), true);
  }

  private postAnimal(line: HeadLine, at: number): void {
    const before = this.animals.get(line.animal);
    const head = (before?.head ?? 0) + line.delta;
    const holding = line.delta > 0 || !before ? holdingOf(line) : before.holding;
    const since = line.delta > 0 || !before ? at : before.since;
    if (before) this.membersOf(before.holding.mob).delete(line.animal);
    this.loadAnimal(line.animal, {
      holding,
      since,
      head,
      ...laterOf(before ?? {}, line.delta >= 0 ? clearanceOf(line) : {}),
    });
  }

  private cellOf(holding: Holding): Cell {
    let cells = this.mobs.get(holding.mob);
    if (!cells) this.mobs.set(holding.mob, (cells = new Map<string, Cell>()));
    const key = keyOf(holding);
    let cell = cells.get(key);
    if (!cell) cells.set(key, (cell = { holding: holdingOf(holding), loose: 0, managed: 0 }));
    return cell;
  }

  private membersOf(mob: string): Set<string> {
    let members = this.members.get(mob);
    if (!members) this.members.set(mob, (members = new Set<string>()));
    return members;
  }

  private treatmentsOf(mob: string): MobTreatment[] {
    let treatments = this.treatments.get(mob);
    if (!treatments) this.treatments.set(mob, (treatments = []));
    return treatments;
  }
}

export function holdingOf({ species, enterprise, ageClass, mob, paddock }: Holding): Holding {
  return { species, enterprise, ageClass, mob, paddock };
}

function keyOf({ species, enterprise, ageClass, mob, paddock }: Holding): string {
  return `${species}\n${enterprise}\n${ageClass}\n${mob}\n${paddock}`;
}

/** The one with most; the first by key among equals. */
export function largest(cells: readonly Cell[], count: (cell: Cell) => number): Cell | undefined {
  return cells.reduce<Cell | undefined>(
    (best, cell) => (!best || count(cell) > count(best) ? cell : best),
    undefined,
  );
}

export function laterOf(one: Clearance, other: Clearance): Clearance {
  return clearanceOf({
    whpClear: later(one.whpClear, other.whpClear),
    esiClear: later(one.esiClear, other.esiClear),
  });
}

export function clearanceOf(from: {
  whpClear?: string | undefined;
  esiClear?: string | undefined;
}): Clearance {
  return {
    ...(from.whpClear !== undefined && { whpClear: from.whpClear }),
    ...(from.esiClear !== undefined && { esiClear: from.esiClear }),
  };
}

export function sameClass(one: Holding, other: Holding): boolean {
  return (
    one.species === other.species && one.enterprise === other.enterprise && one.ageClass === other.ageClass
  );
}

export function later(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

function sorted(cells: Iterable<Cell>): Cell[] {
  const held = [...cells].filter((cell) => cell.loose !== 0 || cell.managed !== 0);
  if (held.length < 2) return held;
  return held
    .map((cell) => ({ cell, key: keyOf(cell.holding) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ cell }) => cell);
}
