/**
 * `muster/client`: reports of a Muster service for applications in TypeScript and JavaScript. No dependencies; runs wherever
 * `fetch` does.
 */
export type { Credentials } from './connection.js';
export { Muster, type CreateOptions, type DownloadOptions } from './muster.js';
export { ProblemError, type ProblemDocument, ReportNotMade } from './errors.js';
export type {
  Farm,
  FarmSettings,
  ImportSummary,
  Report,
  ReportManifest,
  ReportFormat,
  ReportRecord,
  ReportRequest,
  ReportStatus,
  ReportType,
} from './types.js';
