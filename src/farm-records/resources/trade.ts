import Big from 'big.js';
import type { Fields } from './fields.js';
import { kilograms, massUnit, type MassUnit } from './measure.js';

export type PriceBasis = 'perHead' | 'perKg' | 'total';

export interface Weight {
  readonly value: string;
  readonly unit: MassUnit;
  readonly type: 'live' | 'carcass';
}

/** The commercial side of an arrival or departure. Amounts are exact decimals in `currency`, the farm's where none is said. */
export interface Trade {
  readonly price?: { readonly amount: string; readonly currency: string; readonly basis: PriceBasis };
  /** Of the price, or of fees where there is none; absent where nobody says one. */
  readonly currency?: string;
  /** Per head; the one that a price per kg refers to. */
  readonly weight?: Weight;
  /** Per head, beside a live weight. */
  readonly carcassWeight?: Weight;
  /** Totals of the record, by kind as it was given. */
  readonly fees: readonly { readonly kind: string; readonly amount: string }[];
  readonly tax?: string;
  readonly agent?: string;
  readonly counterparty?: string;
  readonly counterpartyPic?: string;
  readonly reference?: string;
  readonly nvd?: string;
  readonly saleType?: string;
  readonly headInvoiced?: number;
}

const AMOUNT = { min: -1_000_000_000_000, max: 1_000_000_000_000 };
const WEIGHT = { min: 0, max: 100_000 };

/** Reads `ext.trade`, and what the consignment says where trade is silent. `end` is the other end of the journey. */
export function readTrade(event: Fields, ext: Fields | undefined, end: 'origin' | 'destination'): Trade {
  const trade = ext?.object('trade');
  const consignment = event.object('consignment');
  const price = trade && readPrice(trade);
  const { fees, currency } = readFees(trade, price?.currency);
  const given = {
    price,
    currency,
    weight: trade && readWeight(trade, 'weight', 'live'),
    carcassWeight: trade && readWeight(trade, 'carcassWeight', 'carcass'),
    tax: trade?.decimal('tax', AMOUNT),
    agent: trade?.text('agent'),
    counterparty: trade?.text('counterparty') ?? consignment?.object(`${end}Organization`)?.text('name'),
    counterpartyPic: trade?.text('counterpartyPic') ?? consignment?.object(`${end}Location`)?.text('id'),
    reference: trade?.text('reference') ?? consignment?.object('id')?.id('id'),
    nvd: trade?.text('nvd'),
    saleType: trade?.text('saleType'),
    headInvoiced: consignment?.head('countConsigned'),
  };
  return { ...present(given), fees };
}

/** The price for `head` together, exact; undefined when there is no price, or one per kg without a weight. */
export function grossOf(trade: Trade, head: number): Big | undefined {
  if (!trade.price) return undefined;
  const amount = new Big(trade.price.amount);
  if (trade.price.basis === 'total') return amount;
  if (trade.price.basis === 'perHead') return amount.times(head);
  const weight = trade.weight ?? trade.carcassWeight;
  const kilos = weight && kilograms(weight.value, weight.unit);
  return kilos === undefined ? undefined : amount.times(kilos).times(head);
}

/** All fees of the record together. */
export function feesOf(trade: Trade): Big {
  return trade.fees.reduce((sum, fee) => sum.plus(fee.amount), new Big(0));
}

function readPrice(trade: Fields): Trade['price'] {
  const price = trade.object('price');
  if (!price) return undefined;
  const amount = price.needDecimal('amount', { min: 0, max: AMOUNT.max });
  const currency = price.needCurrency('currency');
  return { amount, currency, basis: price.needOneOf('basis', ['perHead', 'perKg', 'total']) };
}

function readWeight(trade: Fields, name: string, type: Weight['type']): Weight | undefined {
  const weight = trade.object(name);
  if (!weight) return undefined;
  return {
    value: weight.needDecimal('value', WEIGHT),
    unit: massUnit(weight, 'unit') ?? 'kg',
    type: weight.oneOf('type', ['live', 'carcass']) ?? type,
  };
}

/** Fees in the currency of the price, or where there is no price in one of their own. */
export function readFees(
  trade: Fields | undefined,
  priced: string | undefined,
): { fees: { kind: string; amount: string }[]; currency: string | undefined } {
  let currency = priced;
  const fees = trade?.list('fees', (fee) => {
    const own = fee.currency('currency');
    currency ??= own;
    if (own !== undefined && own !== currency)
      fee.reject('currency', `currency is ${own} but others are ${currency}: one record has one currency.`);
    return { kind: fee.needText('kind'), amount: fee.needDecimal('amount', AMOUNT) };
  });
  return { fees: fees ?? [], currency };
}

/** The same without the members that are undefined. */
export function present<Given extends object>(
  given: Given,
): { [Key in keyof Given]?: Exclude<Given[Key], undefined> } {
  const kept = {} as { [Key in keyof Given]?: Exclude<Given[Key], undefined> };
  for (const key in given)
    if (given[key] !== undefined) kept[key] = given[key] as Exclude<Given[typeof key], undefined>;
  return kept;
}
