import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database, type Sql } from '../database/database.js';
import { isPassing } from '../database/passing-failure.js';
import { type DeadLetter, listDeadLetters } from './dead-letter.js';
import type { DomainEvent } from './event.js';
import { EventStore } from './event-store.js';
import { HintListener } from './hint-listener.js';
import { Subscription, type SubscriptionDefinition } from './subscription.js';
import { SubscriptionRun } from './subscription-run.js';

/** How far a subscription is behind: events it has not passed, buckets where one fails, events it gave up. */
export interface SubscriptionLag {
  readonly name: string;
  readonly events: number;
  readonly failingBuckets: number;
  readonly deadLetters: number;
}

/** The subscriptions that there are. Those that run in this process start when the application is up and stop before it goes down. */
@Injectable()
export class Subscriptions implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Subscriptions');
  private readonly known = new Map<string, Subscription>();
  private readonly runs: SubscriptionRun[] = [];

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly hints: HintListener,
  ) {}

  /** Registers a subscription; call it in `onModuleInit`. One that does not run here has its dead letters replayed here all the same. */
  subscribe<Event extends DomainEvent>(
    definition: SubscriptionDefinition<Event>,
    { runsHere = true } = {},
  ): void {
    const { name } = definition;
    if (this.known.has(name)) throw new Error(`the subscription ${name} is registered twice`);
    const subscription = new Subscription(this.database, this.store, definition);
    this.known.set(name, subscription);
    if (!runsHere) return;
    const complain = (error: unknown): void =>
      this.log[isPassing(error) ? 'log' : 'warn'](
        { err: error, subscription: name },
        'a subscription paused',
      );
    this.runs.push(new SubscriptionRun(subscription, this.hints, complain));
  }

  /** Starts what is registered. */
  onApplicationBootstrap(): void {
    for (const run of this.runs) run.start();
  }

  /** Waits until the events in hand are handled. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.runs.map((run) => run.stop()));
  }

  /** The lag of every subscription that has checkpoints, whoever runs it. */
  async lag(sql: Sql = this.database): Promise<SubscriptionLag[]> {
    const { rows } = await sql.query<SubscriptionLag>(
      `SELECT checkpoint.name,
         sum(log_head.position - checkpoint.position)::float8 AS events,
         count(*) FILTER (WHERE checkpoint.attempts > 0)::integer AS "failingBuckets",
         (SELECT count(*) FROM dead_letter WHERE dead_letter.subscription = checkpoint.name)::integer AS "deadLetters"
       FROM subscription_checkpoint checkpoint JOIN log_head ON log_head.bucket = checkpoint.bucket
       GROUP BY checkpoint.name ORDER BY checkpoint.name`,
    );
    return rows;
  }

  /** The oldest events that subscriptions gave up. */
  deadLetters(limit: number): Promise<DeadLetter[]> {
    return listDeadLetters(this.database, limit);
  }

  /**
   * Has a parked event handled once more. Answers false when it is parked no longer. Throws what the handler throws, and
   * the event stays parked. Events of its bucket that came after it have been handled meanwhile.
   */
  async replay(letter: DeadLetter): Promise<boolean> {
    const subscription = this.known.get(letter.subscription);
    if (!subscription) throw new Error(`there is no subscription ${letter.subscription}`);
    return subscription.replay(letter);
  }
}
