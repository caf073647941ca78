import type { FarmRecords, RecordRef, Weight } from '../farm-records/reader.js';
import { type Decimal, sum, ZERO } from './decimals.js';

/** Stock of one kind in a consignment: what a row of a purchase or sale report shows. Amounts are exact and unrounded. */
export interface Lot {
  readonly species: string;
  readonly breed: string | null;
  readonly sex: string | null;
  readonly ageClass: string;
  readonly enterprise: string;
  readonly mob: string;
  readonly paddock: string;
  readonly management: 'mob' | 'individual';
  /** Signed: negative when a sale comes back. */
  readonly head: number;
  readonly weightType: Weight['type'] | null;
  /** Of all head together; undefined when no weight was given. */
  readonly liveKilograms: Decimal | undefined;
  readonly carcassKilograms: Decimal | undefined;
  /** null when they differ within the lot. */
  readonly priceBasis: string | null;
  readonly unitPrice: string | null;
  /** undefined when there is no price, or one per kg without a weight. */
  readonly gross: Decimal | undefined;
  /** The lot's share of a consignment's fees, by lower-case kind. */
  readonly fees: ReadonlyMap<string, Decimal>;
  readonly tax: Decimal;
  readonly whp: ActiveWithholding;
  readonly esi: ActiveWithholding;
  /** What it was made of, record by record, signed; also of records that brought fees or tax to other lots of the consignment. */
  readonly parts: () => readonly LotPart[];
}

/** What is added up of lots, and of the parts that make them. */
export type LotFigures = Pick<Lot, 'head' | 'gross' | 'fees' | 'tax'> & {
  readonly whp: Pick<ActiveWithholding, 'head'>;
  readonly esi: Pick<ActiveWithholding, 'head'>;
};

/** What one record brought to a lot; fees and tax are its share of the lot's share. */
export type LotPart = LotFigures & { readonly record: RecordRef };

/** Head moved before the day on which they were clear, and the last of those days. */
export interface ActiveWithholding {
  readonly head: number;
  readonly clearDate: string | null;
}

/** What shares reference, date, counterparty and currency. Its fees are totals, split over its lots by head. */
export interface Consignment {
  readonly day: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
  readonly counterpartyPic: string | null;
  readonly agent: string | null;
  readonly nvd: string | null;
  readonly saleType: string | null;
  readonly currency: string;
  readonly headInvoiced: number | null;
  readonly lots: readonly Lot[];
}

/** A lot of a consignment, as a row of a purchase or sale report shows it. */
export interface ConsignedLot {
  readonly records: FarmRecords;
  readonly consignment: Consignment;
  readonly lot: Lot;
}

/** Fees of the kinds that have a column of their own. */
export function feeOf({ fees }: Pick<Lot, 'fees'>, kind: string): Decimal {
  return fees.get(kind) ?? ZERO;
}

/** Fees of every other kind together. */
export function otherFees({ fees }: Pick<Lot, 'fees'>, known: readonly string[]): Decimal {
  return sum([...fees].filter(([kind]) => !known.includes(kind)).map(([, amount]) => amount));
}

/** Weight of the kind that the lot was priced by; undefined when none was given. */
export function pricedKilograms({ weightType, liveKilograms, carcassKilograms }: Lot): Decimal | undefined {
  return weightType === 'carcass' ? carcassKilograms : liveKilograms;
}
