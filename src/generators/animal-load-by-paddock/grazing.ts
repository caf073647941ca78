import type { FarmRecords, HeadLine, Holding, LocalDate } from '../../farm-records/reader.js';
import { joinedKey } from '../keys.js';
import { FarmClock } from './farm-clock.js';
import { GrazedLand } from './grazed-land.js';
import type { Moment } from './head-time.js';
import type { Ratings } from './ratings.js';
import type { Segment } from './segments.js';

/** Stock standing on the same land and worth the same. */
interface Standing {
  readonly holding: Holding;
  readonly lands: readonly GrazedLand[];
  head: number;
  since: Moment;
  rating: string | undefined;
}

/**
 * Follows the stock of a farm through a period: who stands where, from which instant to which. Lines come in the order they happened;
 * those of one instant take effect together, so that a move is never seen half done.
 */
export class Grazing {
  readonly farm: GrazedLand;
  readonly paddocks = new Map<string, GrazedLand>();
  /** Classes that have no rating on some day. */
  readonly unrated = new Set<string>();
  private readonly standings = new Map<string, Standing>();
  private readonly touched = new Set<GrazedLand>();
  private readonly clock: FarmClock;
  private now: Moment = { day: 0, ms: 0, length: 1 };
  private at = 0;
  private segment = -1;

  constructor(
    records: FarmRecords,
    private readonly segments: readonly Segment[],
    private readonly ratings: Ratings,
  ) {
    this.clock = new FarmClock(records, (segments[0] as Segment).period.start);
    this.farm = new GrazedLand();
    this.beginSegment(this.clock.startOf((segments[0] as Segment).period.start));
  }

  /** Stock that stand where they stood before the period. */
  open(holding: Holding, head: number): void {
    this.change(this.standing(holding), head);
  }

  line(line: HeadLine & { readonly at: number; readonly day: LocalDate }): void {
    this.advance(line.at, line.day);
    this.change(this.standing(line), line.delta);
  }

  /** Ends the period. */
  close(): void {
    const end = this.clock.after(this.segments.at(-1) as Segment);
    while (this.segment < this.segments.length - 1) this.endSegment();
    this.settle();
    this.now = end;
    for (const standing of this.standings.values()) this.count(standing);
    for (const land of this.lands) land.graze(this.segment, end);
  }

  private get lands(): GrazedLand[] {
    return [this.farm, ...this.paddocks.values()];
  }

  private advance(at: number, day: LocalDate): void {
    while (
      this.segment < this.segments.length - 1 &&
      at >= this.clock.startOf((this.segments[this.segment + 1] as Segment).period.start)
    ) {
      this.endSegment();
    }
    if (at <= this.at) return;
    this.settle();
    this.at = at;
    this.now = this.clock.momentOf(at, day);
  }

  private endSegment(): void {
    this.settle();
    const next = this.segments[this.segment + 1] as Segment;
    this.now = this.clock.after(this.segments[this.segment] as Segment);
    for (const [key, standing] of this.standings) {
      this.count(standing);
      if (standing.head === 0) this.standings.delete(key);
    }
    for (const land of this.lands) land.graze(this.segment, this.now);
    this.beginSegment(this.clock.startOf(next.period.start));
  }

  private beginSegment(at: number): void {
    this.segment++;
    this.at = at;
    for (const standing of this.standings.values()) this.rate(standing);
    for (const land of this.lands) this.touched.add(land);
  }

  private standing(line: Holding): Standing {
    const { species, ageClass, mob, paddock } = line;
    const key = joinedKey(species, ageClass, mob, paddock);
    let standing = this.standings.get(key);
    if (!standing) {
      const holding = { species, ageClass, mob, paddock, enterprise: '' };
      standing = {
        holding,
        lands: [this.farm, this.land(paddock)],
        head: 0,
        since: this.now,
        rating: undefined,
      };
      this.standings.set(key, standing);
      this.rate(standing);
    }
    return standing;
  }

  private land(paddock: string): GrazedLand {
    let land = this.paddocks.get(paddock);
    if (!land) {
      land = new GrazedLand();
      this.paddocks.set(paddock, land);
    }
    return land;
  }

  private change(standing: Standing, delta: number): void {
    this.count(standing);
    standing.head += delta;
    for (const land of standing.lands) {
      land.graze(this.segment, this.now);
      land.change(delta, standing.rating);
      this.touched.add(land);
    }
  }

  /** Counts what stood up to now. */
  private count(standing: Standing): void {
    const { rating, head, since } = standing;
    if (head !== 0)
      for (const land of standing.lands) land.in(this.segment).load.add(rating, head, since, this.now);
    standing.since = this.now;
  }

  private rate(standing: Standing): void {
    const today = (this.segments[this.segment] as Segment).period.start;
    const rating = this.ratings.on(today, standing.holding);
    if (rating === undefined) this.unrated.add(`${standing.holding.species}, ${standing.holding.ageClass}`);
    if (rating === standing.rating) return;
    for (const land of standing.lands) land.rerate(standing.head, standing.rating, rating);
    standing.rating = rating;
  }

  /** An instant is over: what stands now stood there for a while. */
  private settle(): void {
    for (const land of this.touched) land.settle(this.segment);
    this.touched.clear();
  }
}
