import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryBus,
  QueryHandler,
} from '@nestjs/cqrs';
import { reaches } from '../auth/principal.js';
import { lifecycleEvent } from './lifecycle.js';
import {
  CancelReport,
  CompleteGeneration,
  CountUnfinishedReports,
  ExpireReport,
  FailGeneration,
  FindNewestReport,
  FindReport,
  type GenerationAttempt,
  type LifecycleEvent,
  ListReports,
  NoteProgress,
  ReadReportEvents,
  type ReportRecord,
  StartGeneration,
  type UnfinishedReports,
} from './messages.js';
import { ReportRefused } from './report.js';
import { ReportStreams } from './report.streams.js';
import { ReportView } from './report.view.js';

@CommandHandler(StartGeneration)
export class StartGenerationHandler implements ICommandHandler<StartGeneration> {
  constructor(private readonly streams: ReportStreams) {}

  async execute({ reportId }: StartGeneration): Promise<GenerationAttempt | undefined> {
    const change = await unlessRefused(
      this.streams.change(reportId, { do: 'start', at: Date.now() }, { actor: 'worker' }),
    );
    const started = change?.events[0];
    if (!change || started?.type !== 'ReportGenerationStarted' || change.report.status === 'unknown')
      return undefined;
    const { request, generator, period, at: requestedAt } = change.report.requested;
    const recovered = change.report.status === 'processing' && change.report.running;
    return { reportId, attempt: started.attempt, request, generator, period, requestedAt, recovered };
  }
}

@CommandHandler(NoteProgress)
export class NoteProgressHandler implements ICommandHandler<NoteProgress> {
  constructor(private readonly view: ReportView) {}

  execute({ reportId, attempt, rows }: NoteProgress): Promise<void> {
    return this.view.noteProgress(reportId, attempt, rows);
  }
}

@CommandHandler(CompleteGeneration)
export class CompleteGenerationHandler implements ICommandHandler<CompleteGeneration> {
  constructor(private readonly streams: ReportStreams) {}

  async execute({ reportId, attempt, manifest }: CompleteGeneration): Promise<boolean> {
    const command = { do: 'complete', attempt, manifest, at: Date.now() } as const;
    return (await unlessRefused(this.streams.change(reportId, command, { actor: 'worker' }))) !== undefined;
  }
}

@CommandHandler(FailGeneration)
export class FailGenerationHandler implements ICommandHandler<FailGeneration> {
  constructor(private readonly streams: ReportStreams) {}

  async execute({ reportId, attempt, reason, retrying }: FailGeneration): Promise<boolean> {
    const command = { do: 'fail', attempt, reason, retrying, at: Date.now() } as const;
    return (await unlessRefused(this.streams.change(reportId, command, { actor: 'worker' }))) !== undefined;
  }
}

@CommandHandler(ExpireReport)
export class ExpireReportHandler implements ICommandHandler<ExpireReport> {
  constructor(private readonly streams: ReportStreams) {}

  async execute({ reportId }: ExpireReport): Promise<void> {
    await unlessRefused(
      this.streams.change(reportId, { do: 'expire', at: Date.now() }, { actor: 'retention' }),
    );
  }
}

@CommandHandler(CancelReport)
export class CancelReportHandler implements ICommandHandler<CancelReport> {
  constructor(
    private readonly streams: ReportStreams,
    private readonly view: ReportView,
  ) {}

  async execute({ caller, reportId }: CancelReport): Promise<ReportRecord> {
    const by = caller.principal.id;
    await this.streams.change(
      reportId,
      { do: 'cancel', by, at: Date.now() },
      { actor: by, correlationId: caller.requestId },
    );
    const record = await this.view.find(reportId);
    if (!record) throw new ReportRefused('cancel', 'unknown');
    return record;
  }
}

@QueryHandler(FindReport)
export class FindReportHandler implements IQueryHandler<FindReport> {
  constructor(private readonly view: ReportView) {}

  async execute({ principal, reportId }: FindReport): Promise<ReportRecord | undefined> {
    const record = await this.view.find(reportId);
    return record && reaches(principal, record.tenantId) ? record : undefined;
  }
}

@QueryHandler(CountUnfinishedReports)
export class CountUnfinishedReportsHandler implements IQueryHandler<CountUnfinishedReports> {
  constructor(private readonly view: ReportView) {}

  execute({ sql }: CountUnfinishedReports): Promise<UnfinishedReports> {
    return this.view.countUnfinished(sql);
  }
}

@QueryHandler(FindNewestReport)
export class FindNewestReportHandler implements IQueryHandler<FindNewestReport> {
  constructor(private readonly view: ReportView) {}

  async execute({ principal, request }: FindNewestReport): Promise<ReportRecord | undefined> {
    const { tenantId } = request;
    return reaches(principal, tenantId) && !tenantId.includes('\0') ? this.view.newest(request) : undefined;
  }
}

@QueryHandler(ListReports)
export class ListReportsHandler implements IQueryHandler<ListReports> {
  constructor(private readonly view: ReportView) {}

  async execute({
    principal,
    filter,
    limit,
    after,
  }: ListReports): Promise<{ records: ReportRecord[]; more: boolean }> {
    const found = await this.view.list(principal, filter, limit + 1, after);
    return { records: found.slice(0, limit), more: found.length > limit };
  }
}

@QueryHandler(ReadReportEvents)
export class ReadReportEventsHandler implements IQueryHandler<ReadReportEvents> {
  constructor(
    private readonly streams: ReportStreams,
    private readonly queries: QueryBus,
  ) {}

  async execute({ principal, reportId }: ReadReportEvents): Promise<LifecycleEvent[] | undefined> {
    if (!(await this.queries.execute(new FindReport(principal, reportId)))) return undefined;
    return (await this.streams.history(reportId)).map(lifecycleEvent);
  }
}

async function unlessRefused<T>(change: Promise<T>): Promise<T | undefined> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof ReportRefused) return undefined;
    throw error;
  }
}
