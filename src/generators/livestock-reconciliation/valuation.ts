import { type Decimal, sum, ZERO } from '../decimals.js';

/** Head and money of a species over a period. A value that is not known is undefined. */
export interface TradingStock {
  readonly openingHead: number;
  readonly openingValue: Decimal | undefined;
  readonly births: number;
  /** Per head born. */
  readonly naturalIncrease: Decimal | undefined;
  readonly purchases: number;
  /** Landed. */
  readonly purchaseValue: Decimal;
  /** Gross. */
  readonly salesValue: Decimal;
  readonly rations: number;
  readonly transfersIn: number;
  readonly transfersOut: number;
  readonly closingHead: number;
}

/** Unrounded; undefined where something it stands on is not known. */
export interface Valuation {
  readonly openingValue: Decimal | undefined;
  readonly birthsValue: Decimal | undefined;
  readonly purchaseValue: Decimal | undefined;
  readonly averageCost: Decimal | undefined;
  readonly salesValue: Decimal | undefined;
  readonly rationsValue: Decimal | undefined;
  readonly closingValue: Decimal | undefined;
  readonly grossProfit: Decimal | undefined;
}

/**
 * Values a species by average cost: what was there, was born and was bought gives the average; rations, closing stock and
 * transfers are worth that average a head, deaths and missing nothing.
 */
export function valueOf(stock: TradingStock): Valuation {
  const openingValue = stock.openingHead === 0 ? ZERO : stock.openingValue;
  const birthsValue = stock.births === 0 ? ZERO : stock.naturalIncrease?.times(stock.births);
  const cost = averageOf(stock, openingValue, birthsValue);
  const atAverage = (head: number) => (head === 0 ? ZERO : cost?.total.times(head).div(cost.head));
  const rationsValue = atAverage(stock.rations);
  const closingValue = atAverage(stock.closingHead);
  const transferred = atAverage(stock.transfersOut - stock.transfersIn);
  const known = openingValue && rationsValue && closingValue && transferred;
  return {
    openingValue,
    birthsValue,
    purchaseValue: stock.purchaseValue,
    averageCost: cost?.total.div(cost.head),
    salesValue: stock.salesValue,
    rationsValue,
    closingValue,
    grossProfit:
      known &&
      stock.salesValue
        .minus(openingValue.plus(stock.purchaseValue).minus(closingValue).minus(rationsValue))
        .plus(transferred),
  };
}

/** Sums of all species; undefined where one of them is, and for an average of several species, which would mean nothing. */
export function totalOf(valuations: readonly Valuation[]): Valuation {
  const total = (pick: (valuation: Valuation) => Decimal | undefined): Decimal | undefined => {
    const values = valuations.map(pick).filter((value) => value !== undefined);
    return values.length === valuations.length ? sum(values) : undefined;
  };
  return {
    openingValue: total((valuation) => valuation.openingValue),
    birthsValue: total((valuation) => valuation.birthsValue),
    purchaseValue: total((valuation) => valuation.purchaseValue),
    averageCost: valuations.length === 1 ? valuations[0]?.averageCost : undefined,
    salesValue: total((valuation) => valuation.salesValue),
    rationsValue: total((valuation) => valuation.rationsValue),
    closingValue: total((valuation) => valuation.closingValue),
    grossProfit: total((valuation) => valuation.grossProfit),
  };
}

/** The average as a quotient, so that head times average loses nothing. */
function averageOf(stock: TradingStock, openingValue: Decimal | undefined, birthsValue: Decimal | undefined) {
  const head = stock.openingHead + stock.purchases + stock.births;
  if (head <= 0 || !openingValue || !birthsValue) return undefined;
  return { total: openingValue.plus(stock.purchaseValue).plus(birthsValue), head };
}
