import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type EventMeta, EventStore, type InlineContext, type StreamRef } from '../event-store/index.js';
import type {
  ReportCompleted,
  ReportExpired,
  ReportGenerationFailed,
  ReportRequested,
} from '../reports/index.js';
import { type GenerationJob, GenerationQueue } from './generation-queue.js';
import { PostgresArtifacts } from './postgres-artifacts.js';

const LONGEST_BACK_OFF_SECONDS = 60;

/** Keeps jobs and contents true to a report's events, in the transaction that appends them. */
@Injectable()
export class GenerationProjections implements OnModuleInit {
  constructor(
    private readonly store: EventStore,
    private readonly queue: GenerationQueue,
    private readonly artifacts: PostgresArtifacts,
  ) {}

  onModuleInit(): void {
    this.store.inline<ReportRequested>(['ReportRequested'], (_, { tx, stream, meta }) =>
      this.queue.enqueue(tx, stream.tenantId, jobOf(stream, meta)),
    );
    this.store.inline<ReportGenerationFailed>(['ReportGenerationFailed'], (event, context) =>
      this.again(event, context),
    );
    this.store.inline<ReportCompleted>(['ReportCompleted'], ({ attempt }, { tx, stream }) =>
      this.artifacts.publish(tx, { bucket: stream.bucket, reportId: stream.streamId, attempt }),
    );
    this.store.inline<ReportExpired>(['ReportExpired'], (_, { tx, stream }) =>
      this.artifacts.remove(tx, stream.bucket, stream.streamId),
    );
  }

  private async again(
    { attempt, retrying }: ReportGenerationFailed,
    { tx, stream, meta }: InlineContext,
  ): Promise<void> {
    if (!retrying) return;
    const backOffSeconds = Math.min(2 ** (attempt - 1), LONGEST_BACK_OFF_SECONDS);
    await this.queue.enqueueAgain(tx, stream.tenantId, jobOf(stream, meta), backOffSeconds);
  }
}

function jobOf({ streamId: reportId }: StreamRef, { traceparent }: EventMeta): GenerationJob {
  return { reportId, ...(traceparent !== undefined && { traceparent }) };
}
