import type { Sql } from '../database/database.js';
import { appendStatement, claimStatement, FIND_RIVAL, recordStatement } from './append-statements.js';
import { bucketOf } from './bucket.js';
import type { EventMeta, NewEvent, StreamRef } from './event.js';
import { serialiseData } from './event-row.js';
import type { Statement } from './read-model.js';
import type { Upcasters } from './upcasters.js';

/** The stream is not at the version the writer decided on: read it again and decide anew. */
export class VersionConflict extends Error {
  constructor(
    readonly streamId: string,
    readonly expectedVersion: number,
    readonly actualVersion: number,
  ) {
    super(`stream ${streamId} is at version ${actualVersion}, not ${expectedVersion}`);
  }
}

/** Events on their way into a stream. */
export interface Append {
  readonly stream: StreamRef;
  readonly expectedVersion: number;
  readonly events: readonly NewEvent[];
  readonly meta: EventMeta;
}

/** Throws RangeError for what no stream can take. */
export function checkAppend({ stream, expectedVersion, events }: Append): void {
  if (stream.bucket !== bucketOf(stream.tenantId))
    throw new RangeError('a stream lies in the bucket of its tenant');
  if (events.length === 0) throw new RangeError('an append needs an event');
  if (!Number.isSafeInteger(expectedVersion) || expectedVersion < 0) {
    throw new RangeError(`${expectedVersion} is no version of a stream`);
  }
}

/** Appends in one statement; the last event's position, or undefined when the stream is not at the expected version. */
export async function appendAtOnce(
  sql: Sql,
  append: Append,
  upcasters: Upcasters,
): Promise<bigint | undefined> {
  const statement = appendStatement(append.expectedVersion, append.events.length);
  return position(sql, { ...statement, values: rowValues(append, upcasters) });
}

/** Takes the stream to its new version; false when it is not at the expected one. */
export async function claimStream(sql: Sql, append: Append): Promise<boolean> {
  const { rowCount } = await sql.query({
    ...claimStatement(append.expectedVersion),
    values: claimValues(append),
  });
  return rowCount === 1;
}

/** Records the events of a claimed stream, with changes of rows in the same statement, and answers the last one's position. */
export async function recordClaimed(
  sql: Sql,
  append: Append,
  upcasters: Upcasters,
  changes: readonly Statement[] = [],
): Promise<bigint | undefined> {
  const values = [...rowValues(append, upcasters), ...changes.flatMap((change) => change.values)];
  return position(sql, { ...recordStatement(append.events.length, changes), values });
}

/** Whether a stream that is not at the expected version is so by these very events. Throws VersionConflict otherwise. */
export async function requireDuplicate(sql: Sql, { stream, expectedVersion, events }: Append): Promise<void> {
  const { rows } = await sql.query<{ version: number; event_ids: string[] }>({
    ...FIND_RIVAL,
    values: [stream.bucket, stream.streamId, expectedVersion, events.length],
  });
  const { version = 0, event_ids: stored = [] } = rows[0] ?? {};
  const same = events.every(({ id }, index) => id.toLowerCase() === stored[index]);
  if (!same) throw new VersionConflict(stream.streamId, expectedVersion, version);
}

async function position(sql: Sql, statement: Parameters<Sql['query']>[0]): Promise<bigint | undefined> {
  const { rows } = await sql.query<{ position: string }>(statement);
  return rows[0] && BigInt(rows[0].position);
}

function claimValues({ stream, expectedVersion, events }: Append): unknown[] {
  return [stream.bucket, stream.streamId, stream.tenantId, stream.streamType, expectedVersion, events.length];
}

function rowValues(append: Append, upcasters: Upcasters): unknown[] {
  const rows = append.events.map(({ id, event }) => [
    id,
    event.type,
    upcasters.currentVersion(event.type),
    serialiseData(event),
  ]);
  const columns = [0, 1, 2, 3].map((column) => rows.map((row) => row[column]));
  const events = rows.length === 1 ? columns.flat() : columns;
  return [...claimValues(append), ...events, JSON.stringify(append.meta)];
}
