import type { Sql } from '../database/database.js';
import { instant, type StoredFarm } from './farm-rows.js';
import type { ReadRecord } from './read-record.js';

/** A record on its way into the store, with its JSON as it is to be kept. */
export interface IncomingRecord {
  readonly record: ReadRecord;
  readonly body: string;
}

export type Outcome = 'accepted' | 'replaced' | 'unchanged';

/** What became of an incoming record, and what it displaced. */
export interface StoredRecord {
  readonly record: ReadRecord;
  readonly outcome: Outcome;
  /** Names the record in the ledger. */
  readonly number: number;
  readonly displaced?: {
    readonly resourceType: string;
    /** Unix milliseconds, of an event. */
    readonly at?: number;
    /** JSON, of a declaration. */
    readonly body?: string;
  };
}

interface JudgedRow {
  readonly ordinal: number;
  readonly outcome: 'replaced' | 'unchanged';
  readonly number: string;
  readonly old_type: string;
  readonly old_at: Date | null;
  readonly old_body: string | null;
}

/** A record with its number is new; equal content said at the same time changes nothing; otherwise the later `modified` wins, the later arrival among equals. */
const STORE = `
WITH incoming AS MATERIALIZED (
  SELECT * FROM json_to_recordset($4::json) AS i(
    ordinal integer, source text, source_id text, resource_type text, resource_id text, modified timestamptz,
    deleted boolean, timed boolean, day date, at timestamptz, rank smallint, body jsonb)
), judged AS MATERIALIZED (
  SELECT i.*, f.number, f.position AS old_position, f.resource_type AS old_type, f.at AS old_at, f.modified AS old_modified,
         f.deleted AS old_deleted, f.body AS old_body, f.recorded_at AS old_recorded_at,
         CASE WHEN f.number IS NULL THEN 'accepted'
              WHEN i.modified < f.modified THEN 'unchanged'
              WHEN i.modified = f.modified AND i.deleted = f.deleted AND i.body = f.body THEN 'unchanged'
              ELSE 'replaced' END AS outcome
    FROM incoming i
    LEFT JOIN farm_record f
      ON f.bucket = $1 AND f.farm_id = $2 AND f.source = i.source COLLATE "C" AND f.source_id = i.source_id COLLATE "C"
), kept AS (
  INSERT INTO farm_record_version (bucket, farm_id, source, source_id, position, resource_type, modified, deleted, body, recorded_at)
  SELECT $1, $2, source, source_id, old_position, old_type, old_modified, old_deleted, old_body, old_recorded_at
    FROM judged WHERE outcome = 'replaced'
), stored AS (
  INSERT INTO farm_record (bucket, farm_id, source, source_id, number, position, resource_type, resource_id, modified,
                           deleted, timed, day, at, rank, body)
  SELECT $1, $2, source, source_id, coalesce(number, $3 + ordinal), $3 + ordinal, resource_type, resource_id, modified,
         deleted, timed, day, at, rank, body
    FROM judged WHERE outcome <> 'unchanged'
  ON CONFLICT (bucket, farm_id, source, source_id) DO UPDATE SET
    position = excluded.position, resource_type = excluded.resource_type, resource_id = excluded.resource_id,
    modified = excluded.modified, deleted = excluded.deleted, timed = excluded.timed, day = excluded.day,
    at = excluded.at, rank = excluded.rank, body = excluded.body, recorded_at = now()
)
SELECT ordinal, outcome, number, old_type, old_at, CASE WHEN old_at IS NULL THEN old_body::text END AS old_body
  FROM judged WHERE outcome <> 'accepted'`;

/**
 * Stores records of a farm that the transaction has locked; no two of them may be the same record. Answers what became of each, in
 * their order. Numbers are farm.position + 1 and on, one a record.
 */
export async function storeRecords(
  tx: Sql,
  farm: StoredFarm,
  incoming: readonly IncomingRecord[],
): Promise<StoredRecord[]> {
  const values = [farm.bucket, farm.id, farm.position, `[${incoming.map(toJson).join(',')}]`];
  const { rows } = await tx.query<JudgedRow>({ name: 'store-records', text: STORE, values });
  const judged = new Map(rows.map((row) => [row.ordinal, row]));
  return incoming.map(({ record }, index) => {
    const row = judged.get(index + 1);
    if (!row) return { record, outcome: 'accepted', number: farm.position + index + 1 };
    const displaced = {
      resourceType: row.old_type,
      ...(row.old_at && { at: row.old_at.getTime() }),
      ...(row.old_body !== null && { body: row.old_body }),
    };
    return { record, outcome: row.outcome, number: Number(row.number), displaced };
  });
}

function toJson({ record, body }: IncomingRecord, index: number): string {
  const { moment } = record;
  const columns = JSON.stringify({
    ordinal: index + 1,
    source: record.source,
    source_id: record.sourceId,
    resource_type: record.resourceType,
    resource_id: record.resourceId,
    modified: instant(record.modified),
    deleted: record.deleted,
    timed: moment?.timed ?? false,
    day: moment?.day,
    at: instant(moment?.at),
    rank: moment?.rank,
  });
  return `${columns.slice(0, -1)},"body":${body}}`;
}
