import { type Decimal, money, rounded, trimmed, ZERO } from '../decimals.js';
import type { Row } from '../generator.js';
import { inOrderOfKeys, joinedKey } from '../keys.js';
import { cellsNamed } from '../row-columns.js';
import { COLUMNS, dryMatter } from './columns.js';
import type { FedStock } from './fed-stock.js';

interface FeedSum {
  readonly feed: string;
  readonly feedId: string;
  readonly unit: string;
  readonly currency: string | null;
  quantity: Decimal;
  kilograms: Decimal | undefined;
  dryMatter: Decimal | undefined;
  cost: Decimal | undefined;
}

/** Sums by feed, unit and currency: quantities in different units and amounts in different currencies are never added. */
export class FeedSums {
  private readonly byFeed = new Map<string, FeedSum>();

  add(stock: FedStock): void {
    const { feedId, unit } = stock.fed;
    const feed = stock.feed?.name ?? feedId;
    const key = joinedKey(feed, feedId, unit, stock.currency);
    const sum = this.byFeed.get(key) ?? {
      feed,
      feedId,
      unit,
      currency: stock.currency,
      quantity: ZERO,
      kilograms: undefined,
      dryMatter: undefined,
      cost: undefined,
    };
    this.byFeed.set(key, sum);
    sum.quantity = sum.quantity.plus(stock.quantity);
    sum.kilograms = added(sum.kilograms, stock.kilograms);
    sum.dryMatter = added(sum.dryMatter, dryMatter(stock));
    sum.cost = added(sum.cost, stock.totalCost);
  }

  rows(): Row[] {
    const sums = inOrderOfKeys(this.byFeed).map(([, sum]) => sum);
    const byCurrency = Map.groupBy(
      sums.filter((sum) => sum.currency !== null),
      (sum) => sum.currency as string,
    );
    return [
      ...sums.map((sum): Row => ({ rowType: 'subtotal', cells: subtotalCells(sum) })),
      ...inOrderOfKeys(byCurrency).map(([currency, parts]): Row => {
        const cost = parts.reduce<Decimal | undefined>((total, part) => added(total, part.cost), undefined);
        return { rowType: 'total', cells: cellsNamed(COLUMNS, { total_cost: money(cost), currency }) };
      }),
    ];
  }
}

function subtotalCells({ feed, feedId, unit, currency, quantity, kilograms, dryMatter, cost }: FeedSum) {
  const amounts = {
    quantity: trimmed(quantity, 6),
    quantity_kg: trimmed(kilograms, 6),
    quantity_kg_dm: trimmed(dryMatter, 6),
    total_cost: rounded(cost, 2),
  };
  return cellsNamed(COLUMNS, { feed, feed_id: feedId, unit, currency, ...amounts });
}

function added(total: Decimal | undefined, amount: Decimal | undefined): Decimal | undefined {
  return amount === undefined ? total : (total ?? ZERO).plus(amount);
}
