/** An event as a domain states it: a class with a literal `type` and plain JSON `data`-like members. */
export interface DomainEvent {
  readonly type: string;
}

/** Who and what caused an event. Never a secret. */
export interface EventMeta {
  readonly actor?: string;
  readonly correlationId?: string;
  readonly causationId?: string;
  readonly traceparent?: string;
}

/** Where a stream lies. `bucket` is the first byte of SHA-256(tenantId) and leads every key. */
export interface StreamRef {
  readonly bucket: number;
  readonly tenantId: string;
  readonly streamType: string;
  readonly streamId: string;
}

/** An event about to be appended; `id` makes a retry recognisable. */
export interface NewEvent<Event extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly event: Event;
}

/** An event as it is stored. `position` counts 1, 2, 3… without gaps in its bucket, `version` in its stream. */
export interface RecordedEvent<Event extends DomainEvent = DomainEvent> extends StreamRef {
  readonly position: bigint;
  readonly version: number;
  readonly id: string;
  readonly event: Event;
  readonly meta: EventMeta;
  readonly recordedAt: Date;
}
