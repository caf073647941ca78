import { randomUUIDv7 } from 'node:crypto';
import type { Database } from '../src/database/index.js';
import {
  type AppendResult,
  bucketOf,
  type DomainEvent,
  type EventStore,
  type NewEvent,
  type RecordedEvent,
  type StreamRef,
} from '../src/event-store/index.js';

/** What happens in the stories that the tests of the event store tell. */
export class GateOpened implements DomainEvent {
  readonly type = 'GateOpened';
  constructor(readonly by: string) {}
}

export class GateClosed implements DomainEvent {
  readonly type = 'GateClosed';
  constructor(readonly by: string) {}
}

export function gateOf(farm: string, gate = 'gate'): StreamRef {
  return { bucket: bucketOf(farm), tenantId: farm, streamType: 'gate', streamId: `${farm}-${gate}` };
}

export function opened(by = 'Ada'): NewEvent<GateOpened> {
  return { id: randomUUIDv7(), event: new GateOpened(by) };
}

export function closed(by = 'Ada'): NewEvent<GateClosed> {
  return { id: randomUUIDv7(), event: new GateClosed(by) };
}

/** Who opened or closed the gate. */
export function hand({ event }: RecordedEvent): string {
  return (event as DomainEvent & { by: string }).by;
}

/** One append in a transaction of its own. */
export function record(
  database: Database,
  store: EventStore,
  stream: StreamRef,
  expectedVersion: number,
  ...events: NewEvent[]
): Promise<AppendResult> {
  return database.transaction((tx) => store.append(tx, stream, expectedVersion, events, { actor: 'test' }));
}
