import { randomUUIDv7 } from 'node:crypto';
import { bucketOf, type StreamRef } from '../event-store/index.js';

const REPORT_ID = /^rpt-([0-9a-f]{2})-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A new report's id: it carries the bucket of its farm, so that every statement about it can name the bucket. */
export function newReportId(tenantId: string): string {
  return `rpt-${bucketOf(tenantId).toString(16).padStart(2, '0')}-${randomUUIDv7()}`;
}

/** The bucket in a report's id, or undefined when it is no report's id. */
export function bucketOfReport(reportId: string): number | undefined {
  const hex = REPORT_ID.exec(reportId)?.[1];
  return hex === undefined ? undefined : Number.parseInt(hex, 16);
}

export function reportStream(reportId: string, tenantId: string): StreamRef {
  return { bucket: bucketOf(tenantId), tenantId, streamType: 'report', streamId: reportId };
}
