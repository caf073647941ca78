import type { Database, Transaction } from '../database/database.js';
import { BUCKETS } from './bucket.js';
import type { EventStore } from './event-store.js';
import type { ReadModel } from './read-model.js';

const SPAN = 1_000;

/**
 * Makes a read model again from the first event on, a bucket at a time, each in one transaction: readers see the old rows
 * or the new ones. Answers the number of events replayed.
 *
 * Appends wait while a bucket is rebuilt. `database` acts as the owner of the tables, since the role that serves need not
 * be allowed to delete from them. When it is broken off, the buckets that are done stay done.
 */
export async function rebuild(
  database: Database,
  store: EventStore,
  name: string,
  done: (buckets: number, of: number) => void = () => undefined,
): Promise<number> {
  const model = store.readModels.get(name);
  if (!model)
    throw new Error(`there is no read model ${name}; there are: ${[...store.readModels.keys()].join(', ')}`);
  let replayed = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    replayed += await database.transaction((tx) => rebuildBucket(tx, store, model, bucket));
    done(bucket + 1, BUCKETS);
  }
  return replayed;
}

/**
 * An append writes its stream row first and its read models next. A lock that lets no stream row be written therefore
 * comes before every such append or after it, and never in the middle.
 */
async function rebuildBucket(
  tx: Transaction,
  store: EventStore,
  model: ReadModel,
  bucket: number,
): Promise<number> {
  await tx.query('LOCK TABLE stream IN SHARE MODE');
  await model.reset(tx, bucket);
  let replayed = 0;
  for (let position = 0n, complete = false; !complete;) {
    const stretch = await store.readStretch(bucket, position, SPAN, model.types, tx);
    for (const { event, id, meta, version, ...stream } of stretch.events) {
      for (const statement of model.project(event, { stream, version, id, meta })) await tx.query(statement);
    }
    replayed += stretch.events.length;
    ({ through: position, complete } = stretch);
  }
  return replayed;
}
