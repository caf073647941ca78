import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit, type AuditedBucket, type AuditRule, type Finding } from '../audit/index.js';
import { liveJobsOf } from '../database/index.js';
import { ERASED_EVENT, EventStore } from '../event-store/index.js';
import type { ReportEvent } from '../reports/index.js';
import { GENERATE, type GenerationJob } from './generation-queue.js';

const ENDED: readonly ReportEvent['type'][] = ['ReportCompleted', 'ReportCancelled'];
const FAILED: readonly ReportEvent['type'][] = ['ReportGenerationFailed'];

/** A report that has not ended has a job that will end it. */
@Injectable()
export class JobAudit implements AuditRule, OnModuleInit {
  readonly name = 'jobs';

  constructor(
    private readonly audit: Audit,
    private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.audit.add(this);
  }

  async *inspect({ tx, bucket, farm }: AuditedBucket): AsyncIterable<Finding> {
    const without = this.store.streamsWithout(tx, bucket, 'report', [...ENDED, ERASED_EVENT], farm);
    for await (const ids of without) {
      const failures = await this.store.readStreams(tx, bucket, ids, FAILED);
      const ended = failures.filter(({ event }) => !(event as { retrying?: boolean }).retrying);
      const settled = new Set(ended.map(({ streamId }) => streamId));
      const open = ids.filter((id) => !settled.has(id));
      const jobs = await liveJobsOf<GenerationJob>(tx, [GENERATE], 'reportId', open);
      const owned = new Set(jobs.map(({ reportId }) => reportId));
      for (const subject of open)
        if (!owned.has(subject))
          yield { kind: 'jobs/missing', subject, detail: 'has not ended, and no job will end it' };
    }
  }
}
