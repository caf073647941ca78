/** Why head changed, or, for the last three, what was seen or done without changing any (`delta` 0). */
export const CATEGORIES = [
  'opening',
  'birth',
  'purchase',
  'transfer_in',
  'tagging',
  'mob_transfer',
  'paddock_move',
  'reclassification',
  'adjust_in',
  'adjust_out',
  'transfer_out',
  'sale',
  'ration',
  'death',
  'missing',
  'treatment',
  'feeding',
  'count',
] as const;

export type Category = (typeof CATEGORIES)[number];

/** Said of a species, an age class or an enterprise that no record names. */
export const UNASSIGNED = 'Unassigned';

/** Where head stand. `mob` and `paddock` are '' for none; the others UNASSIGNED. */
export interface Holding {
  /** ICAR's spelling where the standard has the species: `Cattle`, `Sheep`, … */
  readonly species: string;
  /** The enterprise's id. */
  readonly enterprise: string;
  readonly ageClass: string;
  /** The mob's id. */
  readonly mob: string;
  /** The paddock's id. */
  readonly paddock: string;
}

/**
 * One line of the head ledger. The lines of a record are balanced: what leaves one holding and stays on the farm
 * enters another. A sale is negative, a sale return positive.
 */
export interface HeadLine extends Holding {
  readonly category: Category;
  /** `scheme|id` of an individually managed animal, '' for head of a mob. */
  readonly animal: string;
  /** Of those that have a record of their own, even where the line does not name them; else of those known by number. */
  readonly managed: boolean;
  readonly delta: number;
  /** Head concerned: |delta|, or those treated, fed or counted when delta is 0. */
  readonly head: number;
  /** Farm currency, exact: of an opening, the landed purchase, the gross sale; for the line's head together. Absent: not known. */
  readonly value?: string;
  /** For a count: head in the book at that instant, at the grain of the count. */
  readonly book?: number;
  /** The day on which what was treated or fed is clear for slaughter, and for export; set while withholding lasts. */
  readonly whpClear?: string;
  readonly esiClear?: string;
  /** Withheld head by number were the last such of their mob: who comes into it later is not withheld for their sake. */
  readonly empties?: true;
}

export function animalKey(scheme: string, id: string): string {
  return `${scheme}|${id}`;
}

/** The animal's own id (its tag) of an animal key. */
export function tagOf(animal: string): string {
  return animal.slice(animal.indexOf('|') + 1);
}
