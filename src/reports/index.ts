export { endsReport, isTerminal, lifecycleEvent, REPORT_EVENTS } from './lifecycle.js';
export * from './messages.js';
export {
  ReportCancelled,
  ReportCompleted,
  ReportExpired,
  ReportGenerationFailed,
  ReportRequested,
  ReportReused,
} from './report.js';
export type { ReportEvent, ReportFile, ReportManifest, ReportRequest } from './report.js';
export { REPORT_ID, REPORTS as REPORTS_TAG } from './report.description.js';
export { readCreateReport } from './create-report.body.js';
export { REPORT_TYPES as REPORT_TYPES_TAG } from './report-types.description.js';
export { deprecationHeaders } from './report.representation.js';
export {
  ASK_AGAIN,
  COMPLETED_EXAMPLE,
  DEPRECATION_HEADERS,
  EVENT_LIST,
  FARM_AND_PERIOD,
  LIFECYCLE_EVENT,
  PENDING_EXAMPLE,
  REPORT,
  REPORT_TYPE,
} from './report.schema.js';
export { bucketOfReport } from './report-id.js';
export { reportNotFound, toProblem } from './report.problems.js';
export { saysDeprecated } from './report-types.js';
export { ReportsModule } from './reports.module.js';
