/** A small seeded generator (mulberry32): the same seed always tells the same story. */
export class Chance {
  constructor(private state: number) {}

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.between(0, items.length - 1)] ?? items[0];
  }

  /** `value` give or take a share of it. */
  near(value: number, share: number): number {
    return value * (1 + share * (2 * this.next() - 1));
  }

  /** A whole number whose average is `expected`. */
  round(expected: number): number {
    return Math.floor(expected + this.next());
  }
}
