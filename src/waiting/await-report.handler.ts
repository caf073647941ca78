import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { Draining } from '../operations/health/draining.js';
import {
  AwaitReport,
  bucketOfReport,
  endsReport,
  FindReport,
  isTerminal,
  type ReportRecord,
} from '../reports/index.js';
import { ReportFeed, type Stretch } from './report-feed.js';

/** Holds an answer back until its report has ended. Nothing but a listener in memory waits. */
@QueryHandler(AwaitReport)
export class AwaitReportHandler implements IQueryHandler<AwaitReport> {
  constructor(
    private readonly feed: ReportFeed,
    private readonly queries: QueryBus,
    private readonly draining: Draining,
  ) {}

  async execute(asked: AwaitReport): Promise<ReportRecord | undefined> {
    const { principal, reportId, milliseconds, left } = asked;
    const look = (): Promise<ReportRecord | undefined> =>
      this.queries.execute(new FindReport(principal, reportId));
    const bucket = bucketOfReport(reportId);
    const enough = [left, this.draining.signal];
    if (bucket === undefined || enough.some(({ aborted }) => aborted)) return look();
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    const timer = setTimeout(end, milliseconds);
    for (const signal of enough) signal.addEventListener('abort', end);
    const stop = this.feed.follow([bucket], (stretch) => {
      if (ends(reportId, stretch)) end();
      // The feed begins with this bucket here: the report may have ended just before.
      else if (stretch.after === stretch.through) void look().then((record) => endIfOver(record, end), end);
    });
    try {
      const record = await look();
      if (!record || isTerminal(record)) return record;
      await over;
      return await look();
    } finally {
      stop();
      clearTimeout(timer);
      for (const signal of enough) signal.removeEventListener('abort', end);
    }
  }
}

function ends(reportId: string, { events }: Stretch): boolean {
  return events.some(({ streamId, event }) => streamId === reportId && endsReport(event));
}

function endIfOver(record: ReportRecord | undefined, end: () => void): void {
  if (!record || isTerminal(record)) end();
}
