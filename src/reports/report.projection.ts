import type { Sql } from '../database/database.js';
import type { EventPlace, ReadModel, Statement, StreamRef } from '../event-store/index.js';
import type { ReportEvent, ReportManifest, ReportRequested, ReportStatus } from './report.js';

/** How a report's events change its row, in the commit that appends them. */
export const REPORT_ROWS: ReadModel<ReportEvent> = {
  name: 'report',
  types: [
    'ReportRequested',
    'ReportGenerationStarted',
    'ReportCompleted',
    'ReportGenerationFailed',
    'ReportCancelled',
    'ReportExpired',
  ],
  project,
  reset,
};

function project(event: ReportEvent, { stream }: EventPlace): Statement[] {
  return event.type === 'ReportRequested' ? [insertRow(event, stream)] : updateRow(event, stream);
}

async function reset(tx: Sql, bucket: number): Promise<void> {
  await tx.query('DELETE FROM report WHERE bucket = $1', [bucket]);
}

function insertRow(event: ReportRequested, stream: StreamRef): Statement {
  const { request, period } = event;
  return {
    name: 'report-view-insert',
    text: `INSERT INTO report (bucket, report_id, tenant_id, type, generator, period_start_sent, period_end_sent,
             period_start, period_end, time_zone, warnings, status, created_at, modified_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'pending', $12, $12)`,
    values: [
      stream.bucket,
      stream.streamId,
      request.tenantId,
      request.type,
      event.generator,
      request.reportingPeriodStart,
      request.reportingPeriodEnd,
      period.start,
      period.end,
      period.timeZone,
      JSON.stringify(event.warnings),
      event.at,
    ],
  };
}

function updateRow(event: ReportEvent, stream: StreamRef): Statement[] {
  const change = rowChange(event);
  if (!change) return [];
  return [
    {
      name: 'report-view-update',
      text: `UPDATE report SET status = $3, modified_at = $4, attempt = coalesce($5, attempt), failure_reason = $6,
               manifest = coalesce($7, manifest), started_at = coalesce($8, started_at), rows_written = NULL, rows_estimated = NULL
             WHERE bucket = $1 AND report_id = $2`,
      values: [
        stream.bucket,
        stream.streamId,
        change.status,
        event.at,
        change.attempt,
        change.failureReason,
        change.manifest && JSON.stringify(change.manifest),
        change.startedAt,
      ],
    },
  ];
}

interface RowChange {
  status: ReportStatus;
  attempt?: number;
  failureReason?: string;
  manifest?: ReportManifest;
  startedAt?: number;
}

function rowChange(event: ReportEvent): RowChange | undefined {
  switch (event.type) {
    case 'ReportGenerationStarted':
      return { status: 'processing', attempt: event.attempt, startedAt: event.at };
    case 'ReportCompleted':
      return { status: 'completed', attempt: event.attempt, manifest: event.manifest };
    case 'ReportGenerationFailed':
      return {
        status: event.retrying ? 'processing' : 'failed',
        attempt: event.attempt,
        failureReason: event.reason,
      };
    case 'ReportCancelled':
      return { status: 'cancelled' };
    case 'ReportExpired':
      return { status: 'expired' };
    default:
      return undefined;
  }
}
