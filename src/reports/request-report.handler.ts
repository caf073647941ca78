import { hash, randomUUIDv7 } from 'node:crypto';
import { CommandHandler, EventBus, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { reaches } from '../auth/principal.js';
import { Database, type Transaction } from '../database/database.js';
import { EventStore } from '../event-store/index.js';
import { FindFarm } from '../farm-records/index.js';
import { recallAnswer, rememberAnswer, type RememberedAnswer } from './idempotency.js';
import {
  DecideReuse,
  type ReportRecord,
  type RequestedReport,
  ReportRequestAnswered,
  RequestReport,
  type ReuseDecision,
} from './messages.js';
import { readPeriod } from './period.js';
import { decide, initialReport, type ReportRequested } from './report.js';
import { newReportId, reportStream } from './report-id.js';
import { ReportTypes } from './report-types.js';
import { ReportUses } from './report-uses.js';
import { ReportView } from './report.view.js';

/** The farm does not exist or lies outside the caller's reach; which of the two is not said. */
export class FarmNotAccessible extends Error {}

/** `only-if-cached` and nothing fits. */
export class NothingReusable extends Error {
  constructor(readonly cacheStatus: string) {
    super('no report of this request may be reused');
  }
}

/** Makes a report, or finds the one that already answers the same request. */
@CommandHandler(RequestReport)
export class RequestReportHandler implements ICommandHandler<RequestReport> {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly view: ReportView,
    private readonly queries: QueryBus,
    private readonly types: ReportTypes,
    private readonly uses: ReportUses,
    private readonly events: EventBus,
  ) {}

  async execute(command: RequestReport): Promise<RequestedReport> {
    if (!reaches(command.caller.principal, command.request.tenantId)) throw new FarmNotAccessible();
    const answered = await this.answer(command);
    const { record, created, replayed, cacheStatus } = answered;
    const joined = cacheStatus.includes('collapsed') ? 'joined' : 'reused';
    const outcome = created && !replayed ? 'new' : joined;
    this.events.publish(
      new ReportRequestAnswered(record.type, outcome, this.types.find(record.type)?.deprecated ?? false),
    );
    return answered;
  }

  private async answer(command: RequestReport): Promise<RequestedReport & { replayed?: true }> {
    if (command.idempotencyKey === undefined && !command.alongside) {
      const reuse = await this.reuse(command);
      if (reuse.reuse) return this.reused(command, reuse);
    }
    const draft = await this.draft(command);
    const made = await this.database.transaction((tx) => this.make(command, draft, tx));
    return made.created ? made : this.reused(command, made.reuse);
  }

  /** Under the lock of the request: recalls, joins or creates. */
  private async make(command: RequestReport, draft: Draft, tx: Transaction): Promise<Made> {
    const { caller, idempotencyKey } = command;
    const attempt = idempotencyKey && {
      credential: caller.principal.id,
      key: idempotencyKey,
      fingerprint: fingerprint(command),
    };
    const earlier = attempt && (await recallAnswer(tx, attempt, command.arrivedAt));
    if (earlier) return this.again(earlier, command, tx);
    const reuse = await this.reuse(command, tx);
    if (!reuse.reuse && !reuse.mayCreate) throw new NothingReusable(reuse.cacheStatus);
    const reportId = reuse.reuse ? reuse.reportId : newReportId(command.request.tenantId);
    if (attempt) await rememberAnswer(tx, attempt, { reportId, created: !reuse.reuse }, command.arrivedAt);
    await command.alongside?.(tx, reportId);
    return reuse.reuse ? { created: false, reuse } : this.create(reportId, command, draft, reuse, tx);
  }

  private async again(earlier: RememberedAnswer, command: RequestReport, tx: Transaction): Promise<Made> {
    const record = await this.view.find(earlier.reportId, tx);
    if (!record) throw new Error('an answered report has no record');
    const ageSeconds = Math.max(0, Math.floor((command.arrivedAt - record.creationDate) / 1000));
    if (earlier.created)
      return { created: true, replayed: true, record, cacheStatus: 'reports; fwd=request; stored' };
    return {
      created: false,
      reuse: {
        reuse: true,
        reportId: record.id,
        completed: record.status === 'completed',
        ageSeconds,
        cacheStatus: 'reports; hit',
      },
    };
  }

  /** What the new report would be; read before the transaction, which then needs one connection only. */
  private async draft({ request, caller }: RequestReport): Promise<Draft> {
    const storable = !request.tenantId.includes('\0');
    const farm = storable && (await this.queries.execute(new FindFarm(request.tenantId)));
    if (!farm) throw new FarmNotAccessible();
    const { generator, notices } = this.types.resolve(request.type);
    const { reportingPeriodStart, reportingPeriodEnd } = request;
    const { period, warnings } = readPeriod(reportingPeriodStart, reportingPeriodEnd, farm.timeZone);
    return {
      request,
      generator,
      period,
      warnings: [...warnings, ...notices],
      requestedBy: caller.principal.id,
    };
  }

  /** Appends last of all: from then to the commit, the other appends of the bucket wait. */
  private async create(
    id: string,
    { caller, request }: RequestReport,
    draft: Draft,
    reuse: NoReuse,
    tx: Transaction,
  ): Promise<Made> {
    const at = Date.now();
    const decided = decide({ do: 'request', ...draft, reusable: reuse.reusable, at }, initialReport);
    const events = decided.map((event) => ({ id: randomUUIDv7(), event }));
    const meta = { actor: caller.principal.id, correlationId: caller.requestId };
    await this.store.append(tx, reportStream(id, request.tenantId), 0, events, meta);
    const { period, warnings } = draft;
    const dates = { creationDate: at, lastModifiedDate: at };
    const record = { id, ...request, status: 'pending', ...dates, period, warnings } as const;
    return { created: true, record, cacheStatus: reuse.cacheStatus };
  }

  private reuse(
    { request, cacheControl, arrivedAt }: RequestReport,
    tx?: Transaction,
  ): Promise<ReuseDecision> {
    return this.queries.execute(new DecideReuse(request, cacheControl, arrivedAt, tx));
  }

  private async reused({ caller }: RequestReport, reuse: Reusable): Promise<RequestedReport> {
    const { reportId, completed } = reuse;
    const record = await (completed ? this.view.findCompleted(reportId) : this.view.findShared(reportId));
    if (!record) throw new Error('a reusable report has no record');
    await this.uses.noteReuse(caller, reportId, reuse.cacheStatus);
    return { record, created: false, cacheStatus: reuse.cacheStatus, ageSeconds: reuse.ageSeconds };
  }
}

type Reusable = Extract<ReuseDecision, { reuse: true }>;
type NoReuse = Extract<ReuseDecision, { reuse: false }>;

type Draft = Omit<ReportRequested, 'type' | 'reusable' | 'at'>;

type Made =
  | {
      readonly created: true;
      readonly record: ReportRecord;
      readonly cacheStatus: string;
      /** The answer to an earlier request with the same Idempotency-Key, once more. */
      readonly replayed?: true;
    }
  | { readonly created: false; readonly reuse: Reusable };

/** The same body, whatever its spelling. */
function fingerprint({ request }: RequestReport): Buffer {
  return hash('sha256', JSON.stringify(Object.entries(request).sort()), 'buffer');
}
