import { LRUCache } from 'lru-cache';

/** Seconds of work that one report of a farm is taken for when the next one's turn is set. */
const TURN_SECONDS = 60;
const MOST_FARMS = 10_000;
/** Turns count from here, so that they fit the 32 bits of a job's priority until 2094. */
const BEGINNING = Date.UTC(2026, 0, 1) / 1000;

/**
 * Whose report is next. A farm's reports have turns a minute apart, the first one at once, and the earliest turn goes
 * first: a farm that asks for a thousand at a time gets one a minute and whatever nobody else wants, and a farm that asks
 * for one does not stand behind the thousand. Turns are moments, so that processes need to share nothing; each spaces
 * what it is asked itself, so of n processes a farm has n turns a minute.
 */
export class Turns {
  private readonly last = new LRUCache<string, number>({ max: MOST_FARMS });

  /** The turn of a report that is asked for at `now` (Unix milliseconds), as a priority: the higher goes first. */
  next(farmId: string, now: number): number {
    const seconds = Math.floor(now / 1000);
    const turn = Math.max(seconds, (this.last.get(farmId) ?? 0) + TURN_SECONDS);
    this.last.set(farmId, turn);
    return BEGINNING - turn;
  }
}
