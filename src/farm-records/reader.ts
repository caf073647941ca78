import type { Farm } from './farm.js';
import type { Category, HeadLine, Holding } from './head-line.js';
import type {
  AnimalUnitRating,
  Feed,
  Feeding,
  FeedSale,
  Medicine,
  Paddock,
  Trade,
  Treatment,
} from './resources/index.js';

export { isDay, LAST_DAY } from './calendar.js';
export { daysStated } from './courses.js';
export { feedWhpDays, lastDayFed } from './feed-withholding.js';
export { type Farm, financialYearBegin, naturalIncreaseValue, PRESCRIBED_NATURAL_INCREASE } from './farm.js';
export {
  type AnimalUnitRating,
  type Fed,
  type Feed,
  type Feeding,
  type FeedSale,
  type FeedUnit,
  feesOf,
  grossOf,
  kilograms,
  type MassUnit,
  type Medicine,
  type Paddock,
  type PriceBasis,
  type Trade,
  type Treatment,
  type Weight,
  type When,
} from './resources/index.js';
export { type Category, type HeadLine, type Holding, tagOf, UNASSIGNED } from './head-line.js';

/** A farm-local day, YYYY-MM-DD. */
export type LocalDate = string;

/** Farm-local days, both inclusive. Days beyond what records can have are read as the first or last possible day. */
export interface Period {
  readonly start: LocalDate;
  readonly end: LocalDate;
}

/** What head can be grouped by. */
export type Dimension = 'species' | 'enterprise' | 'ageClass' | 'mob' | 'paddock';

/** A group's dimensions; those not asked for are ''. */
export interface Balance extends Holding {
  readonly head: number;
}

/** A line of the ledger with its instant (Unix milliseconds) and its day on the farm. */
export type DatedLine = HeadLine & { readonly at: number; readonly day: LocalDate };

/** What happened to a group in a period, by category. */
export interface Flow extends Holding {
  readonly category: Category;
  /** Signed: sales are negative. */
  readonly head: number;
  /** Farm currency, exact, of the valued head; '0' when none has a value. Positive for openings, purchases and sales alike. */
  readonly value: string;
  /** Head of the lines that carry a value, unsigned: fewer than |head| means that a value is not known for some. */
  readonly valuedHead: number;
}

/** Which record something comes from, and when it happened on the farm. */
export interface RecordRef {
  readonly source: string;
  readonly sourceId: string;
  readonly resourceType: string;
  readonly day: LocalDate;
  /** HH:MM:SS in the farm's zone; null when the record names a day only. */
  readonly time: string | null;
  /** Unix milliseconds; the start of the day when the record names a day only. */
  readonly at: number;
}

/** An animal as it is declared, as far as it is. */
export interface Animal {
  readonly species?: string;
  readonly sex?: string;
  readonly breed?: string;
  readonly name?: string;
  readonly managementTag?: string;
}

/** A record that brought head or took them away, with its lines of the ledger and, for animals, who they are. */
export interface Movement {
  readonly record: RecordRef;
  readonly lines: readonly HeadLine[];
  readonly trade: Trade;
  /** From `inventoryClassification`. */
  readonly sex?: string;
  readonly breed?: string;
  /** Declared animals among the lines, by animal key. */
  readonly animals: ReadonlyMap<string, Animal>;
}

/** A record of something done to stock, with the head it reached (lines with `delta` 0). */
export interface Act<What> {
  readonly record: RecordRef;
  readonly lines: readonly HeadLine[];
  readonly what: What;
}

export interface TreatmentAct extends Act<Treatment> {
  readonly medicine?: Medicine;
  /** Local day of the last administration of the course to the mob or animal of a line, this one included; without a course it is its own. */
  readonly lastOfCourse: (line: HeadLine) => LocalDate;
}

/** One age-class or enterprise change, netted over the local day. */
export interface Transition {
  readonly day: LocalDate;
  readonly species: string;
  readonly fromAgeClass: string;
  readonly fromEnterprise: string;
  readonly toAgeClass: string;
  readonly toEnterprise: string;
  readonly kind: 'age_class' | 'enterprise' | 'both';
  /** headMob + headIndividual, never 0. */
  readonly head: number;
  readonly headMob: number;
  readonly headIndividual: number;
  /** The causes given, distinct and in order, joined by `; `; '' when none was. */
  readonly cause: string;
}

/** A record with those of its ledger lines that were asked for. */
export interface Entry {
  readonly record: RecordRef;
  readonly lines: readonly HeadLine[];
}

/** A count of stock as it was compared with the book. */
export interface StockCount {
  readonly record: RecordRef;
  /** The grain: '' where the count does not say. */
  readonly species: string;
  readonly enterprise: string;
  readonly ageClass: string;
  readonly mob: string;
  readonly counted: number;
  /** Head in the book just before. */
  readonly book: number;
  /** The difference was booked as an adjustment. */
  readonly booked: boolean;
}

/** A version of a paddock, in force from `validFrom` (null: always) until the next. */
export type PaddockVersion = Paddock;

export interface Names {
  /** The declared name, or the id itself when there is none. */
  enterprise(id: string): string;
  mob(id: string): string;
  paddock(id: string): string;
}

/**
 * The records of one farm as one consistent snapshot: what generators read through. It is bound to its farm and cannot
 * name another. Lists are in the order of the event's instant, then of record ids, whatever order the records came in;
 * what could be long is an async iterable of batches, so memory stays flat.
 */
export interface FarmRecords {
  readonly farm: Farm;
  /** Of the last change of the farm or its records: the same position gives the same answers. */
  readonly position: number;
  readonly names: Names;
  readonly calendar: {
    /** Unix milliseconds at which the day begins in the farm's zone (not always midnight; a missing day begins with the next). */
    startOf(day: LocalDate): number;
    /** The local day of an instant. */
    dayOf(at: number): LocalDate;
    /** HH:MM:SS local. */
    timeOf(at: number): string;
    /** The day `days` later (earlier when negative), by the calendar. */
    plusDays(day: LocalDate, days: number): LocalDate;
    /** The period as whole-month slices, `month` YYYY-MM, each clipped to the period. */
    months(period: Period): { readonly month: string; readonly period: Period; readonly days: number }[];
    /** Days of a period. */
    days(period: Period): number;
  };

  /** The day of the first opening or other head line; undefined when there is none. */
  firstDay(): Promise<LocalDate | undefined>;
  /** Head at the start of a day (its openings not yet in), one row a group with head other than 0, ordered by group. */
  balances(day: LocalDate, by: readonly Dimension[]): Promise<Balance[]>;
  /** Sums of a period by group and category, ordered so. Counts, treatments and feedings move no head and are not among them. */
  flows(period: Period, by: readonly Dimension[]): Promise<Flow[]>;
  /**
   * The same for consecutive periods in one reading: element i runs from days[i] to the day before days[i + 1]. Costs a
   * little more than one period, for valuing stock through the financial years.
   */
  flowsBetween(days: readonly LocalDate[], by: readonly Dimension[]): Promise<Flow[][]>;
  /** The lines that change head (`delta` other than 0) in the order they happened. */
  headLines(period: Period, categories?: readonly Category[]): AsyncIterable<readonly DatedLine[]>;
  /**
   * The lines of mobs about head without a record of their own, those that change no head too, in the order they happened. With them
   * the lines of whatever category that `empties` a mob.
   */
  mobLines(period: Period, categories: readonly Category[]): AsyncIterable<readonly DatedLine[]>;

  /**
   * Lines of head in a holding with the records that wrote them, in the order they happened: what explains a figure. Also lines that
   * change no head, where their categories are asked for or none are.
   */
  entries(
    period: Period,
    of?: Partial<Holding>,
    categories?: readonly Category[],
  ): AsyncIterable<readonly Entry[]>;
  /** Records as they were imported, as JSON text, each in the place of its ref; undefined for one that is not there. */
  bodies(records: readonly Pick<RecordRef, 'source' | 'sourceId'>[]): Promise<(string | undefined)[]>;

  /** By day, species, from, to. */
  transitions(period: Period): AsyncIterable<readonly Transition[]>;
  counts(period: Period): Promise<StockCount[]>;
  /** Arrivals, births, departures and deaths with lines of these categories. */
  movements(period: Period, categories: readonly Category[]): AsyncIterable<readonly Movement[]>;
  treatments(period: Period): AsyncIterable<readonly TreatmentAct[]>;
  /** Feedings that overlap the period: `what.end` may lie days after the record's day, which may lie before the period. */
  feedings(period: Period): AsyncIterable<readonly Act<Feeding>[]>;
  feedSales(period: Period): AsyncIterable<readonly Act<FeedSale>[]>;

  /** Every version, by id then validFrom. */
  paddocks(): Promise<PaddockVersion[]>;
  /** Every rating, by validFrom. */
  ratings(): Promise<AnimalUnitRating[]>;
  feeds(): Promise<ReadonlyMap<string, Feed>>;
}
