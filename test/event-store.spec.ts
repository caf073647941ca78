import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Database, type Transaction } from '../src/database/index.js';
import { bucketOf, EventStore, type RecordedEvent, VersionConflict } from '../src/event-store/index.js';
import { closed, type GateClosed, gateOf, type GateOpened, opened, record } from './event-store-story.js';
import { type FreshDatabase, freshDatabase, openDatabase } from './support/database.js';

let fresh: FreshDatabase;
let database: Database;
let serving: ReturnType<typeof openDatabase>;
let store: EventStore;

beforeAll(async () => {
  fresh = await freshDatabase();
  serving = openDatabase(fresh.url);
  database = serving.database;
  store = new EventStore(database);
});

afterAll(async () => {
  await serving.close();
  await fresh.drop();
});

describe('a stream', () => {
  it('has no events before the first append', async () => {
    expect(await store.read(gateOf('nowhere'))).toEqual([]);
  });

  it('gives back what was appended, in order, as plain objects', async () => {
    const stream = gateOf('north');
    const first = opened('Ada');
    const rest = [closed('Ben'), opened('Cleo')];
    expect(await record(database, store, stream, 0, first)).toEqual({
      outcome: 'appended',
      version: 1,
      position: 1n,
    });
    expect(await record(database, store, stream, 1, ...rest)).toEqual({
      outcome: 'appended',
      version: 3,
      position: 3n,
    });

    const events = await store.read(stream);
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'GateOpened', by: 'Ada' },
      { type: 'GateClosed', by: 'Ben' },
      { type: 'GateOpened', by: 'Cleo' },
    ]);
    expect(events[0]).toEqual({
      ...stream,
      id: first.id,
      position: 1n,
      version: 1,
      event: { type: 'GateOpened', by: 'Ada' },
      meta: { actor: 'test' },
      recordedAt: expect.any(Date),
    });
    expect(events.map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it('keeps every text, number and nesting that JSON can hold', async () => {
    const name = fc.string().filter((text) => text !== 'type');
    const anything = fc.dictionary(name, fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }));
    const storable = anything.filter((members) => !/\\u(0000|d[89a-f])/i.test(JSON.stringify(members)));
    await fc.assert(
      fc.asyncProperty(storable, fc.uuid(), async (members, gate) => {
        const stream = gateOf('archive', gate);
        const event = { ...(JSON.parse(JSON.stringify(members)) as object), type: 'Noted' };
        await record(database, store, stream, 0, { id: randomUUIDv7(), event });
        const [stored] = await store.read(stream);
        expect(stored?.event).toEqual(event);
      }),
      { numRuns: 60 },
    );
  });

  it('belongs to one tenant: another one cannot extend it, nor write outside its bucket', async () => {
    const stream = gateOf('owned');
    await record(database, store, stream, 0, opened());
    const stranger = tenantBeside('owned');
    await expect(record(database, store, { ...stream, tenantId: stranger }, 1, closed())).rejects.toThrow(
      VersionConflict,
    );
    const elsewhere = { ...stream, bucket: (stream.bucket + 1) % 256 };
    await expect(record(database, store, elsewhere, 0, closed())).rejects.toThrow(RangeError);
  });
});

describe('optimistic concurrency', () => {
  it('refuses a writer who decided on an older version', async () => {
    const stream = gateOf('south');
    await record(database, store, stream, 0, opened(), closed());
    const late = record(database, store, stream, 1, closed());
    await expect(late).rejects.toMatchObject({ expectedVersion: 1, actualVersion: 2 });
    await expect(late).rejects.toThrow(VersionConflict);
    expect(await store.read(stream)).toHaveLength(2);
  });

  it('refuses a version that the stream has not reached', async () => {
    await expect(record(database, store, gateOf('future'), 3, opened())).rejects.toMatchObject({
      actualVersion: 0,
    });
    expect(await store.read(gateOf('future'))).toEqual([]);
  });

  it.each([0, 1])('lets one of two simultaneous writers at version %i win', async (version) => {
    const stream = gateOf(`race-${version}`);
    if (version === 1) await record(database, store, stream, 0, opened());
    const results = await Promise.allSettled([
      record(database, store, stream, version, opened('Ada')),
      record(database, store, stream, version, opened('Ben')),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await store.read(stream)).toHaveLength(version + 1);
  });

  it('lets the next writer in when the first one rolls back', async () => {
    const stream = gateOf('undone');
    const rolledBack = database.transaction(async (tx) => {
      await store.append(tx, stream, 0, [opened('Ada')], {});
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    expect(await record(database, store, stream, 0, opened('Ben'))).toMatchObject({
      outcome: 'appended',
      version: 1,
    });
  });

  it.each([
    ['no event', 0, []],
    ['a negative version', -1, [opened()]],
    ['half a version', 0.5, [opened()]],
  ])('does not take %s', async (_, version, events) => {
    await expect(record(database, store, gateOf('odd'), version, ...events)).rejects.toThrow(RangeError);
  });

  it('takes one append in a transaction', async () => {
    const twice = database.transaction(async (tx) => {
      await store.append(tx, gateOf('twice'), 0, [opened()], {});
      await store.append(tx, gateOf('twice'), 1, [closed()], {});
    });
    await expect(twice).rejects.toThrow('a transaction appends once');
    expect(await store.read(gateOf('twice'))).toEqual([]);
  });
});

describe('a retry after a commit whose answer was lost', () => {
  it.each([0, 1])('is recognised by its event ids, at version %i', async (version) => {
    const stream = gateOf(`doubt-${version}`);
    if (version === 1) await record(database, store, stream, 0, opened());
    const events = [closed(), opened()];
    await record(database, store, stream, version, ...events);
    await record(database, store, stream, version + 2, closed('someone later'));
    expect(await record(database, store, stream, version, ...events)).toEqual({ outcome: 'duplicate' });
    expect(await store.read(stream)).toHaveLength(version + 3);
  });

  it('waits for a first try that is still under way', async () => {
    const stream = gateOf('under-way');
    const event = opened();
    let retry: Promise<unknown> | undefined;
    await database.transaction(async (tx) => {
      await store.append(tx, stream, 0, [event], {});
      retry = record(database, store, stream, 0, event);
    });
    expect(await retry).toEqual({ outcome: 'duplicate' });
  });

  it('is no duplicate when only some of its events are there', async () => {
    const stream = gateOf('part');
    const event = opened();
    await record(database, store, stream, 0, event);
    await expect(record(database, store, stream, 0, event, closed())).rejects.toThrow(VersionConflict);
  });

  it('does not run inline projections again', async () => {
    const projecting = new EventStore(database);
    const projected: string[] = [];
    projecting.inline<GateOpened>(['GateOpened'], (_, { id }) => {
      projected.push(id);
      return Promise.resolve();
    });
    const event = opened();
    await record(database, projecting, gateOf('calm'), 0, event);
    expect(await record(database, projecting, gateOf('calm'), 0, event)).toEqual({ outcome: 'duplicate' });
    expect(projected).toEqual([event.id]);
  });
});

describe('an append in a transaction of its own', () => {
  it('appends one event or several, to a new stream or an old one', async () => {
    const stream = gateOf('alone');
    expect(await store.appendAlone(stream, 0, [opened()], {})).toMatchObject({
      outcome: 'appended',
      version: 1,
    });
    expect(await store.appendAlone(stream, 1, [closed(), opened()], {})).toMatchObject({
      outcome: 'appended',
      version: 3,
    });
    expect(await store.appendAlone(stream, 3, [closed()], {})).toMatchObject({
      outcome: 'appended',
      version: 4,
    });
    expect((await store.read(stream)).map(({ version }) => version)).toEqual([1, 2, 3, 4]);
  });

  it('refuses a lost race and recognises a retry', async () => {
    const stream = gateOf('alone', 'raced');
    const event = opened();
    await store.appendAlone(stream, 0, [event], {});
    expect(await store.appendAlone(stream, 0, [event], {})).toEqual({ outcome: 'duplicate' });
    await expect(store.appendAlone(stream, 0, [opened()], {})).rejects.toThrow(VersionConflict);
    expect(await brokenLogs(database)).toEqual([]);
  });

  it('runs inline projections in that transaction', async () => {
    const projecting = new EventStore(database);
    projecting.inline(['GateOpened'], () => Promise.reject(new Error('no room')));
    await expect(projecting.appendAlone(gateOf('alone', 'full'), 0, [opened()], {})).rejects.toThrow(
      'no room',
    );
    expect(await store.read(gateOf('alone', 'full'))).toEqual([]);
  });
});

describe('an inline projection', () => {
  it('sees each event of its types with its place, before the commit', async () => {
    const projecting = new EventStore(database);
    const seen: unknown[] = [];
    projecting.inline<GateOpened | GateClosed>(
      ['GateOpened', 'GateClosed'],
      (event, { stream, version, meta }) => {
        seen.push([event.type, event.by, stream.streamId, version, meta.actor]);
        return Promise.resolve();
      },
    );
    await record(database, projecting, gateOf('seen'), 0, opened('Ada'), closed('Ben'));
    expect(seen).toEqual([
      ['GateOpened', 'Ada', 'seen-gate', 1, 'test'],
      ['GateClosed', 'Ben', 'seen-gate', 2, 'test'],
    ]);
  });

  it('undoes the append when it throws', async () => {
    const projecting = new EventStore(database);
    projecting.inline(['GateOpened'], () => Promise.reject(new Error('no room')));
    await expect(record(database, projecting, gateOf('full'), 0, opened())).rejects.toThrow('no room');
    expect(await store.read(gateOf('full'))).toEqual([]);
    expect(await brokenLogs(database)).toEqual([]);
  });
});

describe('what is recorded', () => {
  it.each([
    ['UPDATE', `UPDATE event SET type = 'Forged'`],
    ['DELETE', 'DELETE FROM event'],
    ['TRUNCATE', 'TRUNCATE event'],
  ])('cannot be changed by the role that serves: %s', async (_, statement) => {
    await expect(database.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('leaves no way to lower a head or a stream by removing its row', async () => {
    await expect(database.query('DELETE FROM log_head')).rejects.toMatchObject({ code: '42501' });
    await expect(database.query('DELETE FROM stream')).rejects.toMatchObject({ code: '42501' });
  });
});

it('numbers versions and positions 1, 2, 3… whatever the writers do at the same time', async () => {
  const projecting = new EventStore(database);
  projecting.inline(['GateClosed'], (_, { tx }) => tx.query('SELECT 1'));
  const act = fc.record({
    farm: fc.constantFrom('tangle-1', 'tangle-2'),
    gate: fc.constantFrom('a', 'b', 'c'),
    events: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
    behind: fc.constantFrom(0, 0, 0, 1),
    rollsBack: fc.constantFrom(false, false, true),
    lingers: fc.nat(3),
    alone: fc.boolean(),
  });
  let appended = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 40 }), async (acts) => {
      const due = [...acts];
      const writer = async (): Promise<void> => {
        for (let next = due.pop(); next; next = due.pop()) {
          const { farm, gate, events, behind, rollsBack, lingers, alone } = next;
          const stream = gateOf(farm, gate);
          const version = Math.max(0, (await projecting.read(stream)).length - behind);
          const changes = events.map((opens) => (opens ? opened() : closed()));
          const inTransaction = async (tx: Transaction): Promise<void> => {
            await projecting.append(tx, stream, version, changes, {});
            for (let pause = 0; pause < lingers; pause++) await tx.query('SELECT 1');
            if (rollsBack) throw new VersionConflict('rolled back', 0, 0);
          };
          try {
            await (alone
              ? projecting.appendAlone(stream, version, changes, {})
              : database.transaction(inTransaction));
            appended += changes.length;
          } catch (error) {
            if (!(error instanceof VersionConflict)) throw error;
          }
        }
      };
      await Promise.all(Array.from({ length: 6 }, writer));
      expect(await brokenLogs(database)).toEqual([]);
    }),
    { numRuns: 15 },
  );
  const stored = await Promise.all(['tangle-1', 'tangle-2'].map((farm) => everything(bucketOf(farm), farm)));
  expect(stored.flat()).toHaveLength(appended);
});

async function everything(bucket: number, farm: string): Promise<RecordedEvent[]> {
  const all = await store.readAll(bucket, 0n, 100_000);
  return all.filter(({ tenantId }) => tenantId === farm);
}

/** Buckets and streams that are not numbered 1 to n, or whose head says otherwise. */
async function brokenLogs(sql: Database): Promise<unknown[]> {
  const buckets = await sql.query(
    `SELECT bucket, head.position, count(event.position), min(event.position), max(event.position)
     FROM log_head head LEFT JOIN event USING (bucket) GROUP BY bucket, head.position
     HAVING head.position <> count(event.position) OR head.position <> coalesce(max(event.position), 0) OR min(event.position) <> 1`,
  );
  const streams = await sql.query(
    `SELECT bucket, stream_id FROM event FULL JOIN stream USING (bucket, stream_id) GROUP BY bucket, stream_id, stream.version
     HAVING stream.version IS DISTINCT FROM count(event.version) OR stream.version <> max(event.version) OR min(event.version) <> 1`,
  );
  return [...buckets.rows, ...streams.rows];
}

/** Another tenant of the same bucket. */
function tenantBeside(tenant: string): string {
  for (let number = 0; ; number++) {
    if (bucketOf(`beside-${number}`) === bucketOf(tenant)) return `beside-${number}`;
  }
}
