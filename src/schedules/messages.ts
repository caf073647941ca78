import { Command, Query } from '@nestjs/cqrs';
import type { Principal } from '../auth/principal.js';
import type { Rhythm } from './rhythm.js';
import type { ReportSchedule, ScheduleRun } from './schedule.js';

export interface ScheduleSettings extends Rhythm {
  readonly type: string;
  readonly tenantId: string;
  readonly enabled: boolean;
}

export type ScheduleChanges = Partial<Rhythm & { readonly enabled: boolean }>;

/**
 * Has a report made again and again for `principal`, from the first due instant after `at` on. Throws FarmNotReached,
 * UnknownReportType, or TooManySchedules. Unix milliseconds.
 */
export class CreateReportSchedule extends Command<ReportSchedule> {
  constructor(
    readonly principal: Principal,
    readonly settings: ScheduleSettings,
    readonly at: number,
  ) {
    super();
  }
}

/**
 * Changes a schedule of a farm that `principal` reaches, and makes it theirs: later reports are made for them. What fell due
 * before is not made up for. Answers undefined when they see no such schedule.
 */
export class ChangeReportSchedule extends Command<ReportSchedule | undefined> {
  constructor(
    readonly principal: Principal,
    readonly id: string,
    readonly changes: ScheduleChanges,
    readonly at: number,
  ) {
    super();
  }
}

/** Removes a schedule with its history; its reports stay. Answers false when `principal` sees no such schedule. */
export class RemoveReportSchedule extends Command<boolean> {
  constructor(
    readonly principal: Principal,
    readonly id: string,
  ) {
    super();
  }
}

export class FindReportSchedule extends Query<ReportSchedule | undefined> {
  constructor(
    readonly principal: Principal,
    readonly id: string,
  ) {
    super();
  }
}

/** Up to `limit` schedules of the farms that `principal` reaches, or of one, by their ids. */
export class ListReportSchedules extends Query<readonly ReportSchedule[]> {
  constructor(
    readonly principal: Principal,
    readonly limit: number,
    readonly after = '',
    readonly tenantId?: string,
  ) {
    super();
  }
}

/** Up to `limit` runs of a schedule, the last first, before one period; undefined when `principal` sees no such schedule. */
export class ListScheduleRuns extends Query<readonly ScheduleRun[] | undefined> {
  constructor(
    readonly principal: Principal,
    readonly id: string,
    readonly limit: number,
    /** Run date and start of the period of the run that the page before ended with. */
    readonly before?: readonly [number, string],
  ) {
    super();
  }
}

/** A schedule was looked at because it was due. For counting. */
export class ReportScheduleRan {
  constructor(
    readonly outcome: 'requested' | 'stopped' | 'failed',
    readonly missed: number,
  ) {}
}

/** There is no such farm, or the caller does not reach it. */
export class FarmNotReached extends Error {}

export class UnknownReportType extends Error {
  constructor(readonly known: readonly string[]) {
    super(`known types: ${known.join(', ')}`);
  }
}

/** The farm has as many schedules as one may have. */
export class TooManySchedules extends Error {
  constructor(readonly most: number) {
    super(`a farm has up to ${most} schedules`);
  }
}
