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
export { bucketOfReport } from './report-id.js';
export { ReportsModule } from './reports.module.js';
