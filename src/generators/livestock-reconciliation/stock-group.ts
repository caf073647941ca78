import type { Cell } from '../generator.js';
import { money, rounded } from '../decimals.js';
import { HeadAccount, INS, OUTS } from './head-account.js';
import { counted, type PlacedCount } from './stock-counts.js';
import type { Valuation } from './valuation.js';

/** Stock whose head a row accounts for: a class of an enterprise, or several together. */
export interface StockGroup {
  readonly account: HeadAccount;
  readonly counts: readonly PlacedCount[];
}

export function together(parts: readonly StockGroup[]): StockGroup {
  const account = new HeadAccount();
  for (const part of parts) account.add(part.account);
  return { account, counts: parts.flatMap((part) => part.counts) };
}

export function headCells({ account, counts }: StockGroup): Cell[] {
  const { head = null, date = null, unreconciled = null } = counted(counts) ?? {};
  return [
    account.opening,
    ...INS.map((item) => account.items[item]),
    ...OUTS.map((item) => account.items[item]),
    account.closing,
    head,
    date,
    unreconciled,
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
