import type { DomainEvent, EventMeta, RecordedEvent } from './event.js';
import type { EventData, Upcasters } from './upcasters.js';

/** A row of `event` as the driver hands it out: bigint as text, jsonb parsed. */
export interface EventRow {
  bucket: number;
  position: string;
  stream_id: string;
  version: number;
  tenant_id: string;
  stream_type: string;
  event_id: string;
  type: string;
  schema_version: number;
  data: EventData;
  meta: EventMeta;
  recorded_at: Date;
}

/** The members of an event other than its type, as JSON text. */
export function serialiseData({ type: _, ...data }: DomainEvent): string {
  return JSON.stringify(data);
}

/** A stored row as an event: a plain object `{ type, ...data }` in the newest shape of its type. */
export function recordedEvent(row: EventRow, upcasters: Upcasters): RecordedEvent {
  const data = upcasters.lift(row.type, row.schema_version, row.data);
  return {
    bucket: row.bucket,
    tenantId: row.tenant_id,
    streamType: row.stream_type,
    streamId: row.stream_id,
    position: BigInt(row.position),
    version: row.version,
    id: row.event_id,
    event: { ...data, type: row.type },
    meta: row.meta,
    recordedAt: row.recorded_at,
  };
}
