import { type Holding, UNASSIGNED } from './head-line.js';
import type { Claim } from './statement.js';
import { type Cell, largest, sameClass, type StockBook } from './stock-book.js';

/** Head picked for an event: from one holding, an animal of it by name or some by number. */
export interface Part {
  readonly holding: Holding;
  readonly head: number;
  readonly managed: boolean;
  /** '' for head by number. */
  readonly animal: string;
}

/** How animals with a record of their own are chosen: by name, by number where it does not matter who they are, or not at all. */
export type AnimalsAre = 'named' | 'anonymous' | 'left out';

/**
 * Which head of a mob an event means that says so many head (absent: all), and perhaps their class, enterprise, paddock.
 *
 * - All that fit: every one, by name where the animals are known by name.
 * - Fewer, of one class: over the paddocks they stand in, by share.
 * - Fewer, of several classes: nobody knows which, so the class is Unassigned.
 * - More than there are: the excess on the largest holding, which turns negative.
 *
 * Head by number go before animals.
 */
export function choose(
  book: StockBook,
  claim: Claim,
  head: number | undefined,
  animals: AnimalsAre = 'named',
): Part[] {
  const cells = book
    .cells(claim.mob ?? '')
    .filter((cell) => fits(cell.holding, claim))
    .map((cell) => (animals === 'left out' ? { ...cell, managed: 0 } : cell));
  const anonymous = animals === 'anonymous';
  const loose = total(cells, looseIn);
  const managed = total(cells, managedIn);
  if (head === undefined) return everything(book, cells, anonymous);
  if (head === 0) return [];
  if (loose + managed > 0 && head >= loose + managed) {
    const held = cells.map((cell) => ({ ...cell, loose: looseIn(cell), managed: managedIn(cell) }));
    return withExcess(everything(book, held, anonymous), cells, head - loose - managed);
  }
  const nameless = anonymous && head > loose ? share(cells, managedIn, head - loose, true) : [];
  const rest = head - nameless.reduce((sum, part) => sum + part.head, 0);
  return [
    ...some(
      book,
      cells.filter((cell) => cell.loose > 0),
      claim,
      rest,
    ),
    ...nameless,
  ];
}

/** The holding that a claim leads to when head are put there: what it does not say is the mob's when the mob has one only. */
export function destination(book: StockBook, claim: Claim): Holding {
  const mob = claim.mob ?? '';
  const here = mob === '' ? [] : book.cells(mob).filter(({ loose, managed }) => loose + managed > 0);
  const species = claim.species ?? only(here, 'species') ?? book.speciesOf(mob) ?? UNASSIGNED;
  const alike = here.filter(({ holding }) => holding.species === species);
  return {
    species,
    enterprise: claim.enterprise ?? only(alike, 'enterprise') ?? UNASSIGNED,
    ageClass: claim.ageClass ?? only(alike, 'ageClass') ?? UNASSIGNED,
    mob,
    paddock: claim.paddock ?? only(here, 'paddock') ?? '',
  };
}

function fits(holding: Holding, claim: Claim): boolean {
  return (
    (claim.species === undefined || claim.species === holding.species) &&
    (claim.enterprise === undefined || claim.enterprise === holding.enterprise) &&
    (claim.ageClass === undefined || claim.ageClass === holding.ageClass) &&
    (claim.paddock === undefined || claim.paddock === holding.paddock)
  );
}

function everything(book: StockBook, cells: readonly Cell[], anonymous: boolean): Part[] {
  const loose = cells.filter((cell) => cell.loose !== 0).map((cell) => byNumber(cell.holding, cell.loose));
  const managed = cells.filter((cell) => cell.managed !== 0);
  if (anonymous || managed.length === 0)
    return [...loose, ...managed.map((cell) => byNumber(cell.holding, cell.managed, true))];
  return [...loose, ...byName(book, managed)];
}

/** Animals of a class over its paddocks; whom the ledger cannot name goes by number. */
function byName(book: StockBook, cells: readonly Cell[]): Part[] {
  let waiting = book.animalsIn(cells[0]?.holding.mob ?? '');
  return cells.flatMap(({ holding, managed }) => {
    const alike = waiting.filter((key) => sameClass(book.animal(key)?.holding ?? holding, holding));
    const named = new Set(alike.slice(0, Math.max(0, managed)));
    waiting = waiting.filter((key) => !named.has(key));
    const parts = [...named].map((animal) => ({ holding, head: 1, managed: true, animal }));
    return named.size === managed ? parts : [...parts, byNumber(holding, managed - named.size, true)];
  });
}

function some(book: StockBook, cells: readonly Cell[], claim: Claim, head: number): Part[] {
  const first = cells[0];
  if (!first) return [byNumber(destination(book, claim), head)];
  const unknown = (['species', 'enterprise', 'ageClass'] as const).filter(
    (what) => only(cells, what) === undefined,
  );
  const parts = share(cells, looseIn, head, false);
  if (unknown.length === 0) return parts;
  const unassigned = Object.fromEntries(unknown.map((what) => [what, UNASSIGNED]));
  return merged(parts.map((part) => ({ ...part, holding: { ...part.holding, ...unassigned } })));
}

/** `head` over cells by their share, what does not divide one by one on the largest, the excess on the largest. */
function share(
  cells: readonly Cell[],
  count: (cell: Cell) => number,
  head: number,
  managed: boolean,
): Part[] {
  const all = total(cells, count);
  const capped = Math.min(head, all);
  const parts = cells
    .filter((cell) => count(cell) > 0)
    .map((cell) => ({ cell, most: count(cell), head: Math.floor((capped * count(cell)) / all) }))
    .sort((one, other) => other.most - one.most);
  let rest = capped - parts.reduce((sum, part) => sum + part.head, 0);
  for (const part of parts) {
    if (rest === 0) break;
    if (part.head < part.most) {
      part.head++;
      rest--;
    }
  }
  const chosen = parts
    .filter((part) => part.head > 0)
    .map((part) => byNumber(part.cell.holding, part.head, managed));
  return withExcess(chosen, cells, head - capped);
}

function withExcess(parts: readonly Part[], cells: readonly Cell[], excess: number): Part[] {
  const cell = largest(cells, looseIn);
  return merged(excess > 0 && cell ? [...parts, byNumber(cell.holding, excess)] : [...parts]);
}

function merged(parts: readonly Part[]): Part[] {
  const sums: Part[] = [];
  for (const part of parts) {
    const index = part.animal === '' ? sums.findIndex((sum) => isAlike(sum, part)) : -1;
    const sum = sums[index];
    if (sum) sums[index] = { ...sum, head: sum.head + part.head };
    else sums.push(part);
  }
  return sums;
}

function isAlike({ animal, managed, holding }: Part, part: Part): boolean {
  return (
    animal === '' &&
    managed === part.managed &&
    sameClass(holding, part.holding) &&
    holding.mob === part.holding.mob &&
    holding.paddock === part.holding.paddock
  );
}

/** Head of a holding of whom nobody says who they are. */
export function byNumber(holding: Holding, head: number, managed = false): Part {
  return { holding, head, managed, animal: '' };
}

/** The one value that all cells share; undefined when there are several or none. */
function only(cells: readonly Cell[], what: keyof Holding): string | undefined {
  const value = cells[0]?.holding[what];
  return cells.every(({ holding }) => holding[what] === value) ? value : undefined;
}

function total(cells: readonly Cell[], count: (cell: Cell) => number): number {
  return cells.reduce((sum, cell) => sum + count(cell), 0);
}

const looseIn = (cell: Cell) => Math.max(0, cell.loose);
const managedIn = (cell: Cell) => Math.max(0, cell.managed);
