import { Decimal, quotient, ZERO } from '../decimals.js';

/**
 * An instant on a farm's clock: `ms` of the `length` ms of a local day, `day` counted from the start of the period. A day
 * is one day, whether it has 23, 24 or 25 hours.
 */
export interface Moment {
  readonly day: number;
  readonly ms: number;
  readonly length: number;
}

/** Beyond this the next sums could leave the whole numbers that a number holds exactly. */
const CARRY = 2 ** 50;

/** Head times days, exact: whole days, and milliseconds by the length of the day they belong to. */
export class HeadTime {
  private days = 0;
  /** Dividing is dear, and a sum is asked for by many columns. */
  private sum: Decimal | undefined;
  private readonly ms = new Map<number, number>();

  /** Counts `head` from one moment to another. */
  add(head: number, from: Moment, to: Moment): void {
    if (head === 0) return;
    this.sum = undefined;
    this.days += head * (to.day - from.day);
    this.addPart(head * to.ms, to.length);
    this.addPart(-head * from.ms, from.length);
  }

  toDecimal(): Decimal {
    if (this.sum) return this.sum;
    let total = new Decimal(this.days);
    for (const [length, ms] of this.ms) total = total.plus(quotient(new Decimal(ms), length));
    return (this.sum = total);
  }

  private addPart(ms: number, length: number): void {
    if (ms === 0) return;
    const sum = (this.ms.get(length) ?? 0) + ms;
    const whole = Math.abs(sum) > CARRY ? Math.trunc(sum / length) : 0;
    this.days += whole;
    this.ms.set(length, sum - whole * length);
  }
}

/** Sums of head time by what a head is worth; `undefined` is head without a rating. */
export class Load {
  private readonly times = new Map<string | undefined, HeadTime>();
  /** Of all that is rated, asked for by many columns. */
  private sum: Decimal | undefined;

  add(rating: string | undefined, head: number, from: Moment, to: Moment): void {
    this.sum = undefined;
    let time = this.times.get(rating);
    if (!time) {
      time = new HeadTime();
      this.times.set(rating, time);
    }
    time.add(head, from, to);
  }

  get headDays(): Decimal {
    return [...this.times.values()].reduce((total, time) => total.plus(time.toDecimal()), ZERO);
  }

  get unitDays(): Decimal {
    this.sum ??= [...this.times].reduce(
      (total, [rating, time]) => (rating === undefined ? total : total.plus(time.toDecimal().times(rating))),
      ZERO,
    );
    return this.sum;
  }

  get unratedHeadDays(): Decimal {
    return this.times.get(undefined)?.toDecimal() ?? ZERO;
  }
}
