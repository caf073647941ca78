import type { RecordedEvent } from '../event-store/index.js';
import type { LifecycleEvent } from './messages.js';
import type { ReportEvent, ReportStatus } from './report.js';

/** Every type of event in a report's stream. */
export const REPORT_EVENTS: readonly ReportEvent['type'][] = [
  'ReportRequested',
  'ReportGenerationStarted',
  'ReportCompleted',
  'ReportGenerationFailed',
  'ReportCancelled',
  'ReportExpired',
  'ReportReused',
  'ReportDownloaded',
];

/** A recorded event as callers see it. */
export function lifecycleEvent(recorded: RecordedEvent<ReportEvent>): LifecycleEvent {
  const { id, streamId: reportId, tenantId, event } = recorded;
  const { type, at, ...data } = event;
  return { id, type, at, reportId, tenantId, data };
}

/** Whether a report has its result with this event. What comes later, as its downloads, no one waits for. */
export function endsReport(event: ReportEvent): boolean {
  return (
    event.type === 'ReportCompleted' ||
    event.type === 'ReportCancelled' ||
    event.type === 'ReportExpired' ||
    (event.type === 'ReportGenerationFailed' && !event.retrying)
  );
}

/** Whether a report in this status has its result, or never will. */
export function isTerminal({ status }: { readonly status: ReportStatus }): boolean {
  return status !== 'pending' && status !== 'processing';
}
