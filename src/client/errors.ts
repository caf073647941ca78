import type { Report } from './types.js';

/** Why the service refused (RFC 9457). `type` is the address of a page that says what to do. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** The service refused. The message is what it says in plain words. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly status: number,
    readonly problem: ProblemDocument,
    /** Names the request in the log of the service. */
    readonly requestId: string | undefined,
  ) {
    super(`${status} ${problem.title}: ${problem.detail}`);
  }

  /** The kind of problem, such as `report-not-found`. */
  get kind(): string {
    return this.problem.type.slice(this.problem.type.lastIndexOf('/') + 1);
  }
}

/** The report ended without content: it failed, was cancelled, or its content is no longer kept. */
export class ReportNotMade extends Error {
  override readonly name = 'ReportNotMade';

  constructor(readonly report: Report) {
    const { id, status, failureReason } = report.data;
    super(`Report ${id} ${status}${failureReason === undefined ? '' : `: ${failureReason}`}`);
  }
}
