export { endsReport, isTerminal, lifecycleEvent, REPORT_EVENTS } from './lifecycle.js';
export * from './messages.js';
export {
  ReportCancelled,
  ReportCompleted,
  ReportDownloaded,
  ReportExpired,
  ReportGenerationFailed,
  ReportGenerationStarted,
  ReportRequested,
  ReportReused,
} from './report.js';
export type {
  ReportEvent,
  ReportFile,
  ReportManifest,
  ReportPeriod,
  ReportRequest,
  ReportStatus,
} from './report.js';
export { REPORT_ID, REPORTS as REPORTS_TAG } from './report.description.js';
export { EVENT_LIST } from './report.schema.js';
export { bucketOfReport } from './report-id.js';
export { reportNotFound } from './report.problems.js';
export { ReportsModule } from './reports.module.js';
