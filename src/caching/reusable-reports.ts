import { hash } from 'node:crypto';
import type { OnModuleInit } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { Config } from '../config.js';
import { coalesce } from '../database/coalesce.js';
import { Database, type Sql, type Transaction } from '../database/database.js';
import {
  bucketOf,
  type EventPlace,
  EventStore,
  type Statement,
  type StreamRef,
} from '../event-store/index.js';
import {
  DecideReuse,
  type ReportEvent,
  type ReportRequest,
  type ReportRequested,
  type ReuseDecision,
} from '../reports/index.js';
import { type Candidate, decideReuse, readCacheControl } from './cache-control.js';

const MOST_REQUESTS = 10_000;

interface ReusableReport {
  readonly reportId: string;
  readonly createdAt: number;
  readonly settled: boolean;
}

/** Finds and keeps the reports that may answer the same request again. */
@QueryHandler(DecideReuse)
export class ReusableReports implements IQueryHandler<DecideReuse>, OnModuleInit {
  private readonly retention: number;
  private readonly met = new LRUCache<string, true>({ max: MOST_REQUESTS });
  private readonly newest = coalesce(
    (key: RequestKey) => find(this.database, key),
    (key) => key.toString(),
  );

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    config: Config,
  ) {
    this.retention = config.REPORT_RETENTION_DAYS * 86_400;
  }

  onModuleInit(): void {
    this.store.readModel<ReportEvent>({ name: 'reusable-report', types: CHANGING, project, reset });
  }

  async execute({ request, cacheControl, arrivedAt, tx }: DecideReuse): Promise<ReuseDecision> {
    const policy = readCacheControl(cacheControl, this.retention);
    const found = policy.period === undefined ? undefined : await this.newestOf(request, tx);
    const decision = decideReuse(policy, found && candidateOf(found, arrivedAt));
    if (!decision.reuse) return decision;
    const { reportId, completed, ageMs } = decision.candidate;
    const ageSeconds = Math.floor(ageMs / 1000);
    return { reuse: true, reportId, completed, ageSeconds, cacheStatus: decision.cacheStatus };
  }

  /** What this process has not met is most likely new: it is looked for once only, where it would be made. */
  private async newestOf(request: ReportRequest, tx?: Transaction): Promise<ReusableReport | undefined> {
    const key = new RequestKey(request);
    const id = key.toString();
    if (!tx) return this.met.has(id) ? this.newest(key) : undefined;
    this.met.set(id, true);
    return claim(tx, key);
  }
}

function candidateOf(
  { reportId, createdAt, settled }: ReusableReport,
  arrivedAt: number,
): Candidate & { reportId: string; completed: boolean } {
  const inFlight = !settled || createdAt > arrivedAt;
  return { reportId, completed: settled, ageMs: Math.max(0, arrivedAt - createdAt), inFlight };
}

/** The same request means the same values of all five fields as they were sent. */
export class RequestKey {
  readonly bucket: number;
  readonly hash: Buffer;

  constructor({ type, tenantType, tenantId, reportingPeriodStart, reportingPeriodEnd }: ReportRequest) {
    this.bucket = bucketOf(tenantId);
    this.hash = hash(
      'sha256',
      JSON.stringify([type, tenantType, tenantId, reportingPeriodStart, reportingPeriodEnd]),
      'buffer',
    );
  }

  toString(): string {
    return this.hash.toString('base64');
  }
}

async function find(sql: Sql, key: RequestKey): Promise<ReusableReport | undefined> {
  const { rows } = await sql.query<ReusableRow>({
    name: 'reusable-report-newest',
    text: `SELECT report_id, created_at, settled FROM reusable_report WHERE bucket = $1 AND request = $2
           ORDER BY created_at DESC, report_id DESC LIMIT 1`,
    values: [key.bucket, key.hash],
  });
  return rows[0] && reusable(rows[0]);
}

/** As find, once it is this transaction's turn: creates of one request take turns, over all processes. */
async function claim(tx: Sql, key: RequestKey): Promise<ReusableReport | undefined> {
  const { rows } = await tx.query<ReusableRow>({
    name: 'reusable-report-claim',
    text: 'SELECT report_id, created_at, settled FROM claim_newest_report($1, $2, $3)',
    values: [key.bucket, key.hash, key.hash.readBigInt64BE()],
  });
  return rows[0] && reusable(rows[0]);
}

interface ReusableRow {
  report_id: string;
  created_at: string;
  settled: boolean;
}

function reusable({ report_id, created_at, settled }: ReusableRow): ReusableReport {
  return { reportId: report_id, createdAt: Number(created_at), settled };
}

const CHANGING: readonly ReportEvent['type'][] = [
  'ReportRequested',
  'ReportCompleted',
  'ReportGenerationFailed',
  'ReportCancelled',
  'ReportExpired',
];

function project(event: ReportEvent, { stream }: EventPlace): Statement[] {
  if (event.type === 'ReportRequested') return event.reusable ? [remember(event, stream)] : [];
  if (event.type === 'ReportCompleted') return [settle(stream)];
  return event.type === 'ReportGenerationFailed' && event.retrying ? [] : [forget(stream)];
}

async function reset(tx: Sql, bucket: number): Promise<void> {
  await tx.query('DELETE FROM reusable_report WHERE bucket = $1', [bucket]);
}

function remember(event: ReportRequested, stream: StreamRef): Statement {
  const key = new RequestKey(event.request);
  return {
    name: 'reusable-report-remember',
    text: 'INSERT INTO reusable_report (bucket, request, created_at, report_id) VALUES ($1, $2, $3, $4)',
    values: [key.bucket, key.hash, event.at, stream.streamId],
  };
}

function settle(stream: StreamRef): Statement {
  return {
    name: 'reusable-report-settle',
    text: 'UPDATE reusable_report SET settled = true WHERE bucket = $1 AND report_id = $2',
    values: [stream.bucket, stream.streamId],
  };
}

function forget(stream: StreamRef): Statement {
  return {
    name: 'reusable-report-forget',
    text: 'DELETE FROM reusable_report WHERE bucket = $1 AND report_id = $2',
    values: [stream.bucket, stream.streamId],
  };
}
