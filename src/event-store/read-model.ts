import type { QueryConfig } from 'pg';
import type { Transaction } from '../database/database.js';
import type { DomainEvent, EventMeta, StreamRef } from './event.js';

/** Where an event stands that is being projected. */
export interface EventPlace {
  readonly stream: StreamRef;
  readonly version: number;
  readonly id: string;
  readonly meta: EventMeta;
}

/** As EventPlace; `tx` is the transaction that records the event. */
export interface InlineContext extends EventPlace {
  readonly tx: Transaction;
}

/** Does in the transaction of an append what must be true at the same instant. */
export type InlineProjection<Event extends DomainEvent = DomainEvent> = (
  event: Event,
  context: InlineContext,
) => Promise<unknown>;

/** A change of rows as data; `name` is one for each text, for it is prepared under it. */
export type Statement = Required<Pick<QueryConfig, 'name' | 'text'>> & { readonly values: unknown[] };

/** Tables that are nothing but a fold of events, and so can be made again from them. */
export interface ReadModel<Event extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly types: readonly Event['type'][];
  /**
   * The INSERTs, UPDATEs and DELETEs that an event means. Those of one event are carried out at once, in the statement
   * that records it where that can be: none may touch a row of another, or see what it did.
   */
  project(event: Event, place: EventPlace): readonly Statement[];
  /** Removes every row of a bucket. */
  reset(tx: Transaction, bucket: number): Promise<void>;
}
