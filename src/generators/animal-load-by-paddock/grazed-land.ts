import { Decimal, ZERO } from '../decimals.js';
import { Load, type Moment } from './head-time.js';

/** What a piece of land carried in a segment. */
export interface Carried {
  readonly load: Load;
  /** Local days with stock at any instant. */
  daysGrazed: number;
  /** The highest load at any instant. */
  peak: Decimal;
}

export const NOTHING: Carried = { load: new Load(), daysGrazed: 0, peak: ZERO };

/** Land that carries stock: a paddock, `''` for stock in none, or the whole farm. */
export class GrazedLand {
  /** By segment; undefined where nothing happened. */
  readonly carried: (Carried | undefined)[] = [];
  /** It held less than no head at some time. */
  wentNegative = false;
  head = 0;
  private units: Decimal = ZERO;
  private since: Moment = { day: 0, ms: 0, length: 1 };
  private countedDays = 0;

  in(segment: number): Carried {
    return (this.carried[segment] ??= { load: new Load(), daysGrazed: 0, peak: ZERO });
  }

  /** Counts the days from the last change to `now` on which stock stood here; each day once. */
  graze(segment: number, now: Moment): void {
    const from = Math.max(this.since.day, this.countedDays);
    const to = now.ms > 0 ? now.day + 1 : now.day;
    if (this.head > 0 && isLater(now, this.since) && to > from) {
      this.in(segment).daysGrazed += to - from;
      this.countedDays = to;
    }
    this.since = now;
  }

  change(head: number, rating: string | undefined): void {
    this.head += head;
    if (rating !== undefined) this.units = this.units.plus(new Decimal(rating).times(head));
  }

  rerate(head: number, before: string | undefined, after: string | undefined): void {
    this.units = this.units.plus(new Decimal(after ?? 0).minus(before ?? 0).times(head));
  }

  settle(segment: number): void {
    if (this.head < 0) this.wentNegative = true;
    if (this.units.gt(this.carried[segment]?.peak ?? ZERO)) this.in(segment).peak = this.units;
  }
}

function isLater(a: Moment, b: Moment): boolean {
  return a.day > b.day || (a.day === b.day && a.ms > b.ms);
}
