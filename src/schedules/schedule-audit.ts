import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit, type AuditedBucket, type AuditRule, type Finding, pages } from '../audit/index.js';
import { bucketOf, EventStore } from '../event-store/index.js';
import { faultOf } from './rhythm.js';
import { pagesOfSchedules } from './schedule-rows.js';

/** Workers look again a minute after a failure; their clocks may differ from this one. */
const PATIENCE_MS = 3_600_000;

const RUNS = `
SELECT run.report_id AS report, run.schedule_id AS schedule, schedule.tenant_id AS farm
  FROM report_schedule_run run JOIN report_schedule schedule ON schedule.bucket = $1::smallint AND schedule.schedule_id = run.schedule_id
 WHERE run.bucket = $1::smallint AND ($2::text IS NULL OR schedule.tenant_id = $2)`;

/** Every schedule that is on has a next run that its rhythm allows and that workers will come to, and every run made a report. */
@Injectable()
export class ScheduleAudit implements AuditRule, OnModuleInit {
  readonly name = 'schedules';

  constructor(
    private readonly audit: Audit,
    private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.audit.add(this);
  }

  async *inspect(audited: AuditedBucket): AsyncIterable<Finding> {
    yield* nextRuns(audited);
    yield* this.runs(audited);
  }

  private async *runs({ tx, bucket, farm }: AuditedBucket): AsyncIterable<Finding> {
    const runs = pages<{ report: string; schedule: string; farm: string }>(tx, 'schedule_runs', RUNS, [
      bucket,
      farm ?? null,
    ]);
    for await (const rows of runs) {
      const ids = rows.map(({ report }) => report);
      const requested = await this.store.readStreams(tx, bucket, ids, ['ReportRequested']);
      const farms = new Map(requested.map(({ streamId, tenantId }) => [streamId, tenantId]));
      for (const { report, schedule: subject, farm: ofFarm } of rows)
        if (farms.get(report) !== ofFarm)
          yield {
            kind: 'schedules/run-without-report',
            subject,
            detail: `says that it made ${report}, and its farm has no such report`,
          };
    }
  }
}

async function* nextRuns({ tx, bucket, farm }: AuditedBucket): AsyncIterable<Finding> {
  const now = Date.now();
  for await (const schedules of pagesOfSchedules(tx, bucket, farm))
    for (const { schedule, lookAt } of schedules) {
      const { id: subject, tenantId, enabled, nextDueDate } = schedule;
      if (bucketOf(tenantId) !== bucket)
        yield { kind: 'schedules/bucket', subject, detail: `its farm has its bucket ${bucketOf(tenantId)}` };
      if (!enabled) continue;
      const late = lookAt < nextDueDate || lookAt > Math.max(nextDueDate, now) + PATIENCE_MS;
      const fault = late
        ? `is due at ${at(nextDueDate)} and looked at at ${at(lookAt)}`
        : faultOf(schedule, { at: nextDueDate, ...schedule.nextPeriod }, now);
      if (fault !== undefined) yield { kind: 'schedules/next-run', subject, detail: fault };
    }
}

function at(instant: number): string {
  return new Date(instant).toISOString();
}
