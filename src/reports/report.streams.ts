import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type EventMeta, EventStore, type RecordedEvent, VersionConflict } from '../event-store/index.js';
import {
  decide,
  evolve,
  initialReport,
  type Report,
  type ReportDecision,
  type ReportEvent,
} from './report.js';
import { bucketOfReport } from './report-id.js';

const ATTEMPTS_ON_CONFLICT = 10;

/** What a change led to: the report before it and the events that were appended. */
interface Change {
  readonly report: Report;
  readonly events: readonly ReportEvent[];
}

/** Reads a report's stream, decides and appends what was decided; again when another writer was faster. */
@Injectable()
export class ReportStreams {
  constructor(private readonly store: EventStore) {}

  /** Throws ReportRefused when the report's rules say no. */
  async change(reportId: string, command: ReportDecision, meta: EventMeta): Promise<Change> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.changeOnce(reportId, command, meta);
      } catch (error) {
        if (!(error instanceof VersionConflict) || tries === ATTEMPTS_ON_CONFLICT) throw error;
      }
    }
  }

  private async changeOnce(reportId: string, command: ReportDecision, meta: EventMeta): Promise<Change> {
    const history = await this.history(reportId);
    const report = history.map(({ event }) => event).reduce(evolve, initialReport);
    const events = decide(command, report);
    const last = history.at(-1);
    if (last && events.length > 0) {
      const { bucket, tenantId, streamType, streamId } = last;
      const appended = events.map((event) => ({ id: randomUUIDv7(), event }));
      await this.store.appendAlone({ bucket, tenantId, streamType, streamId }, last.version, appended, meta);
    }
    return { report, events };
  }

  async history(reportId: string): Promise<RecordedEvent<ReportEvent>[]> {
    const bucket = bucketOfReport(reportId);
    if (bucket === undefined) return [];
    return (await this.store.read({ bucket, streamId: reportId })) as RecordedEvent<ReportEvent>[];
  }
}
