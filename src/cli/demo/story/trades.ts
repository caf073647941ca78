import type { Diary } from './diary.js';
import { groupOf } from './head-changes.js';
import { AGENT, type Party } from './parties.js';
import type { Lot } from './stock-book.js';

interface Fee {
  readonly kind: string;
  readonly amount: string;
}

/** What was agreed. Weights in kg per head; dollars as texts. */
export interface Deal {
  readonly price: string;
  readonly basis: 'perHead' | 'perKg' | 'total';
  /** Per head; the one that a price per kg refers to. */
  readonly weight?: { readonly value: string; readonly type: 'live' | 'carcass' };
  /** Fed back by the works, beside a live weight. */
  readonly carcassWeight?: string;
  readonly reference: string;
  readonly saleType: 'saleyard' | 'over-the-hooks' | 'on-property' | 'paddock' | 'online';
  readonly fees: readonly Fee[];
  /** When it is not the head that came or went: what the other side has on its invoice. */
  readonly invoiced?: number;
  readonly agent?: string;
}

const GST = 0.1;

/** Stock bought from a party; `unloaded` names a paddock for a mob that is new. */
export function buy(diary: Diary, lot: Lot, seller: Party, deal: Deal, unloaded?: string): void {
  const group = groupOf(diary, lot, {
    ...(unloaded && { paddockId: unloaded }),
    trade: tradeOf(diary, lot.head, seller, deal),
  });
  diary.book.add(lot);
  if (unloaded) diary.book.move(lot.mob, unloaded);
  diary.event('icarGroupMovementArrivalEventResource', `purchase-${lot.kind.ageClass}-${lot.mob}`, {
    ...group,
    arrivalReason: 'Purchase',
    consignment: consignmentOf(seller, 'origin', deal.invoiced ?? lot.head, deal),
  });
}

export function sell(diary: Diary, lot: Lot, buyer: Party, deal: Deal): void {
  const group = groupOf(diary, lot, { trade: tradeOf(diary, lot.head, buyer, deal) });
  diary.book.add({ ...lot, head: -lot.head });
  diary.event('icarGroupMovementDepartureEventResource', `sale-${lot.kind.ageClass}-${lot.mob}`, {
    ...group,
    departureKind: deal.saleType === 'over-the-hooks' ? 'Slaughter' : 'Sale',
    consignment: consignmentOf(buyer, 'destination', deal.invoiced ?? lot.head, deal),
  });
}

/** Stock that were sold come back, and their price goes back. */
export function takeBack(diary: Diary, lot: Lot, buyer: Party, deal: Deal): void {
  const group = groupOf(diary, lot, { trade: tradeOf(diary, lot.head, buyer, deal) });
  diary.book.add(lot);
  diary.event('icarGroupMovementArrivalEventResource', `sale-return-${lot.mob}`, {
    ...group,
    arrivalReason: 'SaleReturn',
    consignment: consignmentOf(buyer, 'origin', lot.head, deal),
  });
}

/** The deal as `ext.trade` has it. */
export function tradeOf(diary: Diary, head: number, party: Party, deal: Deal): object {
  const { price, basis, weight, carcassWeight, reference, saleType, fees, agent } = deal;
  return {
    price: { amount: price, currency: 'AUD', basis },
    ...(weight && { weight: { ...weight, unit: 'KGM' } }),
    ...(carcassWeight && { carcassWeight: { value: carcassWeight, unit: 'KGM', type: 'carcass' } }),
    fees,
    tax: dollars(grossOf(deal, head) * GST),
    ...(agent && { agent }),
    counterparty: party.name,
    counterpartyPic: party.pic,
    reference,
    nvd: `NVD-${diary.today.slice(2, 7).replace('-', '')}-${reference}`,
    saleType,
  };
}

function consignmentOf(
  { name, pic }: Party,
  end: 'origin' | 'destination',
  head: number,
  deal: Deal,
): object {
  return {
    id: { scheme: 'reference', id: deal.reference },
    [`${end}Location`]: { scheme: 'au.pic', id: pic },
    [`${end}Organization`]: { name },
    countConsigned: head,
  };
}

/** What a saleyard takes: commission on the price, yardage and the transaction levy by head, freight there. */
export function saleyard(deal: Omit<Deal, 'fees' | 'saleType'>, { head, kind }: Lot): Deal {
  const cattle = kind.species === 'Cattle';
  const complete = { ...deal, saleType: 'saleyard' as const, agent: AGENT };
  return {
    ...complete,
    fees: [
      { kind: 'commission', amount: dollars(grossOf(complete, head) * (cattle ? 0.05 : 0.055)) },
      { kind: 'yardage', amount: dollars(head * (cattle ? 14.5 : 1.1)) },
      { kind: 'levy', amount: dollars(head * levy(kind.species, kind.ageClass)) },
      { kind: 'freight', amount: dollars(head * (cattle ? 18 : 3.2)) },
    ],
  };
}

/** Sold by the dressed carcass, straight to the works: levy, freight, and the works' inspection. */
export function overTheHooks(deal: Omit<Deal, 'fees' | 'saleType'>, { head, kind }: Lot): Deal {
  return {
    ...deal,
    saleType: 'over-the-hooks',
    fees: [
      { kind: 'levy', amount: dollars(head * levy(kind.species, kind.ageClass)) },
      { kind: 'freight', amount: dollars(head * (kind.species === 'Cattle' ? 32 : 4.6)) },
      { kind: 'inspection', amount: dollars(head * (kind.species === 'Cattle' ? 2.1 : 0.35)) },
    ],
  };
}

/** Dollars and cents. */
export function dollars(amount: number): string {
  return (Math.round(amount * 100) / 100).toFixed(2);
}

function grossOf({ price, basis, weight }: Pick<Deal, 'price' | 'basis' | 'weight'>, head: number): number {
  if (basis === 'total') return Number(price);
  return Number(price) * head * (basis === 'perKg' ? Number(weight?.value ?? 0) : 1);
}

function levy(species: string, ageClass: string): number {
  if (species === 'Cattle') return 5;
  return ageClass === 'lamb' ? 1.5 : 0.2;
}
