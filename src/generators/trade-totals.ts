import { type Decimal, money, ZERO } from './decimals.js';
import type { Cell } from './generator.js';

/** Sums of head and money by column, for a total row; what is not known counts for nothing. */
export class TradeTotal {
  private readonly head: Record<string, number> = {};
  private readonly amounts: Record<string, Decimal> = {};

  addHead(column: string, head: number): void {
    this.head[column] = (this.head[column] ?? 0) + head;
  }

  addMoney(column: string, amount: Decimal | undefined): void {
    this.amounts[column] = (this.amounts[column] ?? ZERO).plus(amount ?? ZERO);
  }

  /** By column. */
  get cells(): Record<string, Cell> {
    const amounts = Object.entries(this.amounts).map(([name, amount]) => [name, money(amount)] as const);
    return { ...this.head, ...Object.fromEntries(amounts) };
  }
}

/** Totals by currency: amounts in different currencies are never added. */
export class TradeTotals {
  private readonly byCurrency = new Map<string, TradeTotal>();

  of(currency: string): TradeTotal {
    let total = this.byCurrency.get(currency);
    if (!total) {
      total = new TradeTotal();
      this.byCurrency.set(currency, total);
    }
    return total;
  }

  /** In the order of the currencies. */
  get cells(): Record<string, Cell>[] {
    const ordered = [...this.byCurrency].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return ordered.map(([currency, total]) => ({ ...total.cells, currency }));
  }
}
