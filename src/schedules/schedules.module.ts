import { Module } from '@nestjs/common';
import {
  ChangeReportScheduleHandler,
  CreateReportScheduleHandler,
  FindReportScheduleHandler,
  ListReportSchedulesHandler,
  ListScheduleRunsHandler,
  RemoveReportScheduleHandler,
} from './schedule.handlers.js';
import { ScheduleRunner } from './schedule-runner.js';
import { SchedulesController } from './schedules.controller.js';

/** Asks for reports after every month, week or financial year. */
@Module({
  controllers: [SchedulesController],
  providers: [
    ScheduleRunner,
    CreateReportScheduleHandler,
    ChangeReportScheduleHandler,
    RemoveReportScheduleHandler,
    FindReportScheduleHandler,
    ListReportSchedulesHandler,
    ListScheduleRunsHandler,
  ],
})
export class SchedulesModule {}
