export * from './messages.js';
export { PERIODS } from './rhythm.js';
export type { ReportSchedule } from './schedule.js';
export { SchedulesModule } from './schedules.module.js';
