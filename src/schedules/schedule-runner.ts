import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CommandBus, EventBus, QueryBus } from '@nestjs/cqrs';
import { FindPrincipal, type Principal, reaches } from '../auth/index.js';
import { Config } from '../config.js';
import { Database } from '../database/index.js';
import { type Farm, FindFarm } from '../farm-records/index.js';
import { ListReportTypes, RequestReport } from '../reports/index.js';
import { ReportScheduleRan } from './messages.js';
import { countDues, type Due, dueAfter, latestDue } from './rhythm.js';
import type { ReportSchedule } from './schedule.js';
import { advance, dueSchedules, insertRun, postpone, stop } from './schedule-rows.js';

const LOOK_EVERY_MS = 2_000;
const LOOK_AGAIN_MS = 60_000;
const BATCH = 50;

/** Another process has run it, or somebody has changed it. */
class MovedOn extends Error {}

/** Why a schedule cannot go on, in words for whoever reads it. */
class CannotGoOn extends Error {}

/**
 * Asks for the reports of schedules that are due. Any number of processes look; the report, the note of its run and the next
 * due instant are one transaction, in which each period has one run. Only where ROLE has a worker.
 */
@Injectable()
export class ScheduleRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('ScheduleRunner');
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly events: EventBus,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.ROLE === 'api') return;
    this.look();
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  private look(): void {
    this.looking ??= this.runDue(Date.now())
      .catch((error: unknown) => this.log.warn({ err: error }, 'schedules could not be looked at'))
      .finally(() => (this.looking = undefined));
  }

  /** Runs what is due at `now`, in Unix milliseconds. */
  async runDue(now: number): Promise<void> {
    for (let looked = BATCH; looked === BATCH;) {
      const due = await dueSchedules(this.database, now, BATCH);
      looked = due.length;
      for (const schedule of due) await this.run(schedule, now);
    }
  }

  private async run(schedule: ReportSchedule, now: number): Promise<void> {
    try {
      await this.request(schedule, now);
    } catch (error) {
      if (error instanceof MovedOn) return;
      if (error instanceof CannotGoOn) return this.stop(schedule, error.message);
      this.log.warn({ err: error, schedule: schedule.id }, 'a scheduled report could not be asked for');
      this.events.publish(new ReportScheduleRan('failed', 0));
      await postpone(this.database, schedule, now + LOOK_AGAIN_MS);
    }
  }

  /** The latest period that fell due, however many did: those before it are left out. */
  private async request(schedule: ReportSchedule, now: number): Promise<void> {
    const { principal, farm } = await this.ground(schedule);
    const due = latestDue(schedule, farm, now);
    const next = dueAfter(schedule, farm, now);
    // The farm's zone or financial year changed: nothing of this schedule is due yet.
    if (due.at < schedule.activeSince) {
      await advance(this.database, schedule, next);
      return;
    }
    const missed = countDues(schedule, farm, schedule.nextDueDate, due.at);
    const caller = { principal, requestId: schedule.id };
    const request = requestFor(schedule, due, farm);
    const command = new RequestReport(caller, request, now, 'no-cache', undefined, async (tx, reportId) => {
      if (!(await advance(tx, schedule, next))) throw new MovedOn();
      const { start, end, at: dueDate } = due;
      const run = { period: { start, end }, dueDate, runDate: now, missed, reportId };
      if (!(await insertRun(tx, schedule, run))) throw new AlreadyRun();
    });
    try {
      await this.commands.execute(command);
      this.events.publish(new ReportScheduleRan('requested', missed));
    } catch (error) {
      if (!(error instanceof AlreadyRun)) throw error;
      await advance(this.database, schedule, next);
    }
  }

  /** What a run stands on, as it is now. */
  private async ground({
    owner,
    tenantId,
    type,
  }: ReportSchedule): Promise<{ principal: Principal; farm: Farm }> {
    const principal = await this.queries.execute(new FindPrincipal(owner, 'write:reports'));
    if (!principal) throw new CannotGoOn('the credential that it is for has ended');
    if (!reaches(principal, tenantId))
      throw new CannotGoOn('the credential that it is for does not reach the farm any more');
    const farm = await this.queries.execute(new FindFarm(tenantId));
    if (!farm) throw new CannotGoOn('there is no such farm any more');
    const types = await this.queries.execute(new ListReportTypes());
    if (!types.some((known) => known.type === type))
      throw new CannotGoOn('there is no such report type any more');
    return { principal, farm };
  }

  private async stop(schedule: ReportSchedule, reason: string): Promise<void> {
    if (!(await stop(this.database, schedule, reason))) return;
    this.log.log({ schedule: schedule.id, reason }, 'a schedule was stopped');
    this.events.publish(new ReportScheduleRan('stopped', 0));
  }
}

/** The period has been run under another rhythm or an earlier setting of the farm. */
class AlreadyRun extends Error {}

/** As known clients ask: the midnights that begin the first and the last day. */
function requestFor({ type, tenantId }: ReportSchedule, { start, end }: Due, { timeZone }: Farm) {
  const midnight = (day: string): number =>
    Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds;
  return {
    type,
    tenantType: 'farm' as const,
    tenantId,
    reportingPeriodStart: midnight(start),
    reportingPeriodEnd: midnight(end),
  };
}
