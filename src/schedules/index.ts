export * from './messages.js';
export { PERIODS } from './rhythm.js';
export type { ReportSchedule, ScheduleRun } from './schedule.js';
export { SchedulesModule } from './schedules.module.js';
