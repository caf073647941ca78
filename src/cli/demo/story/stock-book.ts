import type { Kind } from './kinds.js';

/** The story tells of more head leaving than there are: it cannot be true. */
class MoreThanThereAre extends Error {}

/** Head of one kind in one mob. */
export interface Lot {
  readonly mob: string;
  readonly kind: Kind;
  readonly head: number;
}

/** The head that stand on the sample farm while its story is told. A mob stands in one paddock, or in none. */
export class StockBook {
  private readonly lots = new Map<string, Lot>();
  private readonly paddocks = new Map<string, string>();

  /** Throws MoreThanThereAre rather than going below nothing. */
  add({ mob, kind, head }: Lot): void {
    const left = this.head(mob, kind) + head;
    if (left < 0)
      throw new MoreThanThereAre(`${-head} ${kind.ageClass} leave ${mob}, where ${left - head} are`);
    this.lots.set(keyOf(mob, kind), { mob, kind, head: left });
    if (this.headOf(mob) === 0) this.paddocks.delete(mob);
  }

  head(mob: string, kind: Kind): number {
    return this.lots.get(keyOf(mob, kind))?.head ?? 0;
  }

  lotsOf(mob: string): Lot[] {
    return [...this.lots.values()].filter((lot) => lot.mob === mob && lot.head > 0);
  }

  headOf(mob: string): number {
    return this.lotsOf(mob).reduce((sum, { head }) => sum + head, 0);
  }

  move(mob: string, paddock: string): void {
    this.paddocks.set(mob, paddock);
  }

  /** Undefined for a mob without stock, and for one that has just come. */
  paddockOf(mob: string): string | undefined {
    return this.paddocks.get(mob);
  }
}

function keyOf(mob: string, { species, enterprise, ageClass }: Kind): string {
  return [mob, species, enterprise, ageClass].join('|');
}
