import type { Category } from '../../farm-records/reader.js';

export const INS = ['births', 'purchases', 'transfers_in', 'class_in', 'enterprise_in', 'adjust_in'] as const;
export const OUTS = [
  'sales',
  'deaths',
  'missing',
  'rations',
  'transfers_out',
  'class_out',
  'enterprise_out',
  'adjust_out',
] as const;

export type Item = (typeof INS)[number] | (typeof OUTS)[number];

const ITEM_OF: Partial<Record<Category, Item>> = {
  opening: 'adjust_in',
  birth: 'births',
  purchase: 'purchases',
  transfer_in: 'transfers_in',
  adjust_in: 'adjust_in',
  sale: 'sales',
  death: 'deaths',
  missing: 'missing',
  ration: 'rations',
  transfer_out: 'transfers_out',
  adjust_out: 'adjust_out',
};

/** Head of a group over a period: opening + in - out = closing. */
export class HeadAccount {
  opening = 0;
  readonly items: Record<Item, number> = {
    births: 0,
    purchases: 0,
    transfers_in: 0,
    class_in: 0,
    enterprise_in: 0,
    adjust_in: 0,
    sales: 0,
    deaths: 0,
    missing: 0,
    rations: 0,
    transfers_out: 0,
    class_out: 0,
    enterprise_out: 0,
    adjust_out: 0,
  };

  /**
   * Enters a flow of the ledger, signed as it is there: what leaves is negative. Reclassifications are left out, as the
   * netted transitions bring them; what else crosses classes without one, such as a mob split under another class,
   * is an adjustment.
   */
  enter(category: Category, head: number): void {
    if (category === 'reclassification') return;
    const item = ITEM_OF[category] ?? (head > 0 ? 'adjust_in' : 'adjust_out');
    this.items[item] += isOut(item) ? -head : head;
  }

  add(other: HeadAccount): void {
    this.opening += other.opening;
    for (const item of [...INS, ...OUTS]) this.items[item] += other.items[item];
  }

  get closing(): number {
    const total = (items: readonly Item[]) => items.reduce((head, item) => head + this.items[item], 0);
    return this.opening + total(INS) - total(OUTS);
  }

  get isEmpty(): boolean {
    return this.opening === 0 && Object.values(this.items).every((head) => head === 0);
  }
}

function isOut(item: Item): boolean {
  return (OUTS as readonly Item[]).includes(item);
}
