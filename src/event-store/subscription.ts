import type { Database, Transaction } from '../database/database.js';
import { BUCKETS } from './bucket.js';
import { type DeadLetter, parkEvent, takeDeadLetter } from './dead-letter.js';
import type { DomainEvent, RecordedEvent } from './event.js';
import type { EventStore } from './event-store.js';

/** What a subscription is made of. `name` is its identity for ever: its checkpoints stand under it. */
export interface SubscriptionDefinition<Event extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly types: readonly Event['type'][];
  /**
   * Handles one event. What it writes through `tx` commits together with the checkpoint, and so exactly once; any other
   * effect happens at least once. When it throws, the event is tried again later and its bucket waits for it. A handler
   * that lets `tx` rest for a minute loses it.
   */
  handle(event: RecordedEvent<Event>, tx: Transaction): Promise<void>;
  /** Tries before an event is parked as a dead letter and its bucket goes on: 8 unless said. */
  readonly attempts?: number;
  /** Milliseconds before the second try: 500 unless said; doubled for each further one, up to five minutes. */
  readonly firstRetryMs?: number;
}

/** `held`: another process has the bucket. `waiting`: an event failed. `behind`: there is more. */
type Progress = 'held' | 'waiting' | 'behind' | 'current';

interface Claim {
  readonly position: bigint;
  readonly attempts: number;
}

const SPAN = 200;
const BUCKETS_AT_ONCE = 2;
const LONGEST_RETRY_MS = 300_000;

/** One subscription in this process. Any number of processes may run the same one: a bucket is handled by one at a time. */
export class Subscription {
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    readonly definition: SubscriptionDefinition,
  ) {}

  /** Makes the checkpoints of a new subscription, at the beginning of every bucket. */
  async join(): Promise<void> {
    await this.database.query(
      `INSERT INTO subscription_checkpoint (bucket, name) SELECT generate_series(0, ${BUCKETS - 1}), $1
       ON CONFLICT (bucket, name) DO NOTHING`,
      [this.definition.name],
    );
  }

  /** Handles everything that is due; returns when nothing is, when others hold it, or soon after `stop`. */
  async catchUp(): Promise<void> {
    for (let advanced = true; advanced && !this.stopping;) {
      advanced = false;
      const due = await this.dueBuckets();
      const lane = async (): Promise<void> => {
        for (let bucket = due.pop(); bucket !== undefined && !this.stopping; bucket = due.pop()) {
          const progress = await this.advance(bucket);
          if (progress !== 'held') advanced = true;
        }
      };
      await settled(Array.from({ length: BUCKETS_AT_ONCE }, lane));
    }
  }

  /** Lets the event in hand be finished and no further one be begun. */
  stop(): void {
    this.stopping = true;
  }

  /** Handles a parked event once more. Answers false when it is parked no longer; when it fails again, it stays parked. */
  async replay({ bucket, position }: Pick<DeadLetter, 'bucket' | 'position'>): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if (!(await takeDeadLetter(tx, this.definition.name, bucket, position))) return false;
      const [event] = await this.store.readAll(bucket, position - 1n, 1, tx);
      if (event?.position !== position)
        throw new Error(`bucket ${bucket} lacks the event at position ${position}`);
      await this.definition.handle(event, tx);
      return true;
    });
  }

  /** Buckets with something to handle, in no particular order so that processes do not queue up at the same ones. */
  private async dueBuckets(): Promise<number[]> {
    const { rows } = await this.database.query<{ bucket: number }>({
      name: 'subscription-due',
      text: `SELECT checkpoint.bucket
             FROM subscription_checkpoint checkpoint JOIN log_head ON log_head.bucket = checkpoint.bucket
             WHERE checkpoint.name = $1 AND log_head.position > checkpoint.position
               AND checkpoint.retry_at <= clock_timestamp()
             ORDER BY random()`,
      values: [this.definition.name],
    });
    return rows.map(({ bucket }) => bucket);
  }

  /** One stretch of a bucket: effects and checkpoint in one transaction. */
  private advance(bucket: number): Promise<Progress> {
    return this.database.transaction(async (tx) => {
      const claim = await this.claim(tx, bucket);
      if (!claim) return 'held';
      const { events, through, complete } = await this.store.readStretch(
        bucket,
        claim.position,
        SPAN,
        this.definition.types,
        tx,
      );
      let { attempts } = claim;
      let done = claim.position;
      for (const event of events) {
        if (this.stopping) break;
        const failure = await this.attempt(tx, event);
        if (failure !== undefined && ++attempts < this.attemptsAllowed) {
          return this.postpone(tx, bucket, event.position - 1n, attempts, failure);
        }
        if (failure !== undefined) await parkEvent(tx, this.definition.name, event, attempts, failure);
        attempts = 0;
        done = event.position;
      }
      if (!this.stopping) return this.checkpoint(tx, bucket, through, complete ? 'current' : 'behind');
      return done > claim.position ? this.checkpoint(tx, bucket, done, 'behind') : 'behind';
    });
  }

  private async claim(tx: Transaction, bucket: number): Promise<Claim | undefined> {
    const { rows } = await tx.query<{ position: string; attempts: number }>({
      name: 'subscription-claim',
      text: `SELECT position, attempts FROM subscription_checkpoint
             WHERE bucket = $1 AND name = $2 AND retry_at <= clock_timestamp()
             FOR UPDATE SKIP LOCKED`,
      values: [bucket, this.definition.name],
    });
    return rows[0] && { position: BigInt(rows[0].position), attempts: rows[0].attempts };
  }

  /** What was thrown, as text. Its writes are taken back; those of the events before it stand. */
  private async attempt(tx: Transaction, event: RecordedEvent): Promise<string | undefined> {
    await tx.query('SAVEPOINT handling');
    try {
      await this.definition.handle(event, tx);
      await tx.query('RELEASE SAVEPOINT handling');
      return undefined;
    } catch (error) {
      await tx.query('ROLLBACK TO SAVEPOINT handling');
      return describe(error);
    }
  }

  private async checkpoint(
    tx: Transaction,
    bucket: number,
    position: bigint,
    progress: Progress,
  ): Promise<Progress> {
    await tx.query({
      name: 'subscription-checkpoint',
      text: `UPDATE subscription_checkpoint
             SET position = $3, attempts = 0, retry_at = '-infinity', last_error = NULL
             WHERE bucket = $1 AND name = $2`,
      values: [bucket, this.definition.name, position],
    });
    return progress;
  }

  private async postpone(
    tx: Transaction,
    bucket: number,
    position: bigint,
    attempts: number,
    error: string,
  ): Promise<Progress> {
    const delayMs = Math.min((this.definition.firstRetryMs ?? 500) * 2 ** (attempts - 1), LONGEST_RETRY_MS);
    await tx.query({
      name: 'subscription-postpone',
      text: `UPDATE subscription_checkpoint
             SET position = $3, attempts = $4, retry_at = clock_timestamp() + $5 * interval '1 millisecond', last_error = $6
             WHERE bucket = $1 AND name = $2`,
      values: [bucket, this.definition.name, position, attempts, delayMs, error],
    });
    return 'waiting';
  }

  private get attemptsAllowed(): number {
    return this.definition.attempts ?? 8;
  }
}

/** Waits for all of them, then fails if one did: no lane works on after the caller believes it done. */
async function settled(lanes: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(lanes)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll('\0', '').slice(0, 2_000);
}
