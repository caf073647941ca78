import { Decimal, money, ZERO } from './decimals.js';
import type { Brings } from './evidence.js';
import type { Cell } from './generator.js';

/** Totals by currency: amounts in different currencies are never added. Whole numbers are head, all else is money. */
export class TradeTotals {
  private readonly byCurrency = new Map<string, Brings>();

  add(currency: string, figures: Brings): void {
    const sums = this.byCurrency.get(currency) ?? {};
    this.byCurrency.set(currency, sums);
    for (const [column, figure] of Object.entries(figures)) {
      const sum = sums[column] ?? (typeof figure === 'number' ? 0 : ZERO);
      sums[column] =
        typeof figure === 'number' && typeof sum === 'number' ? sum + figure : new Decimal(sum).plus(figure);
    }
  }

  /** By column, in the order of the currencies. */
  get cells(): Record<string, Cell>[] {
    const ordered = [...this.byCurrency].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return ordered.map(([currency, sums]) => {
      const cells = Object.entries(sums).map(([column, sum]) => [
        column,
        typeof sum === 'number' ? sum : money(sum),
      ]);
      return { ...Object.fromEntries(cells), currency } as Record<string, Cell>;
    });
  }
}
