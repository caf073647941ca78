import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit, type AuditedBucket, type AuditRule, type Finding, pages } from '../audit/index.js';
import { ERASED_EVENT, EventStore, type ScannedEvent } from '../event-store/index.js';
import type { ReportRecord } from './messages.js';
import type { ReportEvent } from './report.js';
import { bucketOfReport } from './report-id.js';
import { ReportLife } from './report-life.js';
import { ReportView } from './report.view.js';

const PAGE = 500;

/** Every report's life is a possible one, its row is the fold of its events, and whoever was told of a report was told the truth. */
@Injectable()
export class ReportAudit implements AuditRule, OnModuleInit {
  readonly name = 'reports';

  constructor(
    private readonly audit: Audit,
    private readonly store: EventStore,
    private readonly view: ReportView,
  ) {}

  onModuleInit(): void {
    this.audit.add(this);
  }

  async *inspect(audited: AuditedBucket): AsyncIterable<Finding> {
    yield* this.lives(audited);
    yield* this.rows(audited);
    yield* this.promised(audited, 'reports/acknowledged-lost', 'a caller was told of it', [
      ...audited.acknowledged,
    ]);
  }

  /** What was remembered for an Idempotency-Key. Undistributed: its reports lie in every bucket. */
  async *inspectShared({ tx, farm }: Omit<AuditedBucket, 'bucket'>): AsyncIterable<Finding> {
    if (farm !== undefined) return;
    const query = 'SELECT report_id FROM idempotency_key ORDER BY report_id';
    for await (const rows of pages<{ report_id: string }>(tx, 'remembered', query, [])) {
      const buckets = Map.groupBy(rows, ({ report_id: id }) => bucketOfReport(id) ?? -1);
      for (const [bucket, remembered] of buckets) {
        const ids = remembered.map(({ report_id: id }) => id);
        const told = 'an Idempotency-Key was answered with it';
        yield* this.promised({ tx, bucket }, 'reports/idempotency-lost', told, ids);
      }
    }
  }

  private async *lives({ tx, bucket, farm }: AuditedBucket): AsyncIterable<Finding> {
    const ended: ReportLife[] = [];
    let life: ReportLife | undefined;
    for await (const scanned of this.store.scan(tx, bucket, 'report', farm)) {
      if (life?.id !== scanned.streamId) {
        if (life) ended.push(life);
        if (ended.length === PAGE) yield* this.judge({ tx, bucket }, ended.splice(0));
        life = new ReportLife(scanned.streamId, scanned.tenantId);
      }
      life.add((scanned as ScannedEvent<ReportEvent>).event);
    }
    if (life) ended.push(life);
    yield* this.judge({ tx, bucket }, ended);
  }

  private async *judge(
    { tx, bucket }: Pick<AuditedBucket, 'tx' | 'bucket'>,
    lives: readonly ReportLife[],
  ): AsyncIterable<Finding> {
    const records = await this.view.findMany(
      tx,
      bucket,
      lives.map(({ id }) => id),
    );
    for (const life of lives) {
      const finding = misplaced(life, bucket) ?? impossible(life) ?? differs(life, records.get(life.id));
      if (finding) yield finding;
    }
  }

  /** Rows that no event speaks of. */
  private async *rows({ tx, bucket, farm }: AuditedBucket): AsyncIterable<Finding> {
    for await (const ids of this.view.pagesOfIds(tx, bucket, farm))
      yield* this.promised({ tx, bucket }, 'reports/row-without-events', 'the read model has it', ids, []);
  }

  private async *promised(
    { tx, bucket }: Pick<AuditedBucket, 'tx' | 'bucket'>,
    kind: string,
    told: string,
    ids: readonly string[],
    erased: readonly string[] = [ERASED_EVENT],
  ): AsyncIterable<Finding> {
    if (ids.length === 0) return;
    const known = await this.store.readStreams(tx, bucket, ids, ['ReportRequested', ...erased]);
    const streams = new Set(known.map(({ streamId }) => streamId));
    for (const subject of ids)
      if (!streams.has(subject)) yield { kind, subject, detail: `${told}, and there is no such report` };
  }
}

function misplaced({ id: subject, tenantId, report }: ReportLife, bucket: number): Finding | undefined {
  if (report.status === 'unknown') return undefined;
  const { request } = report.requested;
  if (request.tenantId === tenantId && bucketOfReport(subject) === bucket) return undefined;
  const detail = `its stream is of ${tenantId} in bucket ${bucket}, its request of ${request.tenantId}`;
  return { kind: 'reports/tenant', subject, detail };
}

function impossible({ id: subject, faults }: ReportLife): Finding | undefined {
  return faults.length > 0 ? { kind: 'reports/life', subject, detail: faults.join('; ') } : undefined;
}

/** How far an attempt has come, while it is under way. */
function isNotedBesideEvents(field: keyof ReportRecord, { status }: ReportRecord): boolean {
  return field === 'progress' && status === 'processing';
}

function differs(life: ReportLife, found: ReportRecord | undefined): Finding | undefined {
  const subject = life.id;
  const expected = life.record();
  if (!expected) return undefined;
  if (!found) return { kind: 'reports/row-missing', subject, detail: `its events say ${expected.status}` };
  const wrong = (Object.keys({ ...expected, ...found }) as (keyof ReportRecord)[]).filter(
    (field) => !isDeepStrictEqual(expected[field], found[field]) && !isNotedBesideEvents(field, expected),
  );
  if (wrong.length === 0) return undefined;
  const say = (field: keyof ReportRecord) =>
    `${field} is ${JSON.stringify(found[field])}, the events say ${JSON.stringify(expected[field])}`;
  return { kind: 'reports/row', subject, detail: wrong.map(say).join('; ') };
}
