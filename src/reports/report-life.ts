import { endsReport } from './lifecycle.js';
import type { ReportRecord } from './messages.js';
import { evolve, initialReport, type Report, type ReportEvent } from './report.js';

/** Folds the events of one report one by one: what its record must be, and what in its life cannot have happened. */
export class ReportLife {
  report: Report = initialReport;
  readonly faults: string[] = [];
  private ends = 0;
  private changedAt = 0;
  private attempt: Pick<ReportRecord, 'attempt'> = {};
  private manifest: Pick<ReportRecord, 'manifest'> = {};
  private failure: Pick<ReportRecord, 'failureReason'> = {};

  constructor(
    readonly id: string,
    readonly tenantId: string,
  ) {}

  add(event: ReportEvent): void {
    const before = this.report;
    this.report = evolve(before, event);
    const fault = faultOf(before, event);
    if (fault) this.faults.push(fault);
    // What expires has ended before.
    if (endsReport(event) && event.type !== 'ReportExpired' && ++this.ends > 1)
      this.faults.push(`ends ${this.ends} times, with ${event.type}`);
    if (this.report !== before) this.keep(event);
  }

  /** As the read model must have it; undefined when no event speaks of a report, as after an erasure. */
  record(): ReportRecord | undefined {
    if (this.report.status === 'unknown') return undefined;
    const { request, period, warnings, at } = this.report.requested;
    return {
      id: this.id,
      ...request,
      status: this.report.status,
      creationDate: at,
      lastModifiedDate: this.changedAt,
      period,
      warnings,
      ...this.attempt,
      ...this.failure,
      ...this.manifest,
    };
  }

  private keep(event: ReportEvent): void {
    this.changedAt = event.at;
    if ('attempt' in event) this.attempt = { attempt: event.attempt };
    if ('manifest' in event) this.manifest = { manifest: event.manifest };
    this.failure = event.type === 'ReportGenerationFailed' ? { failureReason: event.reason } : {};
  }
}

/** What the rules of `decide` would have refused. */
function faultOf(report: Report, event: ReportEvent): string | undefined {
  const { status } = report;
  const attempt = 'attempt' in event ? event.attempt : 0;
  const running = status === 'processing' && report.running && report.attempt === attempt;
  const said = `${event.type} of a report that is ${status}`;
  switch (event.type) {
    case 'ReportRequested':
      return status === 'unknown' ? undefined : said;
    case 'ReportGenerationStarted': {
      const due = status === 'pending' ? 1 : status === 'processing' ? report.attempt + 1 : undefined;
      return due === attempt ? undefined : `${said}, attempt ${attempt}`;
    }
    case 'ReportCompleted':
    case 'ReportGenerationFailed':
      return running ? undefined : `${said}, attempt ${attempt}`;
    case 'ReportCancelled':
      return status === 'pending' || status === 'processing' ? undefined : said;
    case 'ReportExpired':
      return status === 'completed' ? undefined : said;
    default:
      return undefined;
  }
}
