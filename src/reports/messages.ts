import { Command, Query } from '@nestjs/cqrs';
import type { Principal } from '../auth/principal.js';
import type { Sql, Transaction } from '../database/database.js';
import type { ReportManifest, ReportPeriod, ReportRequest, ReportStatus } from './report.js';

/** The fixed record of a report (http-api 1), with what Muster adds. */
export interface ReportRecord extends ReportRequest {
  readonly id: string;
  readonly status: ReportStatus;
  readonly creationDate: number;
  readonly lastModifiedDate: number;
  readonly period: ReportPeriod;
  readonly warnings: readonly string[];
  readonly attempt?: number;
  readonly failureReason?: string;
  readonly manifest?: ReportManifest;
  /** Of a processing report, as of a second or so ago; none before the first second is over. */
  readonly progress?: ReportProgress;
  /** Of a pending report, where it is asked for: reports that would be made before it as things stand, and it itself. */
  readonly queue?: { readonly position: number };
}

export interface ReportProgress {
  /** Written so far. */
  readonly rows: number;
  /** As many as the last completed report of the type on the farm had, while that is not yet passed. */
  readonly estimatedRows?: number;
}

/** Who changes a report, for its history and for access. */
export interface Caller {
  readonly principal: Principal;
  readonly requestId: string;
}

export interface RequestedReport {
  readonly record: ReportRecord;
  readonly created: boolean;
  readonly cacheStatus: string;
  /** Of a reused report, in seconds. */
  readonly ageSeconds?: number;
}

/** Asks for a report: makes one, or reuses or joins one of the same request. Time in Unix milliseconds. */
export class RequestReport extends Command<RequestedReport> {
  constructor(
    readonly caller: Caller,
    readonly request: ReportRequest,
    readonly arrivedAt: number,
    readonly cacheControl?: string,
    readonly idempotencyKey?: string,
    /** What must be true at the same instant: done in the transaction that makes, or finds, the report. It is rolled back when this throws. */
    readonly alongside?: (tx: Transaction, reportId: string) => Promise<void>,
  ) {
    super();
  }
}

/** A report request has been answered, as the process that did it tells whoever counts. */
export class ReportRequestAnswered {
  constructor(
    readonly type: string,
    readonly outcome: 'new' | 'reused' | 'joined',
    readonly deprecated: boolean,
  ) {}
}

/** Of all farms; `oldestPendingAt` in Unix milliseconds. */
export interface UnfinishedReports {
  readonly pending: number;
  readonly processing: number;
  /** The number of the attempt at one of those in processing that has had the most; 0 when there is none. */
  readonly highestAttempt: number;
  readonly oldestPendingAt?: number;
}

/** How many reports have not ended. Reads through `sql`. */
export class CountUnfinishedReports extends Query<UnfinishedReports> {
  constructor(readonly sql: Sql) {
    super();
  }
}

/** Cancels a pending or processing report. Throws ReportRefused when it has ended. */
export class CancelReport extends Command<ReportRecord> {
  constructor(
    readonly caller: Caller,
    readonly reportId: string,
  ) {
    super();
  }
}

/** The record of a report that the caller may see, or undefined. */
export class FindReport extends Query<ReportRecord | undefined> {
  constructor(
    readonly principal: Principal,
    readonly reportId: string,
  ) {
    super();
  }
}

/**
 * As FindReport once the report has ended, at the latest after `milliseconds`, or as soon as `left` says that the caller
 * is gone or the process is stopping. Answered by waiting.
 */
export class AwaitReport extends Query<ReportRecord | undefined> {
  constructor(
    readonly principal: Principal,
    readonly reportId: string,
    readonly milliseconds: number,
    readonly left: AbortSignal,
  ) {
    super();
  }
}

export interface ReportFilter {
  readonly tenantId?: string;
  readonly type?: string;
  readonly status?: ReportStatus;
  /** Unix milliseconds, inclusive. */
  readonly createdSince?: number;
  readonly createdUntil?: number;
}

/** The newest report that was asked for with the same five fields, however it ended, if the caller may see it. */
export class FindNewestReport extends Query<ReportRecord | undefined> {
  constructor(
    readonly principal: Principal,
    readonly request: ReportRequest,
  ) {
    super();
  }
}

/** Where a page of a list begins: just after this report. */
export interface ReportCursor {
  readonly createdAt: number;
  readonly id: string;
}

/** The caller's reports, newest first: up to `limit` and whether there are more. */
export class ListReports extends Query<{
  readonly records: readonly ReportRecord[];
  readonly more: boolean;
}> {
  constructor(
    readonly principal: Principal,
    readonly filter: ReportFilter,
    readonly limit: number,
    readonly after?: ReportCursor,
  ) {
    super();
  }
}

/** What happened to a report, as callers see it everywhere: in lists, streams and notices. */
export interface LifecycleEvent {
  readonly id: string;
  readonly type: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly reportId: string;
  readonly tenantId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The life of a report that the caller may see, oldest first, or undefined. */
export class ReadReportEvents extends Query<readonly LifecycleEvent[] | undefined> {
  constructor(
    readonly principal: Principal,
    readonly reportId: string,
  ) {
    super();
  }
}

/** An attempt that may run now. */
export interface GenerationAttempt {
  readonly reportId: string;
  readonly attempt: number;
  readonly request: ReportRequest;
  /** Identifier of the report type that makes the content (v3 for a v1 request). */
  readonly generator: string;
  readonly period: ReportPeriod;
  /** When the report was asked for, in Unix milliseconds. */
  readonly requestedAt: number;
  /** The attempt before it never ended: its worker died, or handed it back. */
  readonly recovered: boolean;
}

/** Begins the next attempt. Answers undefined when the report has ended, and so has nothing to generate. */
export class StartGeneration extends Command<GenerationAttempt | undefined> {
  constructor(readonly reportId: string) {
    super();
  }
}

/** Says how many rows an attempt has written so far. Nothing comes of it when that attempt no longer runs. */
export class NoteProgress extends Command<void> {
  constructor(
    readonly reportId: string,
    readonly attempt: number,
    readonly rows: number,
  ) {
    super();
  }
}

/** Delivers an attempt's manifest. Answers false when that attempt no longer runs: its content is void. */
export class CompleteGeneration extends Command<boolean> {
  constructor(
    readonly reportId: string,
    readonly attempt: number,
    readonly manifest: ReportManifest,
  ) {
    super();
  }
}

/** Says that an attempt failed. Answers false when that attempt no longer runs. */
export class FailGeneration extends Command<boolean> {
  constructor(
    readonly reportId: string,
    readonly attempt: number,
    readonly reason: string,
    readonly retrying: boolean,
  ) {
    super();
  }
}

/** Ends the life of a completed report's content. */
export class ExpireReport extends Command<void> {
  constructor(readonly reportId: string) {
    super();
  }
}

export interface ReportColumnDescription {
  readonly name: string;
  readonly type: string;
  readonly unit?: string;
  readonly description?: string;
  /** In JSON and NDJSON only. */
  readonly jsonOnly?: boolean;
}

export interface ReportTypeDescription {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** Identifier whose generator makes the content: itself unless deprecated. */
  readonly generator: string;
  readonly deprecated: boolean;
  readonly replacedBy?: string;
  /** Unix seconds since when it is deprecated. */
  readonly deprecatedSince?: number;
  /** Unix seconds after which it may be gone. */
  readonly sunset?: number;
  readonly formats: readonly string[];
  readonly columns: readonly ReportColumnDescription[];
  /** JSON Schema (2020-12) of the content as JSON. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** JSON Schema (2020-12) of a line of the content as NDJSON. */
  readonly rowSchema: Readonly<Record<string, unknown>>;
}

/** Every report type there is, by identifier. Answered by generators. */
export class ListReportTypes extends Query<readonly ReportTypeDescription[]> {}

/** What may be done about a create: serve a report that exists, or make one. `cacheStatus` is for the answer. */
export type ReuseDecision =
  | {
      readonly reuse: true;
      readonly reportId: string;
      /** Seen to be completed, and so not to change any more while it may be reused. */
      readonly completed: boolean;
      readonly ageSeconds: number;
      readonly cacheStatus: string;
    }
  | {
      readonly reuse: false;
      /** `only-if-cached`: nothing may be made either. */
      readonly mayCreate: boolean;
      /** Whether the new report may answer later requests. */
      readonly reusable: boolean;
      readonly cacheStatus: string;
    };

/**
 * Whether the newest report of the same request, whoever asked for it, may answer a create that arrived at
 * `arrivedAt` with this Cache-Control (http-api 7). Answered by caching. With `tx`, creates of the same
 * request wait for one another until that transaction ends.
 */
export class DecideReuse extends Query<ReuseDecision> {
  constructor(
    readonly request: ReportRequest,
    readonly cacheControl: string | undefined,
    readonly arrivedAt: number,
    readonly tx?: Transaction,
  ) {
    super();
  }
}

/** Reports that wait to be made and that are being made, in all processes. */
export interface QueueLoad {
  readonly waiting: number;
  readonly running: number;
}

/** How much there is to do. Answered by generators, as of at most a second ago. */
export class DescribeQueue extends Query<QueueLoad> {}

/** Where a report stands among those that wait, 1 for the next; undefined when it does not. Answered by generators. */
export class FindPlaceInQueue extends Query<number | undefined> {
  constructor(readonly reportId: string) {
    super();
  }
}

/** A part of a file, `[start, end)` in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The published content of a completed report as it streams from the store. Answered by generators. */
export class OpenReportContent extends Query<AsyncIterable<Buffer>> {
  constructor(
    readonly reportId: string,
    readonly attempt: number,
    readonly format: string,
    readonly range?: ByteRange,
  ) {
    super();
  }
}

/** A record behind a row, as it was imported. */
export interface RowRecord {
  readonly source: string;
  readonly sourceId: string;
  readonly resourceType: string;
  /** The farm-local day, and the local time where the record names one. */
  readonly day: string;
  readonly time: string | null;
  /** What it brings to the row's figures, by column: numbers for head, strings for exact decimals. */
  readonly brings: Readonly<Record<string, number | string>>;
  /** JSON text; absent when the record was withdrawn meanwhile. */
  readonly body?: string;
}

/** Where a page of an explanation begins: after so many records of an instant. */
export interface EvidenceCursor {
  /** Unix milliseconds. */
  readonly at: number;
  readonly told: number;
}

export interface ExplainedRow {
  readonly rowType: string;
  /** The row as it was delivered, by column. */
  readonly cells: Readonly<Record<string, string | number | null>>;
  readonly broughtForward: Readonly<Record<string, number | string>>;
  readonly records: readonly RowRecord[];
  readonly next?: EvidenceCursor;
  /** Position of the farm's records that the explanation was read at. */
  readonly recordsPosition: string;
}

/** Why a row is not explained: there is no such row, its report type does not say, or finding out takes too long. */
export type NotExplained = 'no such row' | 'not said' | 'took too long';

/**
 * Which records are behind a row of a completed report, counted from 1 over rows of every kind, on the records as they are now. With
 * `column`, those that bring something to that figure. Answered by generators.
 */
export class ExplainRow extends Query<ExplainedRow | NotExplained> {
  constructor(
    readonly record: ReportRecord,
    readonly row: number,
    readonly limit: number,
    readonly column?: string,
    readonly after?: EvidenceCursor,
  ) {
    super();
  }
}
