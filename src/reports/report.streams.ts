import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
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

/** Reads a report's stream, decides and appends, in one transaction; again when another writer was faster. */
@Injectable()
export class ReportStreams {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
  ) {}

  async change(reportId: string, command: ReportDecision, meta: EventMeta): Promise<Change> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.database.transaction((tx) => this.decideIn(tx, reportId, command, meta));
      } catch (error) {
        if (!(error instanceof VersionConflict) || tries === ATTEMPTS_ON_CONFLICT) throw error;
      }
    }
  }

  private async decideIn(
    tx: Transaction,
    reportId: string,
    command: ReportDecision,
    meta: EventMeta,
  ): Promise<Change> {
    const history = await this.history(reportId, tx);
    const report = history.map(({ event }) => event).reduce(evolve, initialReport);
    const events = decide(command, report);
    const last = history.at(-1);
    if (last && events.length > 0) {
      const { bucket, tenantId, streamType, streamId } = last;
      const appended = events.map((event) => ({ id: randomUUIDv7(), event }));
      await this.store.append(tx, { bucket, tenantId, streamType, streamId }, last.version, appended, meta);
    }
    return { report, events };
  }

  async history(reportId: string, tx?: Transaction): Promise<RecordedEvent<ReportEvent>[]> {
    const bucket = bucketOfReport(reportId);
    if (bucket === undefined) return [];
    return (await this.store.read({ bucket, streamId: reportId }, tx)) as RecordedEvent<ReportEvent>[];
  }
}
