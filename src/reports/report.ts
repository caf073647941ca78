import type { DomainEvent } from '../event-store/event.js';

/** The five fields of a report request, exactly as the caller sent them (http-api 1). */
export interface ReportRequest {
  readonly type: string;
  readonly tenantType: 'farm';
  readonly tenantId: string;
  readonly reportingPeriodStart: number;
  readonly reportingPeriodEnd: number;
}

/** How the period was read: farm-local dates `YYYY-MM-DD`, both inclusive, in the farm's IANA zone. */
export interface ReportPeriod {
  readonly start: string;
  readonly end: string;
  readonly timeZone: string;
}

/** One rendering of a report's content. `sha256` is lower-case hex over exactly `bytes` bytes. */
export interface ReportFile {
  readonly format: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a completed report is made of: enough to verify the content and to make it again. */
export interface ReportManifest {
  readonly generator: string;
  readonly generatorVersion: string;
  /** Position of the farm's records that was read; the same position and request give the same files. */
  readonly recordsPosition: string;
  readonly rows: number;
  readonly files: readonly ReportFile[];
  /** Control totals by column, exact decimals. */
  readonly controlTotals: Readonly<Record<string, string>>;
  readonly warnings: number;
}

export class ReportRequested implements DomainEvent {
  readonly type = 'ReportRequested';
  constructor(
    readonly request: ReportRequest,
    readonly generator: string,
    readonly period: ReportPeriod,
    readonly warnings: readonly string[],
    readonly requestedBy: string,
    readonly reusable: boolean,
    readonly at: number,
  ) {}
}

export class ReportGenerationStarted implements DomainEvent {
  readonly type = 'ReportGenerationStarted';
  constructor(
    readonly attempt: number,
    readonly at: number,
  ) {}
}

export class ReportCompleted implements DomainEvent {
  readonly type = 'ReportCompleted';
  constructor(
    readonly attempt: number,
    readonly manifest: ReportManifest,
    readonly at: number,
  ) {}
}

export class ReportGenerationFailed implements DomainEvent {
  readonly type = 'ReportGenerationFailed';
  constructor(
    readonly attempt: number,
    readonly reason: string,
    readonly retrying: boolean,
    readonly at: number,
  ) {}
}

export class ReportCancelled implements DomainEvent {
  readonly type = 'ReportCancelled';
  constructor(
    readonly by: string,
    readonly at: number,
  ) {}
}

export class ReportExpired implements DomainEvent {
  readonly type = 'ReportExpired';
  constructor(readonly at: number) {}
}

export class ReportReused implements DomainEvent {
  readonly type = 'ReportReused';
  /** `count` reuses by one caller since the last such event; busy callers are noted once a second. */
  constructor(
    readonly by: string,
    readonly cacheStatus: string,
    readonly count: number,
    readonly at: number,
  ) {}
}

class ReportDownloaded implements DomainEvent {
  readonly type = 'ReportDownloaded';
  constructor(
    readonly by: string,
    readonly format: string,
    readonly count: number,
    readonly at: number,
  ) {}
}

export type ReportEvent =
  | ReportRequested
  | ReportGenerationStarted
  | ReportCompleted
  | ReportGenerationFailed
  | ReportCancelled
  | ReportExpired
  | ReportReused
  | ReportDownloaded;

interface Asked {
  readonly requested: ReportRequested;
}

/** A report in one of its statuses; a field that makes no sense in a status does not exist there. */
export type Report =
  | { readonly status: 'unknown' }
  | (Asked & { readonly status: 'pending' })
  | (Asked & { readonly status: 'processing'; readonly attempt: number; readonly running: boolean })
  | (Asked & { readonly status: 'completed'; readonly manifest: ReportManifest; readonly attempt: number })
  | (Asked & { readonly status: 'failed'; readonly reason: string })
  | (Asked & { readonly status: 'cancelled' })
  | (Asked & { readonly status: 'expired' });

export type ReportStatus = Exclude<Report['status'], 'unknown'>;

export type ReportDecision =
  | ({ readonly do: 'request' } & Omit<ReportRequested, 'type'>)
  | { readonly do: 'start'; readonly at: number }
  | {
      readonly do: 'complete';
      readonly attempt: number;
      readonly manifest: ReportManifest;
      readonly at: number;
    }
  | {
      readonly do: 'fail';
      readonly attempt: number;
      readonly reason: string;
      readonly retrying: boolean;
      readonly at: number;
    }
  | { readonly do: 'cancel'; readonly by: string; readonly at: number }
  | { readonly do: 'expire'; readonly at: number }
  | {
      readonly do: 'reuse';
      readonly by: string;
      readonly cacheStatus: string;
      readonly count: number;
      readonly at: number;
    }
  | {
      readonly do: 'download';
      readonly by: string;
      readonly format: string;
      readonly count: number;
      readonly at: number;
    };

/** A rule of the report's life said no. `status` is the status that forbids it. */
export class ReportRefused extends Error {
  constructor(
    readonly asked: ReportDecision['do'],
    readonly status: Report['status'],
  ) {
    super(`cannot ${asked} a report that is ${status}`);
  }
}

export const initialReport: Report = { status: 'unknown' };

/**
 * What happens when `command` meets `report`: the events to append, none when it is already so.
 * Throws ReportRefused. A result is accepted only for the attempt that is running, so a worker that was
 * given up cannot complete a report that another one has taken over.
 */
export function decide(command: ReportDecision, report: Report): ReportEvent[] {
  const refuse = (): never => {
    throw new ReportRefused(command.do, report.status);
  };
  switch (command.do) {
    case 'request':
      if (report.status !== 'unknown') return refuse();
      return [
        new ReportRequested(
          command.request,
          command.generator,
          command.period,
          command.warnings,
          command.requestedBy,
          command.reusable,
          command.at,
        ),
      ];
    case 'start':
      if (report.status === 'pending') return [new ReportGenerationStarted(1, command.at)];
      if (report.status === 'processing')
        return [new ReportGenerationStarted(report.attempt + 1, command.at)];
      return refuse();
    case 'complete':
      if (!runs(report, command.attempt)) return refuse();
      return [new ReportCompleted(command.attempt, command.manifest, command.at)];
    case 'fail':
      if (!runs(report, command.attempt)) return refuse();
      return [new ReportGenerationFailed(command.attempt, command.reason, command.retrying, command.at)];
    case 'cancel':
      if (report.status !== 'pending' && report.status !== 'processing') return refuse();
      return [new ReportCancelled(command.by, command.at)];
    case 'expire':
      if (report.status === 'expired') return [];
      if (report.status !== 'completed') return refuse();
      return [new ReportExpired(command.at)];
    case 'reuse':
      if (report.status !== 'pending' && report.status !== 'processing' && report.status !== 'completed')
        return refuse();
      return [new ReportReused(command.by, command.cacheStatus, command.count, command.at)];
    case 'download':
      if (report.status !== 'completed') return refuse();
      return [new ReportDownloaded(command.by, command.format, command.count, command.at)];
  }
}

function runs(report: Report, attempt: number): boolean {
  return report.status === 'processing' && report.running && report.attempt === attempt;
}

/** The report after `event`. Events it does not know leave it as it is. */
export function evolve(report: Report, event: ReportEvent): Report {
  if (event.type === 'ReportRequested') return { status: 'pending', requested: event };
  if (report.status === 'unknown') return report;
  const { requested } = report;
  switch (event.type) {
    case 'ReportGenerationStarted':
      return { status: 'processing', requested, attempt: event.attempt, running: true };
    case 'ReportCompleted':
      return { status: 'completed', requested, manifest: event.manifest, attempt: event.attempt };
    case 'ReportGenerationFailed':
      return event.retrying
        ? { status: 'processing', requested, attempt: event.attempt, running: false }
        : { status: 'failed', requested, reason: event.reason };
    case 'ReportCancelled':
      return { status: 'cancelled', requested };
    case 'ReportExpired':
      return { status: 'expired', requested };
    default:
      return report;
  }
}
