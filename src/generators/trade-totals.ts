import { money } from './decimals.js';
import { addTo, type Brings } from './evidence.js';
import type { Cell } from './generator.js';
import { inOrderOfKeys } from './keys.js';

/** Totals by currency: amounts in different currencies are never added. Whole numbers are head, all else is money. */
export class TradeTotals {
  private readonly byCurrency = new Map<string, Brings>();

  add(currency: string, figures: Brings): void {
    const sums = this.byCurrency.get(currency) ?? {};
    this.byCurrency.set(currency, sums);
    addTo(sums, figures);
  }

  /** By column, in the order of the currencies. */
  get cells(): Record<string, Cell>[] {
    return inOrderOfKeys(this.byCurrency).map(([currency, sums]) => {
      const cells = Object.entries(sums).map(([column, sum]) => [
        column,
        typeof sum === 'number' ? sum : money(sum),
      ]);
      return { ...Object.fromEntries(cells), currency } as Record<string, Cell>;
    });
  }
}
