import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { pages } from '../audit/index.js';
import type { Principal } from '../auth/principal.js';
import { coalesce } from '../database/coalesce.js';
import { Database, type Sql, type Transaction } from '../database/database.js';
import { bucketOf, EventStore, EVERY_BUCKET } from '../event-store/index.js';
import type {
  ReportCursor,
  ReportFilter,
  ReportProgress,
  ReportRecord,
  UnfinishedReports,
} from './messages.js';
import type { ReportManifest, ReportRequest, ReportStatus } from './report.js';
import { REPORT_ROWS } from './report.projection.js';
import { bucketOfReport } from './report-id.js';

interface UnfinishedRow {
  status: 'pending' | 'processing';
  reports: number;
  oldest: string;
  attempt: number | null;
}

interface ReportRow {
  report_id: string;
  tenant_id: string;
  type: string;
  period_start_sent: string;
  period_end_sent: string;
  period_start: string;
  period_end: string;
  time_zone: string;
  warnings: string[];
  status: ReportStatus;
  created_at: string;
  modified_at: string;
  attempt: number | null;
  failure_reason: string | null;
  manifest: ReportManifest | null;
  rows_written: string | null;
  rows_estimated: string | null;
}

const MOST_COMPLETED = 1_000;

/** The read model of reports: a row a report, kept in the commit that appends its events. */
@Injectable()
export class ReportView implements OnModuleInit {
  /** As `find`; callers who ask at the same moment share one statement. */
  readonly findShared = coalesce(
    (reportId: string) => this.find(reportId),
    (reportId) => reportId,
  );

  private readonly completed = new LRUCache<string, ReportRecord>({ max: MOST_COMPLETED });

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.store.readModel(REPORT_ROWS);
  }

  async find(reportId: string, sql: Sql = this.database): Promise<ReportRecord | undefined> {
    const bucket = bucketOfReport(reportId);
    if (bucket === undefined) return undefined;
    const { rows } = await sql.query<ReportRow>({
      name: 'report-view-find',
      text: 'SELECT * FROM report WHERE bucket = $1 AND report_id = $2',
      values: [bucket, reportId],
    });
    return rows[0] && toRecord(rows[0]);
  }

  /** A report that the caller has just seen to be completed: its record is what it was, and need not be read twice. */
  async findCompleted(reportId: string): Promise<ReportRecord | undefined> {
    const known = this.completed.get(reportId);
    if (known) return known;
    const record = await this.findShared(reportId);
    if (record?.status === 'completed') this.completed.set(reportId, record);
    return record;
  }

  /** However it ended. */
  async newest(request: ReportRequest): Promise<ReportRecord | undefined> {
    const { type, tenantId, reportingPeriodStart, reportingPeriodEnd } = request;
    const { rows } = await this.database.query<ReportRow>({
      name: 'report-view-newest',
      text: `SELECT * FROM report
              WHERE bucket = $1 AND tenant_id = $2 AND type = $3 AND period_start_sent = $4 AND period_end_sent = $5
              ORDER BY created_at DESC, report_id DESC LIMIT 1`,
      values: [bucketOf(tenantId), tenantId, type, reportingPeriodStart, reportingPeriodEnd],
    });
    return rows[0] && toRecord(rows[0]);
  }

  /** Notes how far an attempt that runs has come. What to expect is looked up once. */
  async noteProgress(reportId: string, attempt: number, rows: number): Promise<void> {
    await this.database.query({
      name: 'report-view-progress',
      text: `UPDATE report SET rows_written = $4, rows_estimated = coalesce(rows_estimated, (
                SELECT (earlier.manifest ->> 'rows')::bigint FROM report AS earlier
                 WHERE earlier.bucket = $1 AND earlier.tenant_id = report.tenant_id AND earlier.generator = report.generator
                   AND earlier.manifest IS NOT NULL
                 ORDER BY earlier.created_at DESC LIMIT 1))
              WHERE bucket = $1 AND report_id = $2 AND attempt = $3 AND status = 'processing'`,
      values: [bucketOfReport(reportId), reportId, attempt, rows],
    });
  }

  /** The records of reports of one bucket, by id, as `sql` sees them. */
  async findMany(sql: Sql, bucket: number, ids: readonly string[]): Promise<Map<string, ReportRecord>> {
    const { rows } = await sql.query<ReportRow>(
      'SELECT * FROM report WHERE bucket = $1 AND report_id = ANY ($2)',
      [bucket, ids],
    );
    return new Map(rows.map((row) => [row.report_id, toRecord(row)]));
  }

  /** Pages of the ids of every report in a bucket, or of one farm's. */
  async *pagesOfIds(tx: Transaction, bucket: number, farm?: string): AsyncIterable<string[]> {
    const query =
      'SELECT report_id FROM report WHERE bucket = $1::smallint AND ($2::text IS NULL OR tenant_id = $2)';
    for await (const rows of pages<{ report_id: string }>(tx, 'report_ids', query, [bucket, farm ?? null]))
      yield rows.map((row) => row.report_id);
  }

  /** An index holds these alone, by status and age. */
  async countUnfinished(sql: Sql): Promise<UnfinishedReports> {
    const { rows } = await sql.query<UnfinishedRow>(
      `SELECT status, count(*)::float8 AS reports, min(created_at) AS oldest, max(attempt) AS attempt
       FROM report WHERE status IN ('pending', 'processing') GROUP BY status`,
    );
    const [pending, processing] = ['pending', 'processing'].map((state) =>
      rows.find(({ status }) => status === state),
    );
    return {
      pending: pending?.reports ?? 0,
      processing: processing?.reports ?? 0,
      highestAttempt: processing?.attempt ?? 0,
      ...(pending && { oldestPendingAt: Number(pending.oldest) }),
    };
  }

  async list(
    principal: Principal,
    filter: ReportFilter,
    limit: number,
    after?: ReportCursor,
  ): Promise<ReportRecord[]> {
    const farms = reachableFarms(principal, filter.tenantId);
    const values: unknown[] = [farms ? [...new Set(farms.map(bucketOf))] : EVERY_BUCKET];
    const where = ['bucket = ANY($1)'];
    const and = (condition: string, ...operands: unknown[]): void => {
      where.push(condition.replace(/\?/g, () => `$${values.push(operands.shift())}`));
    };
    if (farms) and('tenant_id = ANY(?)', farms);
    if (filter.type !== undefined) and('type = ?', filter.type);
    if (filter.status !== undefined) and('status = ?', filter.status);
    if (filter.createdSince !== undefined) and('created_at >= ?', filter.createdSince);
    if (filter.createdUntil !== undefined) and('created_at <= ?', filter.createdUntil);
    if (after) and('(created_at, report_id) < (?, ?)', after.createdAt, after.id);
    const { rows } = await this.database.query<ReportRow>(
      `SELECT * FROM report WHERE ${where.join(' AND ')} ORDER BY created_at DESC, report_id DESC LIMIT ${limit}`,
      values,
    );
    return rows.map(toRecord);
  }
}

function reachableFarms(principal: Principal, tenantId: string | undefined): string[] | undefined {
  if (principal.farms === 'all') return tenantId === undefined ? undefined : [tenantId];
  const { farms } = principal;
  return tenantId === undefined ? [...farms] : [tenantId].filter((farm) => farms.has(farm));
}

function toRecord(row: ReportRow): ReportRecord {
  return {
    id: row.report_id,
    type: row.type,
    tenantType: 'farm',
    tenantId: row.tenant_id,
    reportingPeriodStart: Number(row.period_start_sent),
    reportingPeriodEnd: Number(row.period_end_sent),
    status: row.status,
    creationDate: Number(row.created_at),
    lastModifiedDate: Number(row.modified_at),
    period: { start: row.period_start, end: row.period_end, timeZone: row.time_zone },
    warnings: row.warnings,
    ...(row.attempt !== null && { attempt: row.attempt }),
    ...(row.failure_reason !== null && { failureReason: row.failure_reason }),
    ...(row.manifest !== null && { manifest: row.manifest }),
    ...(row.rows_written !== null && { progress: progressOf(row) }),
  };
}

function progressOf({ rows_written: written, rows_estimated: estimated }: ReportRow): ReportProgress {
  const rows = Number(written);
  return {
    rows,
    ...(estimated !== null && Number(estimated) >= rows && { estimatedRows: Number(estimated) }),
  };
}
