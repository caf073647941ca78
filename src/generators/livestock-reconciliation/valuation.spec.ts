import { expect, it } from '@jest/globals';
import { Decimal, money, rounded, ZERO } from '../decimals.js';
import { totalOf, type TradingStock, valueOf } from './valuation.js';

const nothing: TradingStock = {
  openingHead: 0,
  openingValue: ZERO,
  births: 0,
  naturalIncrease: new Decimal(4),
  purchases: 0,
  purchaseValue: ZERO,
  salesValue: ZERO,
  rations: 0,
  transfersIn: 0,
  transfersOut: 0,
  closingHead: 0,
};

const publishedSheep: TradingStock = {
  ...nothing,
  openingHead: 1306,
  openingValue: new Decimal(13_974),
  births: 425,
  naturalIncrease: new Decimal(54),
  purchases: 5,
  purchaseValue: new Decimal(1750),
  salesValue: new Decimal(16_543),
  rations: 10,
  closingHead: 1213,
};

it('values the published sheep account to the cent', () => {
  const valuation = valueOf(publishedSheep);
  expect(rounded(valuation.averageCost, 5)).toBe('22.27765');
  expect(money(valuation.birthsValue)).toBe('22950.00');
  expect(money(valuation.rationsValue)).toBe('222.78');
  expect(money(valuation.closingValue)).toBe('27022.79');
  expect(money(valuation.grossProfit)).toBe('28064.57');
});

it('takes transfers out as proceeds and transfers in as cost, at the average', () => {
  const stock = {
    ...nothing,
    openingHead: 100,
    openingValue: new Decimal(1000),
    transfersOut: 10,
    transfersIn: 4,
    closingHead: 94,
  };
  const valuation = valueOf(stock);
  expect(money(valuation.closingValue)).toBe('940.00');
  expect(money(valuation.grossProfit)).toBe('0.00');
});

it('knows no average, closing value or profit when the opening value is not known', () => {
  const valuation = valueOf({ ...publishedSheep, openingValue: undefined });
  expect(valuation).toMatchObject({
    averageCost: undefined,
    closingValue: undefined,
    rationsValue: undefined,
    grossProfit: undefined,
  });
  expect(money(valuation.salesValue)).toBe('16543.00');
});

it('needs no opening value where nothing stood', () => {
  const valuation = valueOf({
    ...nothing,
    openingValue: undefined,
    purchases: 3,
    purchaseValue: new Decimal(100),
    closingHead: 3,
  });
  expect(money(valuation.openingValue)).toBe('0.00');
  expect(money(valuation.closingValue)).toBe('100.00');
});

it('knows no value of births that have none set', () => {
  const valuation = valueOf({ ...nothing, naturalIncrease: undefined, births: 1, closingHead: 1 });
  expect(valuation.birthsValue).toBeUndefined();
  expect(valuation.closingValue).toBeUndefined();
});

it('is worth nothing when nothing is left, whatever came through', () => {
  expect(money(valueOf({ ...nothing, transfersIn: 5, transfersOut: 5 }).closingValue)).toBe('0.00');
  expect(valueOf({ ...nothing, transfersIn: 5, closingHead: 5 }).closingValue).toBeUndefined();
});

it('adds up species, and leaves out a total of which a part is not known', () => {
  const cattle = valueOf({
    ...nothing,
    openingHead: 2,
    openingValue: undefined,
    salesValue: new Decimal('0.5'),
    closingHead: 2,
  });
  const total = totalOf([valueOf(publishedSheep), cattle]);
  expect(money(total.salesValue)).toBe('16543.50');
  expect(total.closingValue).toBeUndefined();
  expect(total.averageCost).toBeUndefined();
  expect(rounded(totalOf([valueOf(publishedSheep)]).averageCost, 4)).toBe('22.2776');
});
