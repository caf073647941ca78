import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { bucketOf, EventStore, type ReadModel, rebuild } from '../src/event-store/index.js';
import {
  closed,
  type GateClosed,
  gateOf,
  type GateOpened,
  hand,
  opened,
  record,
} from './event-store-story.js';
import { type FreshDatabase, freshDatabase, openDatabase } from './support/database.js';

const gates: ReadModel<GateOpened | GateClosed> = {
  name: 'gates',
  types: ['GateOpened', 'GateClosed'],
  project: ({ type, by }, { stream, version }) => [
    {
      name: 'gate-turned',
      text: `INSERT INTO gate (bucket, gate_id, open, turns, last_by, version) VALUES ($1, $2, $3, 1, $4, $5)
             ON CONFLICT (bucket, gate_id) DO UPDATE
             SET open = excluded.open, turns = gate.turns + 1, last_by = excluded.last_by, version = excluded.version`,
      values: [stream.bucket, stream.streamId, type === 'GateOpened', by, version],
    },
  ],
  async reset(tx, bucket) {
    await tx.query('DELETE FROM gate WHERE bucket = $1', [bucket]);
  },
};

let fresh: FreshDatabase;
let owner: Client;
let serving: ReturnType<typeof openDatabase>;
/** As the owner of the tables. */
let owning: ReturnType<typeof openDatabase>;
let store: EventStore;

beforeEach(async () => {
  fresh = await freshDatabase();
  owner = new Client(fresh.ownerUrl);
  await owner.connect();
  await owner.query(
    `CREATE TABLE gate (
       bucket smallint, gate_id text, open boolean, turns integer, last_by text, version integer,
       PRIMARY KEY (bucket, gate_id));
     GRANT SELECT, INSERT, UPDATE ON gate TO muster_service`,
  );
  serving = openDatabase(fresh.url);
  owning = openDatabase(fresh.ownerUrl);
  store = new EventStore(serving.database);
  store.readModel(gates);
});

afterEach(async () => {
  await Promise.all([serving.close(), owning.close(), owner.end()]);
  await fresh.drop();
});

it('a read model rebuilt from the first event equals the one that was kept', async () => {
  for (const farm of ['a', 'b', 'c']) {
    await record(serving.database, store, gateOf(farm, 'north'), 0, opened('Ada'), closed('Ben'));
    await record(serving.database, store, gateOf(farm, 'south'), 0, opened('Cleo'));
  }
  const kept = await rows();
  await owner.query(
    `UPDATE gate SET last_by = 'nobody'; DELETE FROM gate WHERE open; INSERT INTO gate VALUES (7, 'ghost')`,
  );

  expect(await rebuild(owning.database, store, 'gates')).toBe(9);
  expect(await rows()).toEqual(kept);
  expect(kept).toHaveLength(6);
});

it('comes out the same when writers go on at the same time', async () => {
  let writing = true;
  const writer = async (farm: string): Promise<void> => {
    for (let version = 0; writing || version < 20; version++) {
      await record(
        serving.database,
        store,
        gateOf(farm),
        version,
        version % 2 ? closed(`${version}`) : opened(`${version}`),
      );
    }
  };
  const writers = ['a', 'b', 'c', 'd'].map(writer);
  await rebuild(owning.database, store, 'gates');
  writing = false;
  await Promise.all(writers);

  const kept = await rows();
  await rebuild(owning.database, store, 'gates');
  expect(await rows()).toEqual(kept);
  expect(kept.map(({ turns, version }) => turns === version)).toEqual([true, true, true, true]);
});

it('reads events of older schema versions in their newest shape', async () => {
  await record(serving.database, store, gateOf('farm'), 0, opened('Ada'));
  const newer = new EventStore(serving.database);
  newer.upcast('GateOpened', ({ by, ...rest }) => ({ ...rest, by: `${String(by)} Lovelace` }));
  newer.readModel(gates);
  await rebuild(owning.database, newer, 'gates');
  expect(await rows()).toMatchObject([{ last_by: 'Ada Lovelace' }]);

  await record(serving.database, newer, gateOf('farm'), 1, opened('Grace Hopper'));
  const events = await newer.read(gateOf('farm'));
  expect(events.map(hand)).toEqual(['Ada Lovelace', 'Grace Hopper']);
  const { rows: stored } = await owner.query('SELECT schema_version FROM event ORDER BY position');
  expect(stored).toEqual([{ schema_version: 1 }, { schema_version: 2 }]);
});

it('leaves the old rows when an event cannot be projected', async () => {
  await record(serving.database, store, gateOf('farm'), 0, opened('Ada'));
  const kept = await rows();
  const broken = new EventStore(serving.database);
  broken.readModel({
    ...gates,
    project: () => {
      throw new Error('cannot');
    },
  });
  await expect(rebuild(owning.database, broken, 'gates')).rejects.toThrow('cannot');
  expect(await rows()).toEqual(kept);
});

it('comes through a log longer than it reads at once', async () => {
  const long = Array.from({ length: 2_100 }, (_, turn) => opened(`${turn}`));
  await record(serving.database, new EventStore(serving.database), gateOf('long'), 0, ...long);
  expect(await rebuild(owning.database, store, 'gates')).toBe(2_100);
  expect(await rows()).toMatchObject([{ bucket: bucketOf('long'), turns: 2_100, version: 2_100 }]);
});

it('names the read models there are when it is asked for another', async () => {
  await expect(rebuild(owning.database, store, 'fences')).rejects.toThrow('there are: gates');
});

async function rows(): Promise<Record<string, unknown>[]> {
  return (await owner.query<Record<string, unknown>>('SELECT * FROM gate ORDER BY bucket, gate_id')).rows;
}
