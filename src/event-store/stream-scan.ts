import { pages } from '../audit/index.js';
import type { Sql, Transaction } from '../database/database.js';
import type { DomainEvent } from './event.js';
import type { EventRow } from './event-row.js';
import type { Upcasters } from './upcasters.js';

/** An event with what a fold of its stream needs. */
export interface ScannedEvent<Event extends DomainEvent = DomainEvent> {
  readonly streamId: string;
  readonly tenantId: string;
  readonly version: number;
  readonly event: Event;
}

type ScannedRow = Pick<EventRow, 'stream_id' | 'tenant_id' | 'version' | 'type' | 'schema_version' | 'data'>;

const COLUMNS = 'stream_id, tenant_id, version, type, schema_version, data';

/** Every event of the streams of one type, or of one tenant's, stream by stream and in order. */
export async function* scanStreams(
  tx: Transaction,
  upcasters: Upcasters,
  bucket: number,
  streamType: string,
  tenantId?: string,
): AsyncIterable<ScannedEvent> {
  const query = `SELECT ${COLUMNS} FROM event
    WHERE bucket = $1::smallint AND stream_type = $2::text AND ($3::text IS NULL OR tenant_id = $3) ORDER BY stream_id, version`;
  for await (const rows of pages<ScannedRow>(tx, 'stream_scan', query, [
    bucket,
    streamType,
    tenantId ?? null,
  ]))
    for (const row of rows) yield scannedEvent(row, upcasters);
}

/** The events of some types in some streams of a bucket, in no particular order. */
export async function readStreams(
  sql: Sql,
  upcasters: Upcasters,
  bucket: number,
  streamIds: readonly string[],
  types: readonly string[],
): Promise<ScannedEvent[]> {
  const { rows } = await sql.query<ScannedRow>({
    name: 'event-read-streams',
    text: `SELECT ${COLUMNS} FROM event WHERE bucket = $1 AND stream_id = ANY ($2::text[]) AND type = ANY ($3::text[])`,
    values: [bucket, streamIds, types],
  });
  return rows.map((row) => scannedEvent(row, upcasters));
}

/** Pages of the streams of one type, or of one tenant's, that have no event of these types. */
export async function* streamsWithout(
  tx: Transaction,
  bucket: number,
  streamType: string,
  types: readonly string[],
  tenantId?: string,
): AsyncIterable<string[]> {
  const query = `SELECT stream_id FROM stream
    WHERE bucket = $1::smallint AND stream_type = $2::text AND ($4::text IS NULL OR tenant_id = $4)
      AND NOT EXISTS (SELECT FROM event WHERE event.bucket = $1::smallint AND event.stream_id = stream.stream_id
                        AND event.type = ANY ($3::text[]))`;
  const values = [bucket, streamType, types, tenantId ?? null];
  for await (const rows of pages<{ stream_id: string }>(tx, 'streams_without', query, values))
    yield rows.map((row) => row.stream_id);
}

function scannedEvent(row: ScannedRow, upcasters: Upcasters): ScannedEvent {
  const data = upcasters.lift(row.type, row.schema_version, row.data);
  return {
    streamId: row.stream_id,
    tenantId: row.tenant_id,
    version: row.version,
    event: { ...data, type: row.type },
  };
}
