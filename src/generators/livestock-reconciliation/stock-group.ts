import type { Cell } from '../generator.js';
import { money, rounded } from '../decimals.js';
import { HeadAccount, INS, OUTS } from './head-account.js';
import { combined, type Counted } from './stock-counts.js';
import type { Valuation } from './valuation.js';

/** Stock whose head a row accounts for: a class of an enterprise, or several together. */
export interface StockGroup {
  readonly account: HeadAccount;
  readonly counted: Counted | undefined;
}

export function together(parts: readonly StockGroup[]): StockGroup {
  const account = new HeadAccount();
  for (const part of parts) account.add(part.account);
  return { account, counted: combined(parts.map((part) => part.counted)) };
}

export function headCells({ account, counted }: StockGroup): Cell[] {
  return [
    account.opening,
    ...INS.map((item) => account.items[item]),
    ...OUTS.map((item) => account.items[item]),
    account.closing,
    counted?.head ?? null,
    counted?.date ?? null,
    counted?.unreconciled ?? null,
  ];
}

const NOT_VALUED: readonly Cell[] = Array.from({ length: 8 }, () => null);

export function valueCells(valuation: Valuation | undefined): readonly Cell[] {
  if (!valuation) return NOT_VALUED;
  return [
    money(valuation.openingValue),
    money(valuation.birthsValue),
    money(valuation.purchaseValue),
    rounded(valuation.averageCost, 4),
    money(valuation.salesValue),
    money(valuation.rationsValue),
    money(valuation.closingValue),
    money(valuation.grossProfit),
  ];
}
