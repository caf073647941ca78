import type { Category } from './head-line.js';
import type {
  AnimalSet,
  AnimalUnitRating,
  DeclaredAnimal,
  Feed,
  Feeding,
  FeedSale,
  Medicine,
  Named,
  Paddock,
  Trade,
  Treatment,
} from './resources/index.js';

/** What a record says of where head stand; what it does not say is absent. */
export interface Claim {
  readonly species?: string;
  readonly enterprise?: string;
  readonly ageClass?: string;
  readonly mob?: string;
  readonly paddock?: string;
}

/** Whom an event is about: animals by key, and head of a mob that have no record of their own. */
export interface Subject extends Claim {
  readonly animals: readonly string[];
  /** Absent with a mob and no animals: all the mob has. */
  readonly head?: number;
}

export type Entry = Extract<Category, 'birth' | 'purchase' | 'transfer_in' | 'sale'>;
export type Exit = Extract<Category, 'sale' | 'transfer_out' | 'ration' | 'death' | 'missing'>;

/** Details of a movement that reports show and the ledger does not need. */
export interface MovementDetails {
  readonly trade: Trade;
  readonly sex?: string;
  readonly breed?: string;
  readonly animal?: DeclaredAnimal;
}

/** An event that the ledger of head books. */
export type StockEvent =
  | {
      readonly does: 'open';
      readonly lines: readonly (Claim & { readonly head: number; readonly value?: string })[];
    }
  | {
      readonly does: 'enter';
      readonly as: Entry;
      readonly subject: Subject;
      readonly details: MovementDetails;
    }
  | {
      readonly does: 'leave';
      readonly as: Exit;
      readonly subject: Subject;
      readonly details: MovementDetails;
    }
  | { readonly does: 'tag'; readonly subject: Subject; readonly details: MovementDetails }
  | {
      readonly does: 'transfer';
      readonly from: string;
      readonly to: readonly (Claim & { readonly head: number })[];
    }
  | { readonly does: 'join'; readonly animals: readonly string[]; readonly mob: string }
  | { readonly does: 'part'; readonly animals: readonly string[]; readonly mob: string }
  | {
      readonly does: 'move';
      readonly subject: Subject;
      readonly toPaddock: string;
      readonly observed?: boolean;
    }
  | {
      readonly does: 'reclassify';
      readonly subject: Subject;
      readonly to: Pick<Claim, 'ageClass' | 'enterprise'>;
      readonly cause?: string;
    }
  | {
      readonly does: 'count';
      readonly lines: readonly (Claim & { readonly head: number })[];
      readonly bookAdjustment: boolean;
    }
  | { readonly does: 'treat'; readonly subject: Subject; readonly treatment: Treatment }
  | { readonly does: 'feed'; readonly subject: Subject; readonly feeding: Feeding };

/** What stands whatever the day; some of it explains events (an animal's species, a medicine's withholding). */
export type Declaration =
  | { readonly declares: 'mob' | 'enterprise'; readonly named: Named }
  | { readonly declares: 'paddock'; readonly paddock: Paddock }
  | { readonly declares: 'animal'; readonly animal: DeclaredAnimal }
  | { readonly declares: 'animal set'; readonly set: AnimalSet }
  | { readonly declares: 'medicine'; readonly medicine: Medicine }
  | { readonly declares: 'feed'; readonly feed: Feed }
  | { readonly declares: 'rating'; readonly rating: AnimalUnitRating }
  | { readonly declares: 'location' };

/** The declaration of a kind; `mob` and `enterprise` are declared alike. */
export type Declared<Kind> = Declaration extends infer One
  ? One extends { readonly declares: infer Kinds }
    ? Kind extends Kinds
      ? One
      : never
    : never
  : never;

/** Events that reports read and that concern no head. */
export type OtherEvent =
  | { readonly notes: 'feed sale'; readonly sale: FeedSale }
  | { readonly notes: 'feed transaction'; readonly sale?: FeedSale }
  | { readonly notes: 'weight' }
  | { readonly notes: 'position' };

export type Statement = StockEvent | Declaration | OtherEvent;

/**
 * The order of events at one instant, such as all that name only a day: what adds head comes before what takes them away, so that
 * no balance turns negative for the order's sake, and counts come last.
 */
export function rankOf(event: StockEvent): number {
  switch (event.does) {
    case 'open':
      return 0;
    case 'enter':
      return { birth: 1, purchase: 2, transfer_in: 3, sale: 3 }[event.as];
    case 'tag':
      return 4;
    case 'transfer':
    case 'join':
    case 'part':
      return 5;
    case 'move':
      return 6;
    case 'reclassify':
      return 7;
    case 'treat':
    case 'feed':
      return 8;
    case 'leave':
      return { transfer_out: 9, sale: 10, ration: 11, death: 11, missing: 11 }[event.as];
    case 'count':
      return 12;
  }
}
