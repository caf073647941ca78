import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit, type AuditedBucket, type AuditRule, type Finding, pages } from '../audit/index.js';
import { liveJobsOf, type Transaction } from '../database/index.js';
import { EventStore } from '../event-store/index.js';
import { bucketOfReport } from '../reports/index.js';
import type { PlannedAttempt } from './delivery-rows.js';
import { TOLD_AS } from './fan-out.js';
import { DELIVERING } from './webhook-queue.js';

const PENDING = `SELECT endpoint_id AS "endpointId", event_id AS "eventId", turn, tries FROM webhook_delivery WHERE status = 'pending'`;

/** Reports' ids begin with their bucket. */
const TOLD = `
SELECT endpoint_id AS endpoint, event_id AS id, event AS name, tenant_id AS farm, report_id AS report
  FROM webhook_delivery WHERE tenant_id IS NOT NULL ORDER BY report_id`;

const MISCOUNTED = `
SELECT endpoint_id AS endpoint, event_id AS id, status, attempts, coalesce(noted, 0) AS noted
  FROM webhook_delivery delivery
  LEFT JOIN (SELECT endpoint_id, event_id, count(*)::integer AS noted, max(number) AS last,
                    (array_agg(error ORDER BY number DESC))[1] AS error
               FROM webhook_attempt GROUP BY endpoint_id, event_id) AS log USING (endpoint_id, event_id)
 WHERE (coalesce(noted, 0), coalesce(last, 0)) IS DISTINCT FROM (attempts, attempts)
    OR (status = 'delivered' AND (attempts = 0 OR error IS NOT NULL))`;

interface ToldRow {
  readonly endpoint: string;
  readonly id: string;
  readonly name: string;
  readonly farm: string;
  readonly report: string;
}

/** Every message is about what happened, those that wait have a job that sends them, and their attempts are those of the log. */
@Injectable()
export class DeliveryAudit implements AuditRule, OnModuleInit {
  readonly name = 'webhooks';

  constructor(
    private readonly audit: Audit,
    private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.audit.add(this);
  }

  async *inspectShared({ tx, farm }: Omit<AuditedBucket, 'bucket'>): AsyncIterable<Finding> {
    if (farm !== undefined) return;
    yield* abandoned(tx);
    yield* miscounted(tx);
    for await (const rows of pages<ToldRow>(tx, 'told', TOLD, []))
      for (const [bucket, told] of Map.groupBy(rows, ({ report }) => bucketOfReport(report) ?? -1))
        yield* this.invented(tx, bucket, told);
  }

  private async *invented(tx: Transaction, bucket: number, told: readonly ToldRow[]): AsyncIterable<Finding> {
    const ids = [...new Set(told.map(({ id }) => id))];
    const known = await this.store.known(tx, bucket, 'report', ids);
    for (const { endpoint, id, name, farm, report } of told) {
      const event = known.get(id);
      const same = event?.streamId === report && event.tenantId === farm;
      if (!same || TOLD_AS[event.type as keyof typeof TOLD_AS] !== name)
        yield {
          kind: 'webhooks/without-event',
          subject: `${endpoint} ${id}`,
          detail: `tells of ${name} of ${report}, which the log does not hold`,
        };
    }
  }
}

/** Messages that wait, and whose very next attempt no job will make. */
async function* abandoned(tx: Transaction): AsyncIterable<Finding> {
  const nameOf = ({ endpointId, eventId, turn, tries }: PlannedAttempt) =>
    `${endpointId} ${eventId} ${turn} ${tries}`;
  for await (const rows of pages<PlannedAttempt>(tx, 'pending', PENDING, [])) {
    const ids = rows.map(({ eventId }) => eventId);
    const jobs = await liveJobsOf<PlannedAttempt>(tx, DELIVERING, 'eventId', ids);
    const planned = new Set(jobs.map(nameOf));
    for (const row of rows)
      if (!planned.has(nameOf(row)))
        yield {
          kind: 'webhooks/job-missing',
          subject: `${row.endpointId} ${row.eventId}`,
          detail: 'is neither delivered nor given up, and no job will send it',
        };
  }
}

async function* miscounted(tx: Transaction): AsyncIterable<Finding> {
  const miscounts = pages<{ endpoint: string; id: string; status: string; attempts: number; noted: number }>(
    tx,
    'miscounted',
    MISCOUNTED,
    [],
  );
  for await (const rows of miscounts)
    for (const { endpoint, id, status, attempts, noted } of rows)
      yield {
        kind: 'webhooks/attempts',
        subject: `${endpoint} ${id}`,
        detail: `is ${status} after ${attempts} attempts, the log has ${noted} that do not lead there`,
      };
}
