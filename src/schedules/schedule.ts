import type { Rhythm } from './rhythm.js';

/** A report that recurs. Instants in Unix milliseconds, days YYYY-MM-DD. */
export interface ReportSchedule extends Rhythm {
  readonly id: string;
  /** Id of the credential that the reports are made for: the one that made the schedule or changed it last. */
  readonly owner: string;
  readonly type: string;
  readonly tenantType: 'farm';
  readonly tenantId: string;
  readonly enabled: boolean;
  /** Why it was disabled by itself. */
  readonly stopped?: string;
  /** Nothing that fell due before is made up for. */
  readonly activeSince: number;
  /** What is made next, while the schedule is enabled. */
  readonly nextDueDate: number;
  readonly nextPeriod: { readonly start: string; readonly end: string };
  readonly creationDate: number;
  readonly lastModifiedDate: number;
}

/** A report that a schedule made. */
export interface ScheduleRun {
  readonly period: { readonly start: string; readonly end: string };
  readonly dueDate: number;
  readonly runDate: number;
  /** Periods before this one that fell due while no worker ran, and were left out. */
  readonly missed: number;
  readonly reportId: string;
}
