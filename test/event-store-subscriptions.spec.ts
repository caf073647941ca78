import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type Database, type Transaction } from '../src/database/index.js';
import {
  bucketOf,
  EventStore,
  HintListener,
  type RecordedEvent,
  Subscriptions,
} from '../src/event-store/index.js';
import { HintSender } from '../src/event-store/hint-sender.js';
import { Subscription, type SubscriptionDefinition } from '../src/event-store/subscription.js';
import { closed, gateOf, hand, opened, record } from './event-store-story.js';
import { type FreshDatabase, freshDatabase, openDatabase } from './support/database.js';

type Handle = SubscriptionDefinition['handle'];

let fresh: FreshDatabase;
let owner: Client;
let database: Database;
let serving: ReturnType<typeof openDatabase>;
let store: EventStore;
const afterwards: (() => Promise<void>)[] = [];

beforeEach(async () => {
  fresh = await freshDatabase();
  owner = new Client({ connectionString: fresh.ownerUrl, application_name: 'owner' });
  owner.on('error', () => undefined);
  await owner.connect();
  await owner.query(
    'CREATE TABLE effect (event_id uuid NOT NULL); GRANT SELECT, INSERT ON effect TO muster_service',
  );
  serving = openDatabase(fresh.url);
  database = serving.database;
  store = new EventStore(database, new HintSender(database));
});

afterEach(async () => {
  for (const undo of afterwards.splice(0)) await undo();
  await Promise.all([serving.close(), owner.end()]);
  await fresh.drop();
});

describe('a subscription', () => {
  it('handles the events of its types in the order of their streams, from the beginning on, once', async () => {
    await record(database, store, gateOf('farm'), 0, opened('Ada'), closed('Ben'), opened('Cleo'));
    const by: string[] = [];
    const subscription = await joined(noting(by, hand));
    await subscription.catchUp();
    expect(by).toEqual(['Ada', 'Cleo']);
    await record(database, store, gateOf('farm'), 3, opened('Dan'));
    await subscription.catchUp();
    await subscription.catchUp();
    expect(by).toEqual(['Ada', 'Cleo', 'Dan']);
  });

  it('goes on where another process of it stopped', async () => {
    await record(database, store, gateOf('farm'), 0, opened('Ada'));
    await (await joined(nothing)).catchUp();
    await record(database, store, gateOf('farm'), 1, opened('Ben'));
    const by: string[] = [];
    await (await joined(noting(by, hand))).catchUp();
    expect(by).toEqual(['Ben']);
  });

  it('comes to the end of a log longer than it reads at once', async () => {
    const events = Array.from({ length: 450 }, () => opened());
    await record(database, store, gateOf('long'), 0, ...events);
    await (await joined(leaveEffect)).catchUp();
    expect(await effects()).toEqual(events.map(({ id }) => id));
  });

  it('says how far it is behind', async () => {
    const subscriptions = new Subscriptions(database, store, new HintListener(database));
    const subscription = await joined(nothing);
    await record(database, store, gateOf('farm'), 0, opened(), opened());
    await record(database, store, gateOf('other'), 0, closed());
    const lag = { name: 'gates', failingBuckets: 0, deadLetters: 0 };
    expect(await subscriptions.lag()).toEqual([{ ...lag, events: 3 }]);
    await subscription.catchUp();
    expect(await subscriptions.lag()).toEqual([{ ...lag, events: 0 }]);
  });
});

describe('two processes with the same subscription', () => {
  it('never handle an event twice and skip none', async () => {
    const second = openDatabase(fresh.url);
    const inHand = new Set<number>();
    const collisions: number[] = [];
    const handle: Handle = async (event, tx) => {
      if (inHand.has(event.bucket)) collisions.push(event.bucket);
      inHand.add(event.bucket);
      await leaveEffect(event, tx);
      inHand.delete(event.bucket);
    };
    const both = [await joined(handle), await joined(handle, {}, second.database)];

    const written: string[] = [];
    let writing = true;
    const writer = async (farm: string): Promise<void> => {
      for (let version = 0; version < 40; version++) {
        const event = opened();
        await record(database, store, gateOf(farm), version, event);
        written.push(event.id);
      }
    };
    const reader = async (subscription: Subscription): Promise<void> => {
      while (writing) await subscription.catchUp();
      await subscription.catchUp();
    };
    const reading = Promise.all(both.map(reader));
    await Promise.all(['a', 'b', 'c', 'd'].map(writer));
    writing = false;
    await reading;
    await both[0]!.catchUp();

    expect((await effects()).sort()).toEqual(written.sort());
    expect(collisions).toEqual([]);
    await second.close();
  });

  it('do not wait for each other: what one holds, the other passes by', async () => {
    await record(database, store, gateOf('slow'), 0, opened());
    await record(database, store, gateOf('quick'), 0, opened());
    const handled: string[] = [];
    const begun = Promise.withResolvers<undefined>();
    const finish = Promise.withResolvers<undefined>();
    const slow = await joined(async (event) => {
      if (event.tenantId !== 'slow') return;
      begun.resolve(undefined);
      await finish.promise;
    });
    const other = await joined(noting(handled, ({ tenantId }) => tenantId));
    const holding = slow.catchUp();
    await begun.promise;
    await record(database, store, gateOf('quick'), 1, opened());
    await other.catchUp();
    expect(handled).not.toContain('slow');
    finish.resolve(undefined);
    await holding;
    await other.catchUp();
    expect(handled).not.toContain('slow');
  });
});

describe('a crash between effect and checkpoint', () => {
  it('takes the effect back and delivers the event again', async () => {
    const event = opened();
    await record(database, store, gateOf('farm'), 0, event);
    const deliveries: string[] = [];
    const subscription = await joined(async (delivered, tx) => {
      deliveries.push(delivered.id);
      await leaveEffect(delivered, tx);
      if (deliveries.length === 1) await endConnection(tx);
    });
    await expect(subscription.catchUp()).rejects.toThrow();
    expect(await effects()).toEqual([]);
    await subscription.catchUp();
    expect(deliveries).toEqual([event.id, event.id]);
    expect(await effects()).toEqual([event.id]);
  });

  it('is no fault of the event: it is not on the way to the dead letters', async () => {
    await record(database, store, gateOf('farm'), 0, opened());
    const subscription = await joined((_, tx) => endConnection(tx), { attempts: 1 });
    await expect(subscription.catchUp()).rejects.toThrow();
    expect(await deadLetters()).toEqual([]);
  });
});

describe('an event that cannot be handled', () => {
  const failOn =
    (poison: string): Handle =>
    async (event, tx) => {
      await leaveEffect(event, tx);
      if (event.id === poison) throw new Error('no such gate');
    };

  it('is tried again, then parked with its error, and the subscription goes on', async () => {
    const [before, poison, after] = [opened(), opened(), opened()];
    await record(database, store, gateOf('farm'), 0, before, poison, after);
    const tries: string[] = [];
    const subscription = await joined(
      async (event, tx) => {
        tries.push(event.id);
        await failOn(poison.id)(event, tx);
      },
      { attempts: 3, firstRetryMs: 0 },
    );
    await subscription.catchUp();
    expect(tries).toEqual([before.id, poison.id, poison.id, poison.id, after.id]);
    expect(await effects()).toEqual([before.id, after.id]);
    expect(await deadLetters()).toEqual([
      {
        bucket: bucketOf('farm'),
        subscription: 'gates',
        position: 2n,
        eventId: poison.id,
        type: 'GateOpened',
        streamId: 'farm-gate',
        attempts: 3,
        error: 'Error: no such gate',
        parkedAt: expect.any(Date),
      },
    ]);
  });

  it('waits longer for each further try, and other farms do not wait for it', async () => {
    const poison = opened();
    await record(database, store, gateOf('farm'), 0, poison, opened());
    const subscription = await joined(failOn(poison.id), { firstRetryMs: 60_000 });
    await subscription.catchUp();
    const delays = [await retryDelay()];
    await owner.query(`UPDATE subscription_checkpoint SET retry_at = now() WHERE attempts > 0`);
    await subscription.catchUp();
    delays.push(await retryDelay());
    expect(delays).toEqual([60, 120]);

    const elsewhere = opened();
    await record(database, store, gateOf('elsewhere'), 0, elsewhere);
    await subscription.catchUp();
    expect(await effects()).toEqual([elsewhere.id]);
    const [lag] = await new Subscriptions(database, store, new HintListener(database)).lag();
    expect(lag).toMatchObject({ events: 2, failingBuckets: 1 });
  });

  it('does not lose its tries when the process stops in between', async () => {
    const poison = opened();
    await record(database, store, gateOf('farm'), 0, poison);
    const definition = { attempts: 2, firstRetryMs: 60_000 };
    await (await joined(failOn(poison.id), definition)).catchUp();
    await owner.query(`UPDATE subscription_checkpoint SET retry_at = now() WHERE attempts > 0`);
    await (await joined(failOn(poison.id), definition)).catchUp();
    expect(await deadLetters()).toMatchObject([{ eventId: poison.id, attempts: 2 }]);
  });

  it('can be handled again once its cause is gone', async () => {
    const event = opened();
    await record(database, store, gateOf('farm'), 0, event);
    await (await joined(failOn(event.id), { attempts: 1 })).catchUp();
    const [letter] = await deadLetters();

    const stillBroken = await joined(failOn(event.id));
    await expect(stillBroken.replay(letter!)).rejects.toThrow('no such gate');
    expect(await deadLetters()).toHaveLength(1);

    const repaired = await joined(leaveEffect);
    expect(await repaired.replay(letter!)).toBe(true);
    expect(await repaired.replay(letter!)).toBe(false);
    expect(await effects()).toEqual([event.id]);
    expect(await deadLetters()).toEqual([]);
  });
});

describe('a running subscription', () => {
  it('hears of new events, lives through a database that is away, and stops after the event in hand', async () => {
    const hints = new HintListener(database);
    const subscriptions = new Subscriptions(database, store, hints);
    const awaited = new Map<string, () => void>();
    subscriptions.subscribe({
      name: 'gates',
      types: ['GateOpened'],
      handle: async (event, tx) => {
        await leaveEffect(event, tx);
        awaited.get(event.id)?.();
      },
    });
    const handled = async (version: number): Promise<void> => {
      const event = opened();
      const arrival = new Promise<void>((resolve) => awaited.set(event.id, resolve));
      await record(database, store, gateOf('farm'), version, event);
      await arrival;
    };
    afterwards.push(
      () => subscriptions.beforeApplicationShutdown(),
      () => hints.onModuleDestroy(),
    );
    subscriptions.onApplicationBootstrap();
    await handled(0);
    await interruptDatabase();
    await handled(1);
    await subscriptions.beforeApplicationShutdown();

    expect(await effects()).toHaveLength(2);
    await record(database, store, gateOf('farm'), 2, opened());
    expect(await subscriptions.lag()).toMatchObject([{ name: 'gates', events: 1 }]);
  });

  it('is told of every bucket that has grown', async () => {
    const hints = new HintListener(database);
    afterwards.push(() => hints.onModuleDestroy());
    const heard: number[] = [];
    const told = Promise.withResolvers<undefined>();
    hints.listen((buckets) => {
      heard.push(...buckets);
      if (buckets.includes(bucketOf('farm'))) told.resolve(undefined);
    });
    await listening();
    await record(database, store, gateOf('farm'), 0, opened());
    await told.promise;
    expect(heard).toEqual([bucketOf('farm')]);
  });

  it('has a name that no other one has', () => {
    const subscriptions = new Subscriptions(database, store, new HintListener(database));
    const definition = { name: 'gates', types: [], handle: nothing };
    subscriptions.subscribe(definition);
    expect(() => subscriptions.subscribe(definition)).toThrow('registered twice');
  });
});

async function joined(
  handle: Handle,
  settings: Partial<SubscriptionDefinition> = {},
  of: Database = database,
): Promise<Subscription> {
  const definition = { name: 'gates', types: ['GateOpened'], handle, ...settings };
  const subscription = new Subscription(of, new EventStore(of), definition);
  await subscription.join();
  return subscription;
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

function noting(notes: string[], what: (event: RecordedEvent) => string): Handle {
  return (event) => {
    notes.push(what(event));
    return Promise.resolve();
  };
}

async function leaveEffect({ id }: RecordedEvent, tx: Transaction): Promise<void> {
  await tx.query('INSERT INTO effect (event_id) VALUES ($1)', [id]);
}

async function effects(): Promise<string[]> {
  const { rows } = await owner.query<{ event_id: string }>('SELECT event_id FROM effect');
  return rows.map(({ event_id }) => event_id);
}

function deadLetters(): Promise<unknown[]> & Promise<{ bucket: number; position: bigint }[]> {
  return new Subscriptions(database, store, new HintListener(database)).deadLetters(100);
}

/** Whole seconds until a failing event is due again. */
async function retryDelay(): Promise<number> {
  const { rows } = await owner.query<{ seconds: number }>(
    `SELECT round(extract(epoch FROM retry_at - now()))::integer AS seconds FROM subscription_checkpoint WHERE attempts > 0`,
  );
  return rows[0]?.seconds ?? 0;
}

/** What a crash looks like from the database: the connection is gone in mid-transaction. */
async function endConnection(tx: Transaction): Promise<void> {
  const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await owner.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
}

/** Ends every connection of the service and lets it in again only after it has tried in vain. */
async function interruptDatabase(): Promise<void> {
  const url = new URL(fresh.url);
  const name = url.pathname.slice(1);
  url.pathname = 'postgres';
  const admin = new Client(url.href);
  await admin.connect();
  await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
  await admin.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND application_name <> 'owner'`,
    [name],
  );
  await expect(database.query('SELECT 1')).rejects.toThrow();
  await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
  await admin.end();
}

async function listening(): Promise<void> {
  const statement = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`;
  while ((await owner.query(statement)).rowCount === 0);
}
