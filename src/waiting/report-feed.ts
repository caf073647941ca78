import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { coalesce } from '../database/coalesce.js';
import { EventStore, EVERY_BUCKET, HintListener, type RecordedEvent } from '../event-store/index.js';
import { REPORT_EVENTS, type ReportEvent } from '../reports/index.js';

/** The events of reports among the positions of a bucket after `after`, up to and including `through`. */
export interface Stretch {
  readonly bucket: number;
  readonly after: bigint;
  readonly through: bigint;
  readonly events: readonly RecordedEvent<ReportEvent>[];
}

/** Told of stretches in order and without gaps. The first of a bucket may begin beyond what the follower knows, and is then
 * empty: what lies before it is for the follower to read. Must not throw. */
export type Follower = (stretch: Stretch) => void;

const POLL_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
const SPAN = 64;

/**
 * What happens to reports, as it happens, for everybody in this process who waits. Each bucket that someone follows is
 * read once, however many follow it; hints wake it, and each second it looks for itself. It reads nothing while nobody
 * waits.
 */
@Injectable()
export class ReportFeed implements OnModuleDestroy {
  private readonly log = new Logger('ReportFeed');
  private readonly followers = new Map<number, Set<Follower>>();
  /** Who follows EVERY_BUCKET: thousands of them cost an entry each, and not 256. */
  private readonly everywhere = new Set<Follower>();
  private readonly known = new Map<number, bigint>();
  private readonly hinted = new Set<number>();
  private running: Promise<void> | undefined;
  private stopped = false;
  private wake: () => void = () => undefined;

  private readonly readShared = coalesce(
    ({ bucket, after }: { bucket: number; after: bigint }) => this.readStretch(bucket, after),
    ({ bucket, after }) => `${bucket}:${after}`,
  );

  constructor(
    private readonly store: EventStore,
    private readonly hints: HintListener,
  ) {}

  /** Tells `follower` of these buckets until the function it answers is called. */
  follow(buckets: readonly number[], follower: Follower): () => void {
    if (buckets === EVERY_BUCKET) this.everywhere.add(follower);
    else for (const bucket of buckets) this.join(bucket, follower);
    for (const bucket of buckets) this.hinted.add(bucket);
    this.running ??= this.run();
    this.wake();
    return () => this.leave(buckets, follower);
  }

  /** Reads on from a position. Followers who ask for the same at the same time share the statement. */
  read(bucket: number, after: bigint): Promise<Stretch & { readonly complete: boolean }> {
    return this.readShared({ bucket, after });
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  private join(bucket: number, follower: Follower): void {
    const followers = this.followers.get(bucket) ?? new Set();
    this.followers.set(bucket, followers.add(follower));
  }

  private leave(buckets: readonly number[], follower: Follower): void {
    this.everywhere.delete(follower);
    for (const bucket of buckets) {
      const followers = this.followers.get(bucket);
      followers?.delete(follower);
      if (followers?.size === 0) this.followers.delete(bucket);
      if (!this.follows(bucket)) this.known.delete(bucket);
    }
  }

  private follows(bucket: number): boolean {
    return this.everywhere.size > 0 || this.followers.has(bucket);
  }

  private async run(): Promise<void> {
    const unlisten = this.hints.listen((buckets) => this.hear(buckets));
    let due: 'followed' | 'hinted' = 'hinted';
    for (let failures = 0; !this.stopped;) {
      try {
        await this.round(due);
        failures = 0;
        due = await this.pause(POLL_MS);
      } catch (error) {
        this.log.warn({ err: error }, 'the feed of reports paused');
        this.hinted.clear();
        await this.pause(Math.min(100 * 2 ** failures++, LONGEST_PAUSE_MS));
        due = 'followed';
      }
    }
    unlisten();
  }

  private hear(buckets: readonly number[]): void {
    for (const bucket of buckets) if (this.follows(bucket)) this.hinted.add(bucket);
    if (this.hinted.size > 0) this.wake();
  }

  private async round(due: 'followed' | 'hinted'): Promise<void> {
    const buckets = [
      ...(due === 'hinted' ? this.hinted : this.everywhere.size > 0 ? EVERY_BUCKET : this.followers.keys()),
    ];
    this.hinted.clear();
    if (buckets.length === 0) return;
    for (const [bucket, head] of await this.store.heads(buckets)) {
      const known = this.known.get(bucket);
      if (known === undefined) this.publish({ bucket, after: head, through: head, events: [] });
      else if (head > known) await this.readOn(bucket, known);
    }
  }

  private async readOn(bucket: number, known: bigint): Promise<void> {
    for (let after = known, complete = false; !complete && this.follows(bucket);) {
      const stretch = await this.readStretch(bucket, after);
      this.publish(stretch);
      ({ through: after, complete } = stretch);
    }
  }

  private publish(stretch: Stretch): void {
    const { bucket, through } = stretch;
    if (!this.follows(bucket)) return;
    this.known.set(bucket, through);
    for (const follower of [...(this.followers.get(bucket) ?? []), ...this.everywhere]) follower(stretch);
  }

  private async readStretch(bucket: number, after: bigint): Promise<Stretch & { complete: boolean }> {
    const { events, through, complete } = await this.store.readStretch(bucket, after, SPAN, REPORT_EVENTS);
    return { bucket, after, through, complete, events: events as RecordedEvent<ReportEvent>[] };
  }

  /** Ends after the time, or as soon as there is a hint; says which. */
  private async pause(milliseconds: number): Promise<'followed' | 'hinted'> {
    if (this.hinted.size > 0 || this.stopped) return 'hinted';
    const { promise, resolve } = Promise.withResolvers<'followed' | 'hinted'>();
    const timer = setTimeout(() => resolve('followed'), milliseconds);
    this.wake = () => resolve('hinted');
    const due = await promise;
    clearTimeout(timer);
    this.wake = () => undefined;
    return due;
  }
}
