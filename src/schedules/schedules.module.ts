import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { ErasureModule } from '../erasure/index.js';
import { ScheduleAudit } from './schedule-audit.js';
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
  imports: [AuditModule, ErasureModule],
  controllers: [SchedulesController],
  providers: [
    ScheduleRunner,
    ScheduleEraser,
    ScheduleAudit,
    CreateReportScheduleHandler,
    ChangeReportScheduleHandler,
    RemoveReportScheduleHandler,
    FindReportScheduleHandler,
    ListReportSchedulesHandler,
    ListScheduleRunsHandler,
  ],
})
export class SchedulesModule {}
