import type { Sql } from '../database/database.js';

/** 1 to 255 visible ASCII characters. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e][\x20-\x7e]{0,254}$/;

const KEPT_FOR = 24 * 3600 * 1000;

/** One use of a credential's Idempotency-Key; `fingerprint` is the digest of the body it came with. */
export interface IdempotentAttempt {
  readonly credential: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}

export interface RememberedAnswer {
  readonly reportId: string;
  /** Whether the first answer was a new report. */
  readonly created: boolean;
}

/** Another request with this key is being answered at this moment. */
export class IdempotencyKeyInFlight extends Error {}

/** The key was used with another body. */
export class IdempotencyKeyReused extends Error {}

/**
 * What this key was answered with during the last 24 h, or undefined; then it is taken until the transaction
 * ends. Throws IdempotencyKeyInFlight or IdempotencyKeyReused.
 */
export async function recallAnswer(
  tx: Sql,
  attempt: IdempotentAttempt,
  now: number,
): Promise<RememberedAnswer | undefined> {
  const { credential, key, fingerprint } = attempt;
  const taken = await tx.query<{ free: boolean }>({
    name: 'idempotency-take',
    text: `SELECT pg_try_advisory_xact_lock(hashtextextended($1 || chr(31) || $2, 1)) AS free`,
    values: [credential, key],
  });
  if (!taken.rows[0]?.free) throw new IdempotencyKeyInFlight();
  const { rows } = await tx.query<{ fingerprint: Buffer; report_id: string; created: boolean }>({
    name: 'idempotency-recall',
    text: `SELECT fingerprint, report_id, created FROM idempotency_key
           WHERE credential = $1 AND key = $2 AND created_at > $3`,
    values: [credential, key, now - KEPT_FOR],
  });
  const row = rows[0];
  if (!row) return undefined;
  if (!row.fingerprint.equals(fingerprint)) throw new IdempotencyKeyReused();
  return { reportId: row.report_id, created: row.created };
}

/** Keeps the answer, and drops a few that have had their time, so that the table stays as large as a day. */
export async function rememberAnswer(
  tx: Sql,
  attempt: IdempotentAttempt,
  answer: RememberedAnswer,
  now: number,
): Promise<void> {
  await tx.query({
    name: 'idempotency-remember',
    text: `WITH outdated AS (
             DELETE FROM idempotency_key WHERE ctid IN (
               SELECT ctid FROM idempotency_key
               WHERE created_at <= $7 AND (credential, key) <> ($1, $2) LIMIT 4 FOR UPDATE SKIP LOCKED)
           )
           INSERT INTO idempotency_key (credential, key, fingerprint, report_id, created, created_at)
           VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (credential, key) DO UPDATE SET fingerprint = excluded.fingerprint,
             report_id = excluded.report_id, created = excluded.created, created_at = excluded.created_at`,
    values: [
      attempt.credential,
      attempt.key,
      attempt.fingerprint,
      answer.reportId,
      answer.created,
      now,
      now - KEPT_FOR,
    ],
  });
}
