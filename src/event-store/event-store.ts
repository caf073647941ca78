import { Injectable, Optional } from '@nestjs/common';
import { Database, type Sql, type Transaction } from '../database/database.js';
import {
  type Append,
  appendAtOnce,
  checkAppend,
  claimStream,
  recordClaimed,
  requireDuplicate,
} from './append.js';
import type { DomainEvent, EventMeta, NewEvent, RecordedEvent, StreamRef } from './event.js';
import { type EventRow, recordedEvent } from './event-row.js';
import { HintSender } from './hint-sender.js';
import { Projections } from './projections.js';
import type { InlineProjection, ReadModel } from './read-model.js';
import { readStreams, type ScannedEvent, scanStreams, streamsWithout } from './stream-scan.js';
import { type Upcaster, Upcasters } from './upcasters.js';

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
  private readonly projections = new Projections();
  private readonly appended = new WeakSet<Transaction>();
  private around: () => EventMeta = () => ({});
  private readonly timed: ((seconds: number) => void)[] = [];

  constructor(
    private readonly database: Database,
    @Optional() private readonly hints?: HintSender,
  ) {}

  /** Registers work that is done in the transaction of every append of these types, in the order of registration and before read models change. */
  inline<Event extends DomainEvent>(types: readonly Event['type'][], project: InlineProjection<Event>): void {
    this.projections.add(types, project);
  }

  /** Registers tables that change in the commit of every append of their types, and that `rebuild` can make again. */
  readModel<Event extends DomainEvent>(model: ReadModel<Event>): void {
    this.projections.addModel(model);
  }

  /** The read models that can be rebuilt, by name. */
  get readModels(): ReadonlyMap<string, ReadModel> {
    return this.projections.models;
  }

  /** Adds what `describe` says of the work at hand, such as its trace, to the meta of every event appended in it. */
  onMeta(describe: () => EventMeta): void {
    this.around = describe;
  }

  /** Tells `listener` how long each append took, without the commit of a caller's transaction. */
  onAppend(listener: (seconds: number) => void): void {
    this.timed.push(listener);
  }

  /** Registers how older events of a type are read: the first step lifts schema version 1 to 2, the next 2 to 3. */
  upcast(type: string, ...steps: Upcaster[]): void {
    this.upcasters.register(type, steps);
  }

  /** A stream's events in order; none of a stream that does not exist. */
  async read(
    stream: Pick<StreamRef, 'bucket' | 'streamId'>,
    sql: Sql = this.database,
  ): Promise<RecordedEvent[]> {
    const { rows } = await sql.query<EventRow>({
      name: 'event-read-stream',
      text: 'SELECT * FROM event WHERE bucket = $1 AND stream_id = $2 ORDER BY version',
      values: [stream.bucket, stream.streamId],
    });
    return rows.map((row) => recordedEvent(row, this.upcasters));
  }

  /** Up to `limit` events of a stream after a version, in order. */
  async readOn(
    { bucket, streamId }: Pick<StreamRef, 'bucket' | 'streamId'>,
    afterVersion: number,
    limit: number,
  ): Promise<RecordedEvent[]> {
    const { rows } = await this.database.query<EventRow>({
      name: 'event-read-on',
      text: `SELECT * FROM event WHERE bucket = $1 AND stream_id = $2 AND version > $3
             ORDER BY version LIMIT $4`,
      values: [bucket, streamId, afterVersion, limit],
    });
    return rows.map((row) => recordedEvent(row, this.upcasters));
  }

  /** The position of the last event of each of some buckets. */
  async heads(buckets: readonly number[]): Promise<Map<number, bigint>> {
    const { rows } = await this.database.query<{ bucket: number; position: string }>({
      name: 'event-heads',
      text: 'SELECT bucket, position FROM log_head WHERE bucket = ANY ($1::smallint[])',
      values: [buckets],
    });
    return new Map(rows.map(({ bucket, position }) => [bucket, BigInt(position)]));
  }

  /**
   * Where in a bucket an event of this stream type stands; undefined when it is not there. Not prepared, and so planned
   * for its values: the index of a stream type's ids is a partial one.
   */
  async locate(bucket: number, streamType: string, eventId: string): Promise<bigint | undefined> {
    const { rows } = await this.database.query<{ position: string }>(
      'SELECT position FROM event WHERE bucket = $1 AND event_id = $2::uuid AND stream_type = $3',
      [bucket, eventId, streamType],
    );
    return rows[0] && BigInt(rows[0].position);
  }

  /** Of events with these ids in streams of this type: what they are and where they belong, by id. Planned as `locate` is. */
  async known(
    sql: Sql,
    bucket: number,
    streamType: string,
    eventIds: readonly string[],
  ): Promise<Map<string, { readonly streamId: string; readonly tenantId: string; readonly type: string }>> {
    const { rows } = await sql.query<Pick<EventRow, 'event_id' | 'stream_id' | 'tenant_id' | 'type'>>(
      'SELECT event_id, stream_id, tenant_id, type FROM event WHERE bucket = $1 AND event_id = ANY ($2::uuid[]) AND stream_type = $3',
      [bucket, eventIds, streamType],
    );
    return new Map(
      rows.map(({ event_id, stream_id: streamId, tenant_id: tenantId, type }) => [
        event_id,
        { streamId, tenantId, type },
      ]),
    );
  }

  /** Up to `limit` events of a bucket after a position, in order. What it answers is final: nothing appears before it later. */
  async readAll(
    bucket: number,
    afterPosition: bigint,
    limit: number,
    sql: Sql = this.database,
  ): Promise<RecordedEvent[]> {
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
    const { rows } = await sql.query<(EventRow | { position: null }) & { head: string }>({
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
    const events = rows
      .filter((row) => row.position !== null)
      .map((row) => recordedEvent(row, this.upcasters));
    return { events, through: end < head ? end : head, complete: end >= head };
  }

  /** Every event of the streams of one type, of one tenant's if named, stream by stream and in order; pages in `tx`. */
  scan(tx: Transaction, bucket: number, streamType: string, tenantId?: string): AsyncIterable<ScannedEvent> {
    return scanStreams(tx, this.upcasters, bucket, streamType, tenantId);
  }

  /** The events of some types in some streams of a bucket, in no particular order. */
  readStreams(
    sql: Sql,
    bucket: number,
    streamIds: readonly string[],
    types: readonly string[],
  ): Promise<ScannedEvent[]> {
    return readStreams(sql, this.upcasters, bucket, streamIds, types);
  }

  /** Pages of the streams of one type, of one tenant's if named, that have no event of these types. */
  streamsWithout(
    tx: Transaction,
    bucket: number,
    streamType: string,
    types: readonly string[],
    tenantId?: string,
  ): AsyncIterable<string[]> {
    return streamsWithout(tx, bucket, streamType, types, tenantId);
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
    const change = { stream, expectedVersion, events, meta: { ...this.around(), ...meta } };
    checkAppend(change);
    if (this.appended.has(tx))
      throw new Error('a transaction appends once: two heads at a time could lock each other out');
    const position = await this.timing(() => this.write(tx, change));
    if (position === undefined) return this.duplicate(tx, change);
    this.appended.add(tx);
    this.hints?.afterCommit(tx, stream.bucket);
    return { outcome: 'appended', version: expectedVersion + events.length, position };
  }

  /**
   * As `append`, in a transaction of its own: where no projection concerns these events a single statement, which is
   * several times as fast since no one waits for a round trip.
   */
  async appendAlone(
    stream: StreamRef,
    expectedVersion: number,
    events: readonly NewEvent[],
    meta: EventMeta,
  ): Promise<AppendResult> {
    if (this.projections.concern(events)) {
      return this.database.transaction((tx) => this.append(tx, stream, expectedVersion, events, meta));
    }
    const change = { stream, expectedVersion, events, meta: { ...this.around(), ...meta } };
    checkAppend(change);
    const position = await this.timing(() => appendAtOnce(this.database, change, this.upcasters));
    if (position === undefined) return this.duplicate(this.database, change);
    this.hints?.committed(stream.bucket);
    return { outcome: 'appended', version: expectedVersion + events.length, position };
  }

  /** The position of the last event; undefined when the stream is not at the expected version. */
  private async write(tx: Transaction, change: Append): Promise<bigint | undefined> {
    if (!this.projections.concern(change.events)) return appendAtOnce(tx, change, this.upcasters);
    if (!(await claimStream(tx, change))) return undefined;
    await this.projections.run(tx, change);
    const changes = this.projections.statements(change);
    if (changes.length === 1) return recordClaimed(tx, change, this.upcasters, changes[0]);
    for (const statement of changes.flat()) await tx.query(statement);
    return recordClaimed(tx, change, this.upcasters);
  }

  private async timing<T>(append: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await append();
    for (const tell of this.timed) tell((performance.now() - begun) / 1000);
    return result;
  }

  private async duplicate(sql: Sql, change: Append): Promise<AppendResult> {
    await requireDuplicate(sql, change);
    return { outcome: 'duplicate' };
  }
}
