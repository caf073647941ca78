import type { AnimalUnitRating, FarmRecords, LocalDate } from '../../farm-records/reader.js';
import { publishedRating, type PublishedTable, publishedTable } from './published-ratings.js';

/** Whose rating is asked for. */
export interface Rated {
  readonly species: string;
  readonly ageClass: string;
  readonly mob: string;
}

/** What a head of some stock is worth in the farm's animal unit, day by day. */
export class Ratings {
  /** The table that was used for stock without a rating of their own. */
  tableUsed: PublishedTable | undefined;
  private readonly given: readonly (AnimalUnitRating & { readonly from: LocalDate })[];
  private readonly table: PublishedTable | undefined;

  constructor(ratings: readonly AnimalUnitRating[], { farm, calendar }: FarmRecords) {
    this.table = publishedTable(farm.animalUnit);
    const dayOf = ({ validFrom }: AnimalUnitRating) => {
      if (!validFrom) return '';
      return 'day' in validFrom ? validFrom.day : calendar.dayOf(validFrom.instant);
    };
    this.given = ratings
      .filter(({ unit }) => unit === farm.animalUnit)
      .map((rating) => ({ ...rating, from: dayOf(rating) }));
  }

  /** Days on which a rating begins to hold. */
  get days(): LocalDate[] {
    return this.given.map(({ from }) => from).filter((day) => day !== '');
  }

  /**
   * Units per head on a day, exact; undefined when nothing says so. A mob's rating beats its class's, a class's its species';
   * of several the latest holds.
   */
  on(day: LocalDate, rated: Rated): string | undefined {
    const held = this.given.filter((rating) => rating.from <= day && precision(rating, rated) > 0);
    const best = held.toSorted(
      (a, b) => precision(b, rated) - precision(a, rated) || (a.from < b.from ? 1 : a.from > b.from ? -1 : 0),
    )[0];
    if (best) return best.value;
    const published = this.table && publishedRating(this.table, rated.species, rated.ageClass);
    if (published !== undefined) this.tableUsed = this.table;
    return published;
  }
}

/** How exactly a rating's scope fits: 0 not at all. */
function precision({ scope }: AnimalUnitRating, { species, ageClass, mob }: Rated): number {
  if (scope.mob !== undefined) return scope.mob === mob ? 3 : 0;
  if (scope.species !== species) return 0;
  if (scope.ageClass === undefined) return 1;
  return scope.ageClass === ageClass ? 2 : 0;
}
