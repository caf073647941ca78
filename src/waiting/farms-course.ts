import { type Principal, reaches } from '../auth/index.js';
import { bucketOf, EVERY_BUCKET } from '../event-store/index.js';
import { type Course, frameOf, type Outlet } from './course.js';
import type { ReportFeed, Stretch } from './report-feed.js';
import type { StreamPosition } from './stream-position.js';

/** What happens to all reports on the farms that a caller reaches. */
export class FarmsCourse implements Course {
  readonly over = false;
  private readonly missing = new Set<number>();
  private marked = '';

  /** `position` says from where in every bucket of the caller; `heads` how far they reach now. */
  constructor(
    private readonly feed: ReportFeed,
    private readonly principal: Principal,
    readonly buckets: readonly number[],
    private position: StreamPosition,
    heads: ReadonlyMap<number, bigint>,
  ) {
    for (const [bucket, head] of heads) if (position.get(bucket) < Number(head)) this.missing.add(bucket);
  }

  get behind(): boolean {
    return this.missing.size > 0;
  }

  take(stretch: Stretch, outlet: Outlet): void {
    const { bucket, after, through, events } = stretch;
    const come = this.position.get(bucket);
    if (come >= Number(through)) return;
    if (come < Number(after)) {
      this.missing.add(bucket);
      return;
    }
    for (const event of events) {
      const position = Number(event.position);
      if (position <= come || !reaches(this.principal, event.tenantId)) continue;
      if (!outlet.open) {
        this.missing.add(bucket);
        return;
      }
      this.position = this.position.moved(bucket, position);
      outlet.send(frameOf(event, this.idOf(event.id)));
    }
    this.position = this.position.moved(bucket, Number(through));
  }

  async readOn(outlet: Outlet): Promise<void> {
    const [bucket] = this.missing;
    if (bucket === undefined) return;
    this.missing.delete(bucket);
    try {
      const stretch = await this.feed.read(bucket, BigInt(this.position.get(bucket)));
      if (!stretch.complete) this.missing.add(bucket);
      this.take(stretch, outlet);
    } catch (error) {
      this.missing.add(bucket);
      throw error;
    }
  }

  mark(): string | undefined {
    const mark = `~${this.position.toString()}`;
    if (mark === this.marked) return undefined;
    return (this.marked = mark);
  }

  /** A caller whose reach has changed connects anew, and so resumes with the farms of then. */
  allows(principal: Principal): boolean {
    const [before, now] = [this.principal.farms, principal.farms];
    if (!principal.scopes.has('read:reports')) return false;
    if (before === 'all' || now === 'all') return before === now;
    return before.size === now.size && before.isSubsetOf(now);
  }

  /** In one bucket the event says where it stands; over several the id carries how far the stream has come in each. */
  private idOf(eventId: string): string {
    return this.buckets.length === 1 ? eventId : `${eventId}~${this.position.toString()}`;
  }
}

/** The buckets that the farms of a caller lie in; one and the same list for all who reach every farm. */
export function bucketsOf({ farms }: Principal): readonly number[] {
  if (farms === 'all') return EVERY_BUCKET;
  return [...new Set([...farms].map(bucketOf))].sort((one, other) => one - other);
}
