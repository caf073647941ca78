import { Command, Query } from '@nestjs/cqrs';
import type { Transaction } from '../database/database.js';
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
}

// ---- what generators ask of a report -------------------------------------------------------------

/** An attempt that may run now. */
export interface GenerationAttempt {
  readonly reportId: string;
  readonly attempt: number;
  readonly request: ReportRequest;
  /** Identifier of the report type that makes the content (v3 for a v1 request). */
  readonly generator: string;
  readonly period: ReportPeriod;
}

/** Begins the next attempt. Answers undefined when the report has ended, and so has nothing to generate. */
export class StartGeneration extends Command<GenerationAttempt | undefined> {
  constructor(readonly reportId: string) {
    super();
  }
}

/** Delivers an attempt's manifest. Answers false when that attempt no longer runs: its content is void. */
export class CompleteGeneration extends Command<boolean> {
  constructor(readonly reportId: string, readonly attempt: number, readonly manifest: ReportManifest) {
    super();
  }
}

/** Says that an attempt failed. Answers false when that attempt no longer runs. */
export class FailGeneration extends Command<boolean> {
  constructor(readonly reportId: string, readonly attempt: number, readonly reason: string, readonly retrying: boolean) {
    super();
  }
}

/** Ends the life of a completed report's content. */
export class ExpireReport extends Command<void> {
  constructor(readonly reportId: string) {
    super();
  }
}

// ---- what reports asks of others -----------------------------------------------------------------

export interface ReportColumnDescription {
  readonly name: string;
  readonly type: string;
  readonly unit?: string;
  readonly description?: string;
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
}

/** Every report type there is, by identifier. Answered by generators. */
export class ListReportTypes extends Query<readonly ReportTypeDescription[]> {}

/** A report that may answer a request again. `createdAt` in Unix milliseconds. */
export interface ReusableReport {
  readonly reportId: string;
  readonly createdAt: number;
  readonly settled: boolean;
}

/**
 * The newest candidate for the same request, whoever asked for it (http-api 7). Answered by caching.
 * With `tx`, creates of the same request wait for one another until that transaction ends.
 */
export class FindReusableReport extends Query<ReusableReport | undefined> {
  constructor(readonly request: ReportRequest, readonly tx?: Transaction) {
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
  constructor(readonly reportId: string, readonly attempt: number, readonly format: string, readonly range?: ByteRange) {
    super();
  }
}

