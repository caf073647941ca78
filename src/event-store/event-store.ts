import { Injectable, Optional } from '@nestjs/common';
import { Database, type Sql, type Transaction } from '../database/database.js';
import { APPEND, CLAIM, FIND_RIVAL, RECORD_CLAIMED } from './append-statements.js';
import { bucketOf } from './bucket.js';
import type { DomainEvent, EventMeta, NewEvent, RecordedEvent, StreamRef } from './event.js';
import { type EventRow, recordedEvent, serialiseData } from './event-row.js';
import { HintSender } from './hint-sender.js';
import type { InlineProjection, ReadModel } from './read-model.js';
import { type Upcaster, Upcasters } from './upcasters.js';

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

/**
 * `version` of the stream and `position` in the bucket of the last event appended; or `duplicate`: these very events stand
 * in the stream already, because an earlier try committed without its writer learning of it, and nothing was done.
 */
export type AppendResult =
  | { readonly outcome: 'appended'; readonly version: number; readonly position: bigint }
  | { readonly outcome: 'duplicate' };

/** A stretch of a bucket: the events asked for up to and including `through`; `complete` when that is its end. */
export interface LogStretch {
  readonly events: RecordedEvent[];
  readonly through: bigint;
  readonly complete: boolean;
}

/** The log of everything that happened. Appends and reads events; knows no domain. */
@Injectable()
export class EventStore {
  private readonly upcasters = new Upcasters();
  private readonly projections = new Map<string, InlineProjection[]>();
  private readonly models = new Map<string, ReadModel>();
  private readonly appended = new WeakSet<Transaction>();

  constructor(
    private readonly database: Database,
    @Optional() private readonly hints?: HintSender,
  ) {}

  /** Registers work that is done in the transaction of every append of these types, in the order of registration. */
  inline<Event extends DomainEvent>(types: readonly Event['type'][], project: InlineProjection<Event>): void {
    for (const type of types) {
      this.projections.set(type, [...(this.projections.get(type) ?? []), project as InlineProjection]);
    }
  }

  /** Registers an inline projection that `rebuild` can make again from the events. */
  readModel<Event extends DomainEvent>(model: ReadModel<Event>): void {
    if (this.models.has(model.name)) throw new Error(`the read model ${model.name} is registered twice`);
    this.models.set(model.name, model as unknown as ReadModel);
    this.inline(model.types, model.project);
  }

  /** The read models that can be rebuilt, by name. */
  get readModels(): ReadonlyMap<string, ReadModel> {
    return this.models;
  }

  /** Registers how older events of a type are read: the first step lifts schema version 1 to 2, the next 2 to 3. */
  upcast(type: string, ...steps: Upcaster[]): void {
    this.upcasters.register(type, steps);
  }

  /** A stream's events in order; none of a stream that does not exist. */
  async read(stream: Pick<StreamRef, 'bucket' | 'streamId'>, sql: Sql = this.database): Promise<RecordedEvent[]> {
    const { rows } = await sql.query<EventRow>({
      name: 'event-read-stream',
      text: 'SELECT * FROM event WHERE bucket = $1 AND stream_id = $2 ORDER BY version',
      values: [stream.bucket, stream.streamId],
    });
    return rows.map((row) => recordedEvent(row, this.upcasters));
  }

  /** Up to `limit` events of a bucket after a position, in order. What it answers is final: nothing appears before it later. */
  async readAll(bucket: number, afterPosition: bigint, limit: number, sql: Sql = this.database): Promise<RecordedEvent[]> {
    const { rows } = await sql.query<EventRow>({
      name: 'event-read-bucket',
      text: 'SELECT * FROM event WHERE bucket = $1 AND position > $2 ORDER BY position LIMIT $3',
      values: [bucket, afterPosition, limit],
    });
    return rows.map((row) => recordedEvent(row, this.upcasters));
  }

  /** The events of some types among the `span` positions after one; as final as `readAll`. */
  async readStretch(
    bucket: number,
    afterPosition: bigint,
    span: number,
    types: readonly string[],
    sql: Sql = this.database,
  ): Promise<LogStretch> {
    const { rows } = await sql.query<EventRow & { head: string }>({
      name: 'event-read-stretch',
      text: `SELECT event.*, log_head.position AS head
             FROM log_head LEFT JOIN event ON event.bucket = log_head.bucket
               AND event.position > $2::bigint AND event.position <= $2::bigint + $3::integer AND event.type = ANY ($4::text[])
             WHERE log_head.bucket = $1::smallint
             ORDER BY event.position`,
      values: [bucket, afterPosition, span, types],
    });
    const head = BigInt(rows[0]?.head ?? 0);
    const end = afterPosition + BigInt(span);
    const events = rows.filter((row) => row.position !== null).map((row) => recordedEvent(row, this.upcasters));
    return { events, through: end < head ? end : head, complete: end >= head };
  }

  /**
   * Appends events to a stream that is at `expectedVersion` (0: does not exist yet), runs their inline projections, and
   * takes positions. Throws VersionConflict when the stream is elsewhere; the transaction must then be rolled back.
   *
   * It is the transaction's only append and its last statement: from here to the commit, every other append of the bucket
   * waits. Projections run between the claim of the stream and the recording of the events.
   */
  async append(
    tx: Transaction,
    stream: StreamRef,
    expectedVersion: number,
    events: readonly NewEvent[],
    meta: EventMeta,
  ): Promise<AppendResult> {
    this.checkAppend(tx, stream, expectedVersion, events);
    const position = await this.write(tx, stream, expectedVersion, events, meta);
    if (position === undefined) return findDuplicate(tx, stream, expectedVersion, events);
    this.appended.add(tx);
    this.hints?.afterCommit(tx, stream.bucket);
    return { outcome: 'appended', version: expectedVersion + events.length, position };
  }

  private checkAppend(tx: Transaction, stream: StreamRef, expectedVersion: number, events: readonly NewEvent[]): void {
    if (stream.bucket !== bucketOf(stream.tenantId)) throw new RangeError('a stream lies in the bucket of its tenant');
    if (events.length === 0) throw new RangeError('an append needs an event');
    if (!Number.isSafeInteger(expectedVersion) || expectedVersion < 0) {
      throw new RangeError(`${expectedVersion} is no version of a stream`);
    }
    if (this.appended.has(tx)) throw new Error('a transaction appends once: two heads at a time could lock each other out');
  }

  /** The position of the last event; undefined when the stream is not at the expected version. */
  private async write(
    tx: Transaction,
    stream: StreamRef,
    expectedVersion: number,
    events: readonly NewEvent[],
    meta: EventMeta,
  ): Promise<bigint | undefined> {
    const way = expectedVersion === 0 ? 'open' : 'extend';
    const claim = [stream.bucket, stream.streamId, stream.tenantId, stream.streamType, expectedVersion, events.length];
    const values = [...claim, ...this.columns(events), JSON.stringify(meta)];
    const projected = events.some(({ event }) => this.projections.has(event.type));
    if (projected) {
      const { rowCount } = await tx.query({ ...CLAIM[way], values: claim });
      if (rowCount === 0) return undefined;
      await this.project(tx, stream, expectedVersion, events, meta);
    }
    const { rows } = await tx.query<{ position: string }>({ ...(projected ? RECORD_CLAIMED : APPEND[way]), values });
    return rows[0] && BigInt(rows[0].position);
  }

  private columns(events: readonly NewEvent[]): unknown[][] {
    return [
      events.map(({ id }) => id),
      events.map(({ event }) => event.type),
      events.map(({ event }) => this.upcasters.currentVersion(event.type)),
      events.map(({ event }) => serialiseData(event)),
    ];
  }

  private async project(
    tx: Transaction,
    stream: StreamRef,
    expectedVersion: number,
    events: readonly NewEvent[],
    meta: EventMeta,
  ): Promise<void> {
    for (const [index, { id, event }] of events.entries()) {
      for (const project of this.projections.get(event.type) ?? []) {
        await project(event, { tx, stream, version: expectedVersion + index + 1, id, meta });
      }
    }
  }
}

async function findDuplicate(
  tx: Transaction,
  stream: StreamRef,
  expectedVersion: number,
  events: readonly NewEvent[],
): Promise<AppendResult> {
  const { rows } = await tx.query<{ version: number; event_ids: string[] }>({
    ...FIND_RIVAL,
    values: [stream.bucket, stream.streamId, expectedVersion, events.length],
  });
  const { version = 0, event_ids: stored = [] } = rows[0] ?? {};
  const same = events.every(({ id }, index) => id.toLowerCase() === stored[index]);
  if (same) return { outcome: 'duplicate' };
  throw new VersionConflict(stream.streamId, expectedVersion, version);
}
