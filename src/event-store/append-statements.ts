import type { QueryConfig } from 'pg';
import type { Statement } from './read-model.js';

/** A statement without its values. */
type Prepared = Required<Pick<QueryConfig, 'name' | 'text'>>;

/**
 * The statements of an append. Each is one round trip, and locks in one order: the stream's row, then the bucket's head.
 *
 * They run in READ COMMITTED. An UPDATE that waited for another transaction looks at the row that one left behind, so
 * `version = $5` and `position + $6` are judged on the newest row; a position is only ever taken from what the UPDATE of
 * `log_head` returns. `head` joins `claimed`, and so locks nothing when the stream was lost to another writer.
 *
 * $1 bucket, $2 stream id, $3 tenant id, $4 stream type, $5 expected version, $6 number of events,
 * $7 event ids, $8 types, $9 schema versions, $10 data (of one event the bare values, else arrays), $11 meta.
 */
const VALUES_OF_APPEND = 11;

const OPEN = `WITH claimed AS (
    INSERT INTO stream (bucket, stream_id, tenant_id, stream_type, version)
    VALUES ($1::smallint, $2::text, $3::text, $4::text, $5::integer + $6::integer)
    ON CONFLICT (bucket, stream_id) DO NOTHING
    RETURNING version)`;

const EXTEND = `WITH claimed AS (
    UPDATE stream SET version = $5::integer + $6::integer
    WHERE bucket = $1::smallint AND stream_id = $2::text AND tenant_id = $3::text AND stream_type = $4::text
      AND version = $5::integer
    RETURNING version)`;

const HEAD = `head AS (
    UPDATE log_head SET position = log_head.position + $6::integer FROM claimed
    WHERE log_head.bucket = $1::smallint
    RETURNING log_head.position)`;

const HEAD_OF_CLAIMED = `WITH head AS (
    UPDATE log_head SET position = position + $6::integer
    WHERE bucket = $1::smallint
    RETURNING position)`;

/** Plain values take half the time of arrays, and most appends are of one event. */
const ONE =
  '(SELECT 1 AS nth, $7::uuid AS id, $8::text AS type, $9::smallint AS schema_version, $10::jsonb AS data) AS new';

const SEVERAL = `unnest($7::uuid[], $8::text[], $9::smallint[], $10::jsonb[])
      WITH ORDINALITY AS new (id, type, schema_version, data, nth)`;

const record = (events: string): string => `recorded AS (
    INSERT INTO event (bucket, position, stream_id, version, tenant_id, stream_type, event_id, type, schema_version, data, meta)
    SELECT $1::smallint, head.position - $6::integer + new.nth, $2::text, $5::integer + new.nth, $3::text, $4::text,
      new.id, new.type, new.schema_version, new.data, $11::jsonb
    FROM head, ${events})
  SELECT position FROM head`;

/** Claims the stream and records the events; no row when another writer has changed the stream. */
export function appendStatement(expectedVersion: number, count: number): Prepared {
  if (expectedVersion === 0) return count === 1 ? APPEND.openOne : APPEND.open;
  return count === 1 ? APPEND.extendOne : APPEND.extend;
}

/** The first half of an append with work in between: holds the stream's row; no row when another writer has changed it. */
export function claimStatement(expectedVersion: number): Prepared {
  return expectedVersion === 0 ? CLAIM.open : CLAIM.extend;
}

/**
 * The second half: records the events of a claimed stream, and changes other rows in the same round trip. The values of
 * `changes` follow those of the append, statement by statement.
 */
export function recordStatement(count: number, changes: readonly Statement[]): Prepared {
  const record = count === 1 ? RECORD.one : RECORD.several;
  if (changes.length === 0) return record;
  const key = [record, ...changes].map(({ name }) => name).join(' ');
  return joined.get(key) ?? join(key, record, changes);
}

/** By the names of what they are joined of. */
const joined = new Map<string, Prepared>();

/** As long as PostgreSQL takes it. */
const LONGEST_NAME = 63;

/** PostgreSQL carries out every part, and all or none of them. */
function join(key: string, record: Prepared, changes: readonly Statement[]): Prepared {
  let taken = VALUES_OF_APPEND;
  const parts = changes.map(({ text, values }, nth) => {
    const renumbered = text.replace(/\$(\d+)/g, (_, number) => `$${taken + Number(number)}`);
    taken += values.length;
    return `change_${nth} AS (${renumbered})`;
  });
  const statement = {
    name: `event-record-${joined.size}+${changes.map(({ name }) => name).join('+')}`.slice(0, LONGEST_NAME),
    text: `WITH ${parts.join(', ')}, ${record.text.slice('WITH '.length)}`,
  };
  joined.set(key, statement);
  return statement;
}

const APPEND = {
  open: { name: 'event-append-open', text: `${OPEN}, ${HEAD}, ${record(SEVERAL)}` },
  openOne: { name: 'event-append-open-one', text: `${OPEN}, ${HEAD}, ${record(ONE)}` },
  extend: { name: 'event-append-extend', text: `${EXTEND}, ${HEAD}, ${record(SEVERAL)}` },
  extendOne: { name: 'event-append-extend-one', text: `${EXTEND}, ${HEAD}, ${record(ONE)}` },
};

const CLAIM = {
  open: { name: 'stream-open', text: `${OPEN} SELECT version FROM claimed` },
  extend: { name: 'stream-extend', text: `${EXTEND} SELECT version FROM claimed` },
};

const RECORD = {
  one: { name: 'event-record-one', text: `${HEAD_OF_CLAIMED}, ${record(ONE)}` },
  several: { name: 'event-record', text: `${HEAD_OF_CLAIMED}, ${record(SEVERAL)}` },
};

/** What lies where an append wanted to write: $1 bucket, $2 stream id, $3 expected version, $4 number of events. */
export const FIND_RIVAL = {
  name: 'event-find-rival',
  text: `SELECT version, ARRAY(
           SELECT event_id::text FROM event
           WHERE bucket = $1::smallint AND stream_id = $2::text
             AND version BETWEEN $3::integer + 1 AND $3::integer + $4::integer
           ORDER BY version) AS event_ids
         FROM stream WHERE bucket = $1::smallint AND stream_id = $2::text`,
};
