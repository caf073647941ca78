import { BucketedIds, bucketOf, type StreamRef } from '../event-store/index.js';

const ids = new BucketedIds('rpt');

/** A new report's id: it carries the bucket of its farm, so that every statement about it can name the bucket. */
export function newReportId(tenantId: string): string {
  return ids.next(tenantId);
}

/** The bucket in a report's id, or undefined when it is no report's id. */
export function bucketOfReport(reportId: string): number | undefined {
  return ids.bucketOf(reportId);
}

export function reportStream(reportId: string, tenantId: string): StreamRef {
  return { bucket: bucketOf(tenantId), tenantId, streamType: 'report', streamId: reportId };
}
