import type { Transaction } from '../database/database.js';
import type { DomainEvent, EventMeta, StreamRef } from './event.js';

/** Where an event stands that is being projected; `tx` is the transaction that records it. */
export interface InlineContext {
  readonly tx: Transaction;
  readonly stream: StreamRef;
  readonly version: number;
  readonly id: string;
  readonly meta: EventMeta;
}

/** Does in the transaction of an append what must be true at the same instant. */
export type InlineProjection<Event extends DomainEvent = DomainEvent> = (
  event: Event,
  context: InlineContext,
) => Promise<unknown>;

/** Tables that are nothing but a fold of events, and so can be made again from them. */
export interface ReadModel<Event extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly types: readonly Event['type'][];
  readonly project: InlineProjection<Event>;
  /** Removes every row of a bucket. */
  reset(tx: Transaction, bucket: number): Promise<void>;
}
