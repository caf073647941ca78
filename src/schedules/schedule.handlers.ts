import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryBus,
  QueryHandler,
} from '@nestjs/cqrs';
import { type Principal, reaches } from '../auth/index.js';
import { Database, type Sql } from '../database/index.js';
import { FindFarm } from '../farm-records/index.js';
import { ListReportTypes } from '../reports/index.js';
import {
  ChangeReportSchedule,
  CreateReportSchedule,
  FarmNotReached,
  FindReportSchedule,
  ListReportSchedules,
  ListScheduleRuns,
  RemoveReportSchedule,
  TooManySchedules,
  UnknownReportType,
} from './messages.js';
import { dueAfter, type FarmDays, type Rhythm } from './rhythm.js';
import type { ReportSchedule, ScheduleRun } from './schedule.js';
import {
  findSchedule,
  insertSchedule,
  listRuns,
  listSchedules,
  newScheduleId,
  removeSchedule,
  saveSchedule,
} from './schedule-rows.js';

const MOST_SCHEDULES = 100;

@CommandHandler(CreateReportSchedule)
export class CreateReportScheduleHandler implements ICommandHandler<CreateReportSchedule> {
  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
  ) {}

  async execute({ principal, settings, at }: CreateReportSchedule): Promise<ReportSchedule> {
    const { type, tenantId, enabled, ...rhythm } = settings;
    const types = await this.queries.execute(new ListReportTypes());
    if (!types.some((known) => known.type === type))
      throw new UnknownReportType(types.map((known) => known.type));
    const reached = !tenantId.includes('\0') && reaches(principal, tenantId);
    const farm = reached && (await this.queries.execute(new FindFarm(tenantId)));
    if (!farm) throw new FarmNotReached();
    const schedule: ReportSchedule = {
      id: newScheduleId(tenantId),
      owner: principal.id,
      type,
      tenantType: 'farm',
      tenantId,
      ...rhythm,
      enabled,
      ...beginning(rhythm, farm, at),
      creationDate: at,
      lastModifiedDate: at,
    };
    const added = await this.database.transaction((tx) => insertSchedule(tx, schedule, MOST_SCHEDULES));
    if (!added) throw new TooManySchedules(MOST_SCHEDULES);
    return schedule;
  }
}

@CommandHandler(ChangeReportSchedule)
export class ChangeReportScheduleHandler implements ICommandHandler<ChangeReportSchedule> {
  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
  ) {}

  async execute({ principal, id, changes, at }: ChangeReportSchedule): Promise<ReportSchedule | undefined> {
    const found = await seen(this.database, principal, id);
    const farm = found && (await this.queries.execute(new FindFarm(found.tenantId)));
    if (!farm) return undefined;
    const { stopped: _, ...going } = found;
    const rhythm = { ...going, ...changes };
    const changed = {
      ...rhythm,
      ...beginning(rhythm, farm, at),
      owner: principal.id,
      lastModifiedDate: Math.max(at, found.lastModifiedDate + 1),
    };
    return (await saveSchedule(this.database, changed)) ? changed : undefined;
  }
}

/** From `at` on. */
function beginning(
  rhythm: Rhythm,
  farm: FarmDays,
  at: number,
): Pick<ReportSchedule, 'activeSince' | 'nextDueDate' | 'nextPeriod'> {
  const { at: nextDueDate, start, end } = dueAfter(rhythm, farm, at);
  return { activeSince: at, nextDueDate, nextPeriod: { start, end } };
}

/** A schedule of a farm within reach. */
async function seen(sql: Sql, principal: Principal, id: string): Promise<ReportSchedule | undefined> {
  const schedule = await findSchedule(sql, id);
  return schedule && reaches(principal, schedule.tenantId) ? schedule : undefined;
}

@CommandHandler(RemoveReportSchedule)
export class RemoveReportScheduleHandler implements ICommandHandler<RemoveReportSchedule> {
  constructor(private readonly database: Database) {}

  async execute({ principal, id }: RemoveReportSchedule): Promise<boolean> {
    const schedule = await seen(this.database, principal, id);
    return schedule !== undefined && removeSchedule(this.database, schedule);
  }
}

@QueryHandler(FindReportSchedule)
export class FindReportScheduleHandler implements IQueryHandler<FindReportSchedule> {
  constructor(private readonly database: Database) {}

  execute({ principal, id }: FindReportSchedule): Promise<ReportSchedule | undefined> {
    return seen(this.database, principal, id);
  }
}

@QueryHandler(ListReportSchedules)
export class ListReportSchedulesHandler implements IQueryHandler<ListReportSchedules> {
  constructor(private readonly database: Database) {}

  async execute({
    principal,
    limit,
    after,
    tenantId,
  }: ListReportSchedules): Promise<readonly ReportSchedule[]> {
    if (tenantId === undefined) return listSchedules(this.database, principal.farms, limit, after);
    if (!reaches(principal, tenantId)) return [];
    return listSchedules(this.database, new Set([tenantId]), limit, after);
  }
}

@QueryHandler(ListScheduleRuns)
export class ListScheduleRunsHandler implements IQueryHandler<ListScheduleRuns> {
  constructor(private readonly database: Database) {}

  async execute({
    principal,
    id,
    limit,
    before,
  }: ListScheduleRuns): Promise<readonly ScheduleRun[] | undefined> {
    const schedule = await seen(this.database, principal, id);
    return schedule && listRuns(this.database, schedule, limit, before);
  }
}
