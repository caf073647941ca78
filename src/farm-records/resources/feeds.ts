import type { Declaration, OtherEvent, StockEvent } from '../statement.js';
import type { Fields } from './fields.js';
import { feedUnit, type FeedUnit } from './measure.js';
import { readSubject } from './subject.js';
import { present, readFees } from './trade.js';
import type { Money } from './treatments.js';
import { readMoney } from './treatments.js';
import type { When } from './when.js';

/** What a unit of feed costs. */
interface UnitCost extends Money {
  readonly unit: FeedUnit;
}

interface FeedDetails {
  readonly unitCost?: UnitCost;
  readonly whpDays?: number;
  readonly dryMatterPct?: string;
}

export interface Feed extends FeedDetails {
  readonly id: string;
  readonly name?: string;
  readonly category?: string;
}

/** A feed or ration as it was fed: for each head, or for all together. */
export interface Fed {
  readonly feedId: string;
  readonly per: 'head' | 'total';
  readonly quantity: string;
  readonly unit: FeedUnit;
  readonly dryMatterPct?: string;
}

export interface Feeding extends FeedDetails {
  /** When the feed was no longer there; absent: at once. */
  readonly end?: When;
  readonly batch?: string;
  readonly fed: readonly Fed[];
}

/** Amounts are exact, in `currency`, the farm's where none is said. A negative quantity is a return. */
export interface FeedSale {
  readonly feedId: string;
  readonly batch?: string;
  readonly quantity: string;
  readonly unit: FeedUnit;
  readonly currency?: string;
  readonly price?: {
    readonly amount: string;
    readonly currency: string;
    readonly basis: 'perUnit' | 'total';
  };
  readonly freight?: string;
  readonly fees: readonly { readonly kind: string; readonly amount: string }[];
  readonly tax?: string;
  readonly buyer?: string;
  readonly reference?: string;
}

/** Reports look this far back for feedings that reach into their period. */
export const LONGEST_FEEDING_DAYS = 366;
const QUANTITY = { min: 0, max: 1_000_000_000 };
const SIGNED = { min: -1_000_000_000_000, max: 1_000_000_000_000 };
const PERCENT = { min: 0, max: 100 };

export function readFeed(resource: Fields): Declaration {
  const ext = resource.object('ext');
  const said = {
    name: resource.text('name'),
    category: resource.text('category'),
    ...(ext && readFeedDetails(ext)),
  };
  return { declares: 'feed', feed: { id: resource.needId('id'), ...present(said) } };
}

export function readGroupFeeding(event: Fields): StockEvent {
  const ext = event.object('ext');
  const subject = readSubject('group', event, ext);
  const fed = [
    ...event.list('feedPerAnimal', (feed) => readFed(feed, 'feedId', 'head')),
    ...event.list('rationPerAnimal', (ration) => readFed(ration, 'rationId', 'head')),
    ...event.list('feedTotal', (feed) => readFed(feed, 'feedId', 'total')),
    ...event.list('rationTotal', (ration) => readFed(ration, 'rationId', 'total')),
  ];
  return {
    does: 'feed',
    subject,
    feeding: { ...readFeedingDetails(ext, event.when('feedingEndDateTime')), fed },
  };
}

export function readFeedIntake(event: Fields): StockEvent {
  const ext = event.object('ext');
  const ration = event.object('consumedRation');
  const fed = [
    ...event.list('consumedFeed', (feed) => readFed(feed, 'feedId', 'head')),
    ...(ration ? [readFed(ration, 'rationId', 'head')] : []),
  ];
  return {
    does: 'feed',
    subject: readSubject('animal', event, ext),
    feeding: { ...readFeedingDetails(ext, undefined), fed },
  };
}

export function readFeedSale(event: Fields): OtherEvent {
  const price = event.object('price');
  const priced = price?.needCurrency('currency');
  const { fees, currency } = readFees(event, priced);
  const said = {
    batch: event.text('batch'),
    currency,
    price: price && {
      amount: price.needDecimal('amount', SIGNED),
      currency: priced ?? '',
      basis: price.needOneOf('basis', ['perUnit', 'total']),
    },
    freight: event.decimal('freight', SIGNED),
    tax: event.decimal('tax', SIGNED),
    buyer: event.text('buyer'),
    reference: event.text('reference'),
  };
  const unit = needUnit(event, 'unit');
  return {
    notes: 'feed sale',
    sale: {
      feedId: event.needId('feedId'),
      quantity: event.needDecimal('quantity', SIGNED),
      unit,
      fees,
      ...present(said),
    },
  };
}

/** A disposal with a buyer is a sale; other movements of a feed store are kept and concern no report. */
export function readFeedTransaction(event: Fields): OtherEvent {
  const kind = event.needOneOf('transactionKind', [
    'Receipt',
    'Disposal',
    'OnHand',
    'Produce',
    'StockTake',
    'Use',
  ]);
  const product = event.needObject('product');
  const feedId =
    product.object('identifier')?.id('id') ??
    product.list('identifiers', (identifier) => identifier.id('id'))[0] ??
    product.id('@id') ??
    product.text('name') ??
    '';
  const quantity = event.needDecimal('quantity', SIGNED);
  const unit = needUnit(event, 'units');
  const total = event.decimal('totalCost', SIGNED);
  const currency = event.currency('currency');
  const ext = event.object('ext');
  const buyer = ext?.text('buyer');
  if (kind !== 'Disposal' || buyer === undefined) return { notes: 'feed transaction' };
  if (total !== undefined && currency === undefined) event.reject('currency', 'currency is missing.');
  const price =
    total === undefined || currency === undefined
      ? undefined
      : { amount: total, currency, basis: 'total' as const };
  const said = { price, currency, buyer, batch: ext?.text('batch'), reference: ext?.text('reference') };
  return { notes: 'feed transaction', sale: { feedId, quantity, unit, fees: [], ...present(said) } };
}

function readFeedDetails(ext: Fields): FeedDetails {
  const cost = readMoney(ext, 'unitCost');
  const whpDays = ext.decimal('whpDays', { min: 0, max: 3650 });
  return present({
    unitCost: cost && { ...cost, unit: feedUnit(ext.needObject('unitCost'), 'unit') ?? ('kg' as const) },
    whpDays: whpDays === undefined ? undefined : Math.ceil(Number(whpDays)),
    dryMatterPct: ext.decimal('dryMatterPct', PERCENT),
  });
}

function readFeedingDetails(ext: Fields | undefined, end: When | undefined): Omit<Feeding, 'fed'> {
  return { ...(ext && readFeedDetails(ext)), ...present({ end, batch: ext?.text('batch') }) };
}

/** What was eaten where it is known, else what was offered. */
function readFed(feed: Fields, idName: 'feedId' | 'rationId', per: Fed['per']): Fed {
  const id = readFedId(feed, idName);
  const eaten = feed.object('feedConsumption') ?? feed.object('entitlement');
  if (!eaten) feed.reject('feedConsumption', 'feedConsumption is missing.');
  const said = { dryMatterPct: feed.decimal('dryMatterPercentage', PERCENT) };
  return {
    feedId: id,
    per,
    quantity: eaten?.needDecimal('value', QUANTITY) ?? '0',
    unit: (eaten && feedUnit(eaten, 'unitCode')) ?? 'kg',
    ...present(said),
  };
}

/** A feed is named by an identifier, and a ration, in the standard, by a plain id. */
function readFedId(feed: Fields, name: 'feedId' | 'rationId'): string {
  return name === 'rationId' && !feed.isObject(name) ? feed.needId(name) : feed.needObject(name).needId('id');
}

function needUnit(event: Fields, name: string): FeedUnit {
  const unit = feedUnit(event, name);
  if (unit === undefined && !event.has(name)) event.reject(name, `${name} is missing.`);
  return unit ?? 'kg';
}
