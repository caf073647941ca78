import type { Sql } from '../database/database.js';
import type { RecordedEvent } from './event.js';

/** An event that a subscription gave up after `attempts` tries; `error` is the last one. */
export interface DeadLetter {
  readonly bucket: number;
  readonly subscription: string;
  readonly position: bigint;
  readonly eventId: string;
  readonly type: string;
  readonly streamId: string;
  readonly attempts: number;
  readonly error: string;
  readonly parkedAt: Date;
}

export async function parkEvent(
  sql: Sql,
  subscription: string,
  event: RecordedEvent,
  attempts: number,
  error: string,
): Promise<void> {
  const { bucket, position, id, streamId } = event;
  await sql.query(
    `INSERT INTO dead_letter (bucket, subscription, position, event_id, type, stream_id, attempts, error)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [bucket, subscription, position, id, event.event.type, streamId, attempts, error],
  );
}

/** Removes a dead letter, for as long as the transaction lasts. Answers false when it is gone already. */
export async function takeDeadLetter(
  sql: Sql,
  subscription: string,
  bucket: number,
  position: bigint,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    'DELETE FROM dead_letter WHERE bucket = $1 AND subscription = $2 AND position = $3',
    [bucket, subscription, position],
  );
  return rowCount === 1;
}

/** The oldest dead letters. */
export async function listDeadLetters(sql: Sql, limit: number): Promise<DeadLetter[]> {
  const { rows } = await sql.query<Omit<DeadLetter, 'position'> & { position: string }>(
    `SELECT bucket, subscription, position, event_id AS "eventId", type, stream_id AS "streamId", attempts, error,
       parked_at AS "parkedAt"
     FROM dead_letter ORDER BY parked_at, bucket, position LIMIT $1`,
    [limit],
  );
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}
