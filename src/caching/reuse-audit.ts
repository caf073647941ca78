import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit, type AuditedBucket, type AuditRule, type Finding, pages } from '../audit/index.js';
import { EventStore } from '../event-store/index.js';
import type { ReportEvent, ReportRequested } from '../reports/index.js';
import { RequestKey } from './reusable-reports.js';

interface ReusableRow {
  readonly report_id: string;
  readonly request: Buffer;
  readonly created_at: string;
  readonly settled: boolean;
}

const LASTING: readonly ReportEvent['type'][] = ['ReportRequested', 'ReportCompleted'];
const LEAVING: readonly ReportEvent['type'][] = [
  'ReportGenerationFailed',
  'ReportCancelled',
  'ReportExpired',
];

/** What may answer a request again is what was made for the very same request, of the same farm, and has not ended. */
@Injectable()
export class ReuseAudit implements AuditRule, OnModuleInit {
  readonly name = 'reuse';

  constructor(
    private readonly audit: Audit,
    private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.audit.add(this);
  }

  async *inspect({ tx, bucket, farm }: AuditedBucket): AsyncIterable<Finding> {
    const query =
      'SELECT report_id, request, created_at, settled FROM reusable_report WHERE bucket = $1::smallint';
    for await (const rows of pages<ReusableRow>(tx, 'reusable_rows', query, [bucket])) {
      const ids = rows.map((row) => row.report_id);
      const scanned = await this.store.readStreams(tx, bucket, ids, [...LASTING, ...LEAVING]);
      const lives = Map.groupBy(scanned, ({ streamId }) => streamId);
      for (const row of rows) {
        const life = lives.get(row.report_id) ?? [];
        if (farm !== undefined && life.some(({ tenantId }) => tenantId !== farm)) continue;
        yield* judged(
          row,
          life.map(({ event }) => event as ReportEvent),
        );
      }
    }
    yield* this.forgotten({ tx, bucket, ...(farm !== undefined && { farm }) });
  }

  /** Reports that could answer and are not among the candidates. */
  private async *forgotten({
    tx,
    bucket,
    farm,
  }: Omit<AuditedBucket, 'acknowledged'>): AsyncIterable<Finding> {
    const lasting = this.store.streamsWithout(
      tx,
      bucket,
      'report',
      ['ReportCancelled', 'ReportExpired'],
      farm,
    );
    for await (const ids of lasting) {
      const known = await tx.query<{ report_id: string }>(
        'SELECT report_id FROM reusable_report WHERE bucket = $1 AND report_id = ANY ($2)',
        [bucket, ids],
      );
      const there = new Set(known.rows.map((row) => row.report_id));
      const missing = ids.filter((id) => !there.has(id));
      if (missing.length === 0) continue;
      const types = ['ReportRequested', 'ReportGenerationFailed'];
      const events = await this.store.readStreams(tx, bucket, missing, types);
      for (const [subject, life] of Map.groupBy(events, ({ streamId }) => streamId)) {
        const told = life.map(({ event }) => event as ReportEvent);
        const reusable = told.some((event) => event.type === 'ReportRequested' && event.reusable);
        if (reusable && !told.some(leaves))
          yield { kind: 'reuse/forgotten', subject, detail: 'may answer again and is no candidate' };
      }
    }
  }
}

function* judged(row: ReusableRow, life: readonly ReportEvent[]): Iterable<Finding> {
  const subject = row.report_id;
  const requested = life.find((event): event is ReportRequested => event.type === 'ReportRequested');
  if (!requested) {
    yield { kind: 'reuse/without-report', subject, detail: 'is a candidate, and there is no such report' };
    return;
  }
  if (!new RequestKey(requested.request).hash.equals(row.request) || requested.at !== Number(row.created_at))
    yield { kind: 'reuse/request', subject, detail: 'is a candidate for a request that it was not made for' };
  if (life.some(leaves) || !requested.reusable)
    yield { kind: 'reuse/ended', subject, detail: 'is a candidate and may not answer again' };
  if (row.settled !== life.some((event) => event.type === 'ReportCompleted'))
    yield { kind: 'reuse/settled', subject, detail: `settled is ${row.settled}, the events say otherwise` };
}

function leaves(event: ReportEvent): boolean {
  return event.type === 'ReportGenerationFailed' ? !event.retrying : LEAVING.includes(event.type);
}
