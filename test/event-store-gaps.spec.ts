import { randomUUIDv7 } from 'node:crypto';
import { once, EventEmitter } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Client } from 'pg';
import { type Database, type Transaction } from '../src/database/index.js';
import { bucketOf, EventStore } from '../src/event-store/index.js';
import { gateOf, opened } from './event-store-story.js';
import { type FreshDatabase, freshDatabase, openDatabase } from './support/database.js';

const WRITERS = 8;
const SEED = 20261121;

/** A log that hands out positions, and a reader who asks for what lies after the last position it saw. */
interface Log {
  write(tx: Transaction, id: string): Promise<unknown>;
  readAfter(position: bigint): Promise<{ id: string; position: bigint }[]>;
}

let fresh: FreshDatabase;
let database: Database;
let owner: Client;
let serving: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  fresh = await freshDatabase();
  owner = new Client(fresh.ownerUrl);
  await owner.connect();
  serving = openDatabase(fresh.url, WRITERS + 4);
  database = serving.database;
});

afterAll(async () => {
  await Promise.all([serving.close(), owner.end()]);
  await fresh.drop();
});

it('a reader of a sequence misses events that commit late', async () => {
  const { committed, seen } = await follow(await sequenceLog());
  const missed = committed.filter((id) => !seen.includes(id));
  expect(missed.length).toBeGreaterThan(0);
});

it('a reader of the event store misses none and sees them in one order, without a gap', async () => {
  const { committed, seen, positions } = await follow(eventStoreLog());
  expect([...seen].sort()).toEqual([...committed].sort());
  expect(positions).toEqual(positions.map((_, index) => BigInt(index + 1)));
});

/**
 * Eight writers, who roll back or linger between taking a position and the commit at random, and a reader who follows
 * them. One writer takes the first position and holds it until the reader has seen a later one or another writer waits
 * for it: in a log of the careless kind that position is then missed for certain.
 */
async function follow(log: Log): Promise<{ committed: string[]; seen: string[]; positions: bigint[] }> {
  const committed: string[] = [];
  const seen: string[] = [];
  const positions: bigint[] = [];
  let writing = true;

  const read = async (): Promise<number> => {
    const next = await log.readAfter(positions.at(-1) ?? 0n);
    seen.push(...next.map(({ id }) => id));
    positions.push(...next.map(({ position }) => position));
    return next.length;
  };
  const reader = async (): Promise<void> => {
    while (writing || (await read()) > 0) await read();
  };
  const write = async (rollsBack: boolean, linger: (tx: Transaction) => Promise<void>): Promise<void> => {
    const id = randomUUIDv7();
    await database
      .transaction(async (tx) => {
        await log.write(tx, id);
        await linger(tx);
        if (rollsBack) throw new RolledBack();
      })
      .then(() => committed.push(id))
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
  };

  const moments = new EventEmitter();
  const holding = once(moments, 'holding');
  const straggler = write(false, async () => {
    moments.emit('holding');
    while (seen.length === 0 && !(await someoneWaits()));
  });
  await holding;
  const writers = stories().map(async (story) => {
    for (const { rollsBack, lingers } of story) {
      await write(rollsBack, async (tx) => {
        for (let pause = 0; pause < lingers; pause++) await tx.query('SELECT 1');
      });
    }
  });
  const following = reader();
  await Promise.all([straggler, ...writers]);
  writing = false;
  await following;
  return { committed, seen, positions };
}

class RolledBack extends Error {}

function stories(): { rollsBack: boolean; lingers: number }[][] {
  const step = fc.record({ rollsBack: fc.constantFrom(true, false, false), lingers: fc.nat(6) });
  return fc.sample(fc.array(step, { minLength: 40, maxLength: 40 }), { seed: SEED, numRuns: WRITERS - 1 });
}

/** Whether a transaction waits for another one of this database to end. Only the owner is shown that. */
async function someoneWaits(): Promise<boolean> {
  const { rows } = await owner.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event IN ('transactionid', 'tuple')`,
  );
  return rows.length > 0;
}

function eventStoreLog(): Log {
  const store = new EventStore(database);
  return {
    write: (tx, id) => store.append(tx, gateOf('busy', id), 0, [{ ...opened(), id }], {}),
    readAfter: (position) => store.readAll(bucketOf('busy'), position, 1_000),
  };
}

/** What one writes first: positions from a sequence. */
async function sequenceLog(): Promise<Log> {
  await owner.query(
    `CREATE TABLE careless_log (position bigserial PRIMARY KEY, id uuid NOT NULL);
     GRANT SELECT, INSERT ON careless_log TO muster_service;
     GRANT USAGE ON SEQUENCE careless_log_position_seq TO muster_service`,
  );
  return {
    write: (tx, id) => tx.query('INSERT INTO careless_log (id) VALUES ($1)', [id]),
    readAfter: async (position) => {
      const statement = 'SELECT id, position FROM careless_log WHERE position > $1 ORDER BY position';
      const { rows } = await database.query<{ id: string; position: string }>(statement, [position]);
      return rows.map(({ id, position: text }) => ({ id, position: BigInt(text) }));
    },
  };
}
