import { Module } from '@nestjs/common';
import { ErasureModule } from '../erasure/index.js';
import { ScheduleEraser } from './schedule-eraser.js';
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
  imports: [ErasureModule],
  controllers: [SchedulesController],
  providers: [
    ScheduleRunner,
    ScheduleEraser,
    CreateReportScheduleHandler,
    ChangeReportScheduleHandler,
    RemoveReportScheduleHandler,
    FindReportScheduleHandler,
    ListReportSchedulesHandler,
    ListScheduleRunsHandler,
  ],
})
export class SchedulesModule {}
