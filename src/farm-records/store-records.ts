import type { Sql } from '../database/database.js';
import { copyRows, escaped, NULL } from './copy-rows.js';
import { instant, type StoredFarm } from './farm-rows.js';
import type { LedgerTransaction } from './ledger-page.js';
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
    /** JSON. */
    readonly body: string;
  };
}

interface JudgedRow {
  readonly ordinal: number;
  readonly wins: boolean;
  readonly number: string;
  readonly old_type: string;
  readonly old_at: Date | null;
  readonly old_body: string;
}

const KNOWN = `
SELECT k.ordinal::integer AS ordinal FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS k(source, source_id, ordinal)
 CROSS JOIN LATERAL (
   SELECT FROM farm_record f
    WHERE f.bucket = $1 AND f.farm_id = $2 AND f.source = k.source COLLATE "C" AND f.source_id = k.source_id COLLATE "C"
    LIMIT 1) AS known`;

const COLUMNS = `bucket, farm_id, source, source_id, number, position, resource_type, resource_id, modified, deleted, timed, day, at, rank, body`;

/** Equal content said at the same time changes nothing; otherwise the later `modified` wins, and the later arrival among equals. */
const REPLACE = `
WITH incoming AS MATERIALIZED (
  SELECT * FROM json_to_recordset($3::json) AS i(
    ordinal integer, position bigint, source text, source_id text, resource_type text, resource_id text, modified timestamptz,
    deleted boolean, timed boolean, day date, at timestamptz, rank smallint, body jsonb)
), judged AS MATERIALIZED (
  SELECT i.*, f.number, f.position AS old_position, f.resource_type AS old_type, f.at AS old_at, f.modified AS old_modified,
         f.deleted AS old_deleted, f.body AS old_body, f.recorded_at AS old_recorded_at,
         i.modified > f.modified OR (i.modified = f.modified AND (i.deleted <> f.deleted OR i.body <> f.body)) AS wins
    FROM incoming i
   CROSS JOIN LATERAL (
     SELECT * FROM farm_record f
      WHERE f.bucket = $1 AND f.farm_id = $2 AND f.source = i.source COLLATE "C" AND f.source_id = i.source_id COLLATE "C"
      LIMIT 1) AS f
), kept AS (
  INSERT INTO farm_record_version (bucket, farm_id, source, source_id, position, resource_type, modified, deleted, body, recorded_at)
  SELECT $1, $2, source, source_id, old_position, old_type, old_modified, old_deleted, old_body, old_recorded_at
    FROM judged WHERE wins
), stored AS (
  INSERT INTO farm_record (${COLUMNS})
  SELECT $1, $2, source, source_id, number, position, resource_type, resource_id, modified, deleted, timed, day, at, rank, body
    FROM judged WHERE wins
  ON CONFLICT (bucket, farm_id, source, source_id) DO UPDATE SET
    position = excluded.position, resource_type = excluded.resource_type, resource_id = excluded.resource_id,
    modified = excluded.modified, deleted = excluded.deleted, timed = excluded.timed, day = excluded.day,
    at = excluded.at, rank = excluded.rank, body = excluded.body, recorded_at = now()
)
SELECT ordinal, wins, number, old_type, old_at, old_body::text AS old_body FROM judged`;

/**
 * Stores records of a farm that the transaction has locked; no two of them may be the same record. Answers what became of each, in
 * their order. Positions are farm.position + 1 and on, one a record; a record's number is its first position.
 */
export async function storeRecords(
  tx: LedgerTransaction,
  farm: StoredFarm,
  incoming: readonly IncomingRecord[],
): Promise<StoredRecord[]> {
  const known = await knownAmong(tx, farm, incoming);
  const placed = incoming.map(({ record, body }, index) => ({
    record,
    body,
    position: farm.position + index + 1,
  }));
  const rows = placed.flatMap((each, ordinal) => (known.has(ordinal) ? [] : [toRow(farm, each)]));
  await copyRows(tx.client, 'farm_record', COLUMNS, rows);
  const replaced = await replace(tx, farm, placed, known);
  return placed.map(
    ({ record, position }, ordinal) =>
      replaced.get(ordinal) ?? { record, outcome: 'accepted', number: position },
  );
}

interface PlacedRecord extends IncomingRecord {
  readonly position: number;
}

async function knownAmong(
  tx: Sql,
  farm: StoredFarm,
  incoming: readonly IncomingRecord[],
): Promise<Set<number>> {
  const sources = incoming.map(({ record }) => record.source);
  const sourceIds = incoming.map(({ record }) => record.sourceId);
  const values = [farm.bucket, farm.id, sources, sourceIds];
  const { rows } = await tx.query<{ ordinal: number }>({ name: 'known-records', text: KNOWN, values });
  return new Set(rows.map(({ ordinal }) => ordinal - 1));
}

async function replace(
  tx: Sql,
  farm: StoredFarm,
  placed: readonly PlacedRecord[],
  known: ReadonlySet<number>,
): Promise<Map<number, StoredRecord>> {
  if (known.size === 0) return new Map();
  const items = placed.flatMap((each, ordinal) => (known.has(ordinal) ? [toJson(each, ordinal)] : []));
  const values = [farm.bucket, farm.id, `[${items.join(',')}]`];
  const { rows } = await tx.query<JudgedRow>({ name: 'replace-records', text: REPLACE, values });
  return new Map(
    rows.flatMap((row) => {
      const record = placed[row.ordinal]?.record;
      const displaced = {
        resourceType: row.old_type,
        body: row.old_body,
        ...(row.old_at && { at: row.old_at.getTime() }),
      };
      const outcome: Outcome = row.wins ? 'replaced' : 'unchanged';
      return record
        ? [[row.ordinal, { record, outcome, number: Number(row.number), displaced }] as const]
        : [];
    }),
  );
}

/** In the order of COLUMNS. */
function toRow(farm: StoredFarm, { record, body, position }: PlacedRecord): string {
  const { moment, resourceId } = record;
  const ids = `${farm.bucket}\t${escaped(farm.id)}\t${escaped(record.source)}\t${escaped(record.sourceId)}\t${position}\t${position}`;
  const what = `${escaped(record.resourceType)}\t${resourceId === undefined ? NULL : escaped(resourceId)}\t${instant(record.modified)}\t${record.deleted}`;
  const when = `${moment?.timed ?? false}\t${moment?.day ?? NULL}\t${instant(moment?.at) ?? NULL}\t${moment?.rank ?? NULL}`;
  return `${ids}\t${what}\t${when}\t${escaped(body)}\n`;
}

function toJson({ record, body, position }: PlacedRecord, ordinal: number): string {
  const { moment } = record;
  const columns = JSON.stringify({
    ordinal,
    position,
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
