import { pages } from '../audit/index.js';
import type { Principal } from '../auth/principal.js';
import type { Sql, Transaction } from '../database/index.js';
import { BucketedIds, bucketOf, EVERY_BUCKET } from '../event-store/index.js';
import type { Due, Rhythm } from './rhythm.js';
import type { ReportSchedule, ScheduleRun } from './schedule.js';

const ids = new BucketedIds('sch');

interface ScheduleRow {
  schedule_id: string;
  tenant_id: string;
  owner: string;
  type: string;
  every: Rhythm['every'];
  days_after: number;
  at: string;
  enabled: boolean;
  stopped: string | null;
  active_since: string;
  next_due_at: string;
  next_start: string;
  next_end: string;
  look_at: string;
  created_at: string;
  modified_at: string;
}

const PLACES = (count: number): string => Array.from({ length: count }, (_, n) => `$${n + 1}`).join(', ');

export function newScheduleId(tenantId: string): string {
  return ids.next(tenantId);
}

/** Inserts a schedule unless its farm has `most` already; false then. Takes turns with the farm's other inserts. */
export async function insertSchedule(tx: Sql, schedule: ReportSchedule, most: number): Promise<boolean> {
  const bucket = bucketOf(schedule.tenantId);
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 120))', [schedule.tenantId]);
  const { rows } = await tx.query<{ count: string }>(
    'SELECT count(*) FROM report_schedule WHERE bucket = $1 AND tenant_id = $2',
    [bucket, schedule.tenantId],
  );
  if (Number(rows[0]?.count) >= most) return false;
  await tx.query(
    `INSERT INTO report_schedule (bucket, schedule_id, tenant_id, owner, type, every, days_after, at, enabled, active_since,
       next_due_at, next_start, next_end, look_at, created_at, modified_at) VALUES (${PLACES(16)})`,
    [
      bucket,
      schedule.id,
      schedule.tenantId,
      schedule.owner,
      schedule.type,
      schedule.every,
      schedule.daysAfter,
      schedule.at,
      schedule.enabled,
      schedule.activeSince,
      schedule.nextDueDate,
      schedule.nextPeriod.start,
      schedule.nextPeriod.end,
      schedule.nextDueDate,
      schedule.creationDate,
      schedule.lastModifiedDate,
    ],
  );
  return true;
}

export async function findSchedule(sql: Sql, id: string): Promise<ReportSchedule | undefined> {
  const bucket = ids.bucketOf(id);
  if (bucket === undefined) return undefined;
  const { rows } = await sql.query<ScheduleRow>(
    'SELECT * FROM report_schedule WHERE bucket = $1 AND schedule_id = $2',
    [bucket, id],
  );
  return rows[0] && toSchedule(rows[0]);
}

export async function listSchedules(
  sql: Sql,
  farms: Principal['farms'],
  limit: number,
  after: string,
): Promise<ReportSchedule[]> {
  const buckets = farms === 'all' ? EVERY_BUCKET : [...new Set([...farms].map(bucketOf))];
  const { rows } = await sql.query<ScheduleRow>(
    `SELECT * FROM report_schedule
     WHERE bucket = ANY ($1) AND ($2::text[] IS NULL OR tenant_id = ANY ($2)) AND schedule_id > $3
     ORDER BY schedule_id LIMIT $4`,
    [buckets, farms === 'all' ? null : [...farms], after, limit],
  );
  return rows.map(toSchedule);
}

/** Every schedule of a bucket, or of one farm's, and when it is looked at next. */
export async function* pagesOfSchedules(
  tx: Transaction,
  bucket: number,
  farm: string | undefined,
): AsyncIterable<{ schedule: ReportSchedule; lookAt: number }[]> {
  const query =
    'SELECT * FROM report_schedule WHERE bucket = $1::smallint AND ($2::text IS NULL OR tenant_id = $2)';
  for await (const rows of pages<ScheduleRow>(tx, 'schedules', query, [bucket, farm ?? null]))
    yield rows.map((row) => ({ schedule: toSchedule(row), lookAt: Number(row.look_at) }));
}

/** Schedules that are to be looked at, those that have waited longest first. */
export async function dueSchedules(sql: Sql, now: number, limit: number): Promise<ReportSchedule[]> {
  const { rows } = await sql.query<ScheduleRow>({
    name: 'report-schedules-due',
    text: `SELECT * FROM report_schedule WHERE bucket = ANY ($1) AND enabled AND look_at <= $2
           ORDER BY look_at LIMIT $3`,
    values: [EVERY_BUCKET, now, limit],
  });
  return rows.map(toSchedule);
}

/** Stores a schedule as it was changed. Answers false when it is gone. */
export async function saveSchedule(sql: Sql, schedule: ReportSchedule): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE report_schedule SET owner = $3, every = $4, days_after = $5, at = $6, enabled = $7, stopped = NULL,
       active_since = $8, next_due_at = $9, next_start = $10, next_end = $11, look_at = $9, modified_at = $12
     WHERE bucket = $1 AND schedule_id = $2`,
    [
      bucketOf(schedule.tenantId),
      schedule.id,
      schedule.owner,
      schedule.every,
      schedule.daysAfter,
      schedule.at,
      schedule.enabled,
      schedule.activeSince,
      schedule.nextDueDate,
      schedule.nextPeriod.start,
      schedule.nextPeriod.end,
      schedule.lastModifiedDate,
    ],
  );
  return rowCount === 1;
}

/** Moves a schedule on to its next due instant. Answers false when somebody has changed it since it was read. */
export async function advance(sql: Sql, schedule: ReportSchedule, next: Due): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE report_schedule SET next_due_at = $4, next_start = $5, next_end = $6, look_at = $4
     WHERE bucket = $1 AND schedule_id = $2 AND enabled AND next_due_at = $3 AND modified_at = $7`,
    [...asRead(schedule), next.at, next.start, next.end, schedule.lastModifiedDate],
  );
  return rowCount === 1;
}

/** Looks at a schedule again later, after a failure. */
export async function postpone(sql: Sql, schedule: ReportSchedule, until: number): Promise<void> {
  await sql.query(
    'UPDATE report_schedule SET look_at = $4 WHERE bucket = $1 AND schedule_id = $2 AND next_due_at = $3',
    [...asRead(schedule), until],
  );
}

/** Disables a schedule that cannot go on. Answers false when somebody has changed it since it was read. */
export async function stop(sql: Sql, schedule: ReportSchedule, reason: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE report_schedule SET enabled = false, stopped = $4
     WHERE bucket = $1 AND schedule_id = $2 AND next_due_at = $3 AND enabled AND modified_at = $5`,
    [...asRead(schedule), reason, schedule.lastModifiedDate],
  );
  return rowCount === 1;
}

export async function removeSchedule(sql: Sql, { tenantId, id }: ReportSchedule): Promise<boolean> {
  const { rowCount } = await sql.query('DELETE FROM report_schedule WHERE bucket = $1 AND schedule_id = $2', [
    bucketOf(tenantId),
    id,
  ]);
  return rowCount === 1;
}

/** Answers false when the period has a run already. */
export async function insertRun(sql: Sql, schedule: ReportSchedule, run: ScheduleRun): Promise<boolean> {
  const { rowCount } = await sql.query(
    `INSERT INTO report_schedule_run (bucket, schedule_id, period_start, period_end, due_at, ran_at, missed, report_id)
     VALUES (${PLACES(8)}) ON CONFLICT (bucket, schedule_id, period_start, period_end) DO NOTHING`,
    [
      bucketOf(schedule.tenantId),
      schedule.id,
      run.period.start,
      run.period.end,
      run.dueDate,
      run.runDate,
      run.missed,
      run.reportId,
    ],
  );
  return rowCount === 1;
}

export async function listRuns(
  sql: Sql,
  { tenantId, id }: ReportSchedule,
  limit: number,
  before?: readonly [number, string],
): Promise<ScheduleRun[]> {
  const { rows } = await sql.query<{
    period_start: string;
    period_end: string;
    due_at: string;
    ran_at: string;
    missed: number;
    report_id: string;
  }>(
    `SELECT * FROM report_schedule_run
     WHERE bucket = $1 AND schedule_id = $2 AND ($3::bigint IS NULL OR (ran_at, period_start) < ($3, $4))
     ORDER BY ran_at DESC, period_start DESC LIMIT $5`,
    [bucketOf(tenantId), id, before?.[0] ?? null, before?.[1] ?? null, limit],
  );
  return rows.map((row) => ({
    period: { start: row.period_start, end: row.period_end },
    dueDate: Number(row.due_at),
    runDate: Number(row.ran_at),
    missed: row.missed,
    reportId: row.report_id,
  }));
}

function asRead({ tenantId, id, nextDueDate }: ReportSchedule): unknown[] {
  return [bucketOf(tenantId), id, nextDueDate];
}

function toSchedule(row: ScheduleRow): ReportSchedule {
  return {
    id: row.schedule_id,
    owner: row.owner,
    type: row.type,
    tenantType: 'farm',
    tenantId: row.tenant_id,
    every: row.every,
    daysAfter: row.days_after,
    at: row.at,
    enabled: row.enabled,
    ...(row.stopped !== null && { stopped: row.stopped }),
    activeSince: Number(row.active_since),
    nextDueDate: Number(row.next_due_at),
    nextPeriod: { start: row.next_start, end: row.next_end },
    creationDate: Number(row.created_at),
    lastModifiedDate: Number(row.modified_at),
  };
}
