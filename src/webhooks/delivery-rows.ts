import type { Principal } from '../auth/principal.js';
import type { Sql } from '../database/index.js';
import type { DeliveryAttempt, DeliveryStatus, WebhookDelivery } from './endpoint.js';
import type { DeliveryCursor, DeliveryFilter, ReplayRange } from './messages.js';

/** Names one attempt: whoever settles it must find the delivery as it was when the attempt was planned. */
export interface PlannedAttempt {
  readonly endpointId: string;
  readonly eventId: string;
  readonly turn: number;
  readonly tries: number;
}

interface DeliveryRow {
  endpoint_id: string;
  event_id: string;
  event: WebhookDelivery['event'];
  tenant_id: string | null;
  report_id: string | null;
  report_type: string | null;
  occurred_at: Date;
  status: DeliveryStatus;
  reason: string | null;
  turn: number;
  tries: number;
  attempts: number;
  next_attempt_at: Date | null;
  key: string;
}

/** `key` orders a page exactly, which milliseconds would not. */
const COLUMNS = `endpoint_id, event_id, event, tenant_id, report_id, report_type, occurred_at, status, reason, turn, tries,
  attempts, next_attempt_at, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS key`;

/** Adds a delivery; false when the endpoint has one of this event already, or is gone. */
export async function insertDelivery(sql: Sql, delivery: WebhookDelivery): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: 'webhook-delivery-insert',
    text: `INSERT INTO webhook_delivery (endpoint_id, event_id, event, tenant_id, report_id, report_type, occurred_at, status, reason)
           SELECT id, $2, $3, $4, $5, $6, $7, $8, $9 FROM webhook_endpoint WHERE id = $1 FOR KEY SHARE
           ON CONFLICT (endpoint_id, event_id) DO NOTHING`,
    values: [
      delivery.endpointId,
      delivery.eventId,
      delivery.event,
      delivery.tenantId ?? null,
      delivery.reportId ?? null,
      delivery.reportType ?? null,
      new Date(delivery.occurredAt),
      delivery.status,
      delivery.reason ?? null,
    ],
  });
  return rowCount === 1;
}

/** The delivery that an attempt was planned for; undefined when it has moved on meanwhile. */
export async function findPlanned(sql: Sql, planned: PlannedAttempt): Promise<WebhookDelivery | undefined> {
  const { rows } = await sql.query<DeliveryRow>({
    name: 'webhook-delivery-planned',
    text: `SELECT ${COLUMNS} FROM webhook_delivery
           WHERE endpoint_id = $1 AND event_id = $2 AND turn = $3 AND tries = $4 AND status = 'pending'`,
    values: fence(planned),
  });
  return rows[0] && toDelivery(rows[0]);
}

/** What an attempt led to. A delivery that stays pending is attempted again after `afterSeconds`. */
export interface Settlement {
  readonly status: DeliveryStatus;
  readonly reason?: string;
  readonly afterSeconds?: number;
}

/** Moves a delivery on from a planned attempt, made or not. Answers its attempts so far, or undefined when another has moved it. */
export async function settle(
  sql: Sql,
  planned: PlannedAttempt,
  { status, reason, afterSeconds }: Settlement,
  attempted: boolean,
): Promise<number | undefined> {
  const { rows } = await sql.query<{ attempts: number }>({
    name: 'webhook-delivery-settle',
    text: `UPDATE webhook_delivery
           SET status = $5, reason = $6, next_attempt_at = clock_timestamp() + $7::float8 * interval '1 second',
             tries = tries + $8::integer, attempts = attempts + $8::integer
           WHERE endpoint_id = $1 AND event_id = $2 AND turn = $3 AND tries = $4 AND status = 'pending'
           RETURNING attempts`,
    values: [...fence(planned), status, reason ?? null, afterSeconds ?? null, attempted ? 1 : 0],
  });
  return rows[0]?.attempts;
}

export async function insertAttempt(
  sql: Sql,
  { endpointId, eventId }: PlannedAttempt,
  { number, at, durationMs, status, error }: DeliveryAttempt,
): Promise<void> {
  await sql.query({
    name: 'webhook-attempt-insert',
    text: `INSERT INTO webhook_attempt (endpoint_id, event_id, number, at, duration_ms, status, error)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [endpointId, eventId, number, new Date(at), durationMs, status ?? null, error ?? null],
  });
}

/** Begins a new turn of one delivery, whatever became of the one before; undefined when it is about to be sent anyway. */
export async function replayDelivery(
  sql: Sql,
  endpointId: string,
  eventId: string,
): Promise<{ delivery: WebhookDelivery; planned: PlannedAttempt } | undefined> {
  const { rows } = await sql.query<DeliveryRow>(
    `UPDATE webhook_delivery SET ${NEW_TURN} WHERE endpoint_id = $1 AND event_id = $2 AND NOT ${ABOUT_TO_BE_SENT} RETURNING ${COLUMNS}`,
    [endpointId, eventId],
  );
  return rows[0] && { delivery: toDelivery(rows[0]), planned: toPlanned(rows[0]) };
}

/** Its turn has begun, and no attempt was made yet. */
const ABOUT_TO_BE_SENT = `(status = 'pending' AND tries = 0)`;

const NEW_TURN = `status = 'pending', reason = NULL, turn = turn + 1, tries = 0, next_attempt_at = clock_timestamp()`;

/** How far the replay of a range has come; the instant as PostgreSQL writes it. */
export interface ReplayPlace {
  readonly occurredAt: string;
  readonly eventId: string;
}

/** Begins a new turn of up to `limit` deliveries of a range after one, by when their events happened. */
export async function replayRange(
  sql: Sql,
  endpointId: string,
  { since, until, statuses }: ReplayRange,
  farms: Principal['farms'],
  after: ReplayPlace | undefined,
  limit: number,
): Promise<{ planned: PlannedAttempt[]; last?: ReplayPlace }> {
  const { rows } = await sql.query<DeliveryRow & { at: string }>(
    `WITH chosen AS (
       SELECT endpoint_id, event_id FROM webhook_delivery
       WHERE endpoint_id = $1 AND occurred_at >= $2 AND ($3::timestamptz IS NULL OR occurred_at <= $3)
         AND ($4::text[] IS NULL OR status = ANY ($4)) AND NOT ${ABOUT_TO_BE_SENT}
         AND ($8::text[] IS NULL OR tenant_id IS NULL OR tenant_id = ANY ($8))
         AND ($5::timestamptz IS NULL OR (occurred_at, event_id) > ($5, $6::uuid))
       ORDER BY occurred_at, event_id LIMIT $7 FOR UPDATE),
     replayed AS (
       UPDATE webhook_delivery delivery SET ${NEW_TURN} FROM chosen
       WHERE delivery.endpoint_id = chosen.endpoint_id AND delivery.event_id = chosen.event_id
       RETURNING delivery.*)
     SELECT ${COLUMNS}, occurred_at::text AS at FROM replayed ORDER BY occurred_at, event_id`,
    [
      endpointId,
      new Date(since),
      until === undefined ? null : new Date(until),
      statuses ?? null,
      after?.occurredAt ?? null,
      after?.eventId ?? null,
      limit,
      farms === 'all' ? null : [...farms],
    ],
  );
  const last = rows.at(-1);
  return {
    planned: rows.map(toPlanned),
    ...(last && { last: { occurredAt: last.at, eventId: last.event_id } }),
  };
}

export async function listDeliveries(
  sql: Sql,
  endpointId: string,
  { farms, status }: DeliveryFilter,
  limit: number,
  after?: DeliveryCursor,
): Promise<{ deliveries: WebhookDelivery[]; next?: DeliveryCursor }> {
  const { rows } = await sql.query<DeliveryRow>(
    `SELECT ${COLUMNS} FROM webhook_delivery
     WHERE endpoint_id = $1 AND ($2::text[] IS NULL OR tenant_id IS NULL OR tenant_id = ANY ($2))
       AND ($3::text IS NULL OR status = $3)
       AND ($4::timestamptz IS NULL OR (created_at, event_id) < ($4, $5::uuid))
     ORDER BY created_at DESC, event_id DESC LIMIT $6`,
    [
      endpointId,
      farms === 'all' ? null : [...farms],
      status ?? null,
      after?.createdAt ?? null,
      after?.eventId ?? null,
      limit + 1,
    ],
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    deliveries: page.map(toDelivery),
    ...(last && { next: { createdAt: last.key, eventId: last.event_id } }),
  };
}

export async function findDelivery(
  sql: Sql,
  endpointId: string,
  eventId: string,
): Promise<WebhookDelivery | undefined> {
  const { rows } = await sql.query<DeliveryRow>(
    `SELECT ${COLUMNS} FROM webhook_delivery WHERE endpoint_id = $1 AND event_id = $2`,
    [endpointId, eventId],
  );
  return rows[0] && toDelivery(rows[0]);
}

export async function listAttempts(
  sql: Sql,
  endpointId: string,
  eventId: string,
): Promise<DeliveryAttempt[]> {
  const { rows } = await sql.query<{
    number: number;
    at: Date;
    duration_ms: number;
    status: number | null;
    error: string | null;
  }>(
    `SELECT number, at, duration_ms, status, error FROM webhook_attempt
     WHERE endpoint_id = $1 AND event_id = $2 ORDER BY number`,
    [endpointId, eventId],
  );
  return rows.map(({ number, at, duration_ms: durationMs, status, error }) => ({
    number,
    at: at.getTime(),
    durationMs,
    ...(status !== null && { status }),
    ...(error !== null && { error }),
  }));
}

/** Removes up to `limit` deliveries made before an instant that nobody attempts any more, and answers how many. */
export async function sweepDeliveries(sql: Sql, before: Date, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM webhook_delivery WHERE (endpoint_id, event_id) IN (
       SELECT endpoint_id, event_id FROM webhook_delivery
       WHERE created_at < $1 AND status <> 'pending' ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [before, limit],
  );
  return rowCount ?? 0;
}

function fence({ endpointId, eventId, turn, tries }: PlannedAttempt): unknown[] {
  return [endpointId, eventId, turn, tries];
}

function toPlanned({ endpoint_id: endpointId, event_id: eventId, turn, tries }: DeliveryRow): PlannedAttempt {
  return { endpointId, eventId, turn, tries };
}

function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    event: row.event,
    ...(row.tenant_id !== null && { tenantId: row.tenant_id }),
    ...(row.report_id !== null && { reportId: row.report_id }),
    ...(row.report_type !== null && { reportType: row.report_type }),
    occurredAt: row.occurred_at.getTime(),
    status: row.status,
    ...(row.reason !== null && { reason: row.reason }),
    attempts: row.attempts,
    ...(row.next_attempt_at && row.status === 'pending' && { nextAttemptAt: row.next_attempt_at.getTime() }),
  };
}
