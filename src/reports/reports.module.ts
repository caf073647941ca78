import { Module } from '@nestjs/common';
import { ErasureModule } from '../erasure/index.js';
import { AuditModule } from '../audit/index.js';
import { ReportEraser } from './report-eraser.js';
import { DownloadController } from './download.controller.js';
import { ReportController } from './report.controller.js';
import { ReportAudit } from './report-audit.js';
import {
  CancelReportHandler,
  CompleteGenerationHandler,
  CountUnfinishedReportsHandler,
  ExpireReportHandler,
  FailGenerationHandler,
  FindReportHandler,
  FindNewestReportHandler,
  ListReportsHandler,
  NoteProgressHandler,
  ReadReportEventsHandler,
  StartGenerationHandler,
} from './report.handlers.js';
import { Outlook } from './outlook.js';
import { ReportDesk } from './report-desk.js';
import { ReportPace } from './report-pace.js';
import { ReportStreams } from './report.streams.js';
import { ReportTypes } from './report-types.js';
import { ReportTypesController } from './report-types.controller.js';
import { ReportUses } from './report-uses.js';
import { ReportView } from './report.view.js';
import { RequestReportHandler } from './request-report.handler.js';
import { RowRecordsController } from './row-records.controller.js';

@Module({
  imports: [ErasureModule, AuditModule],
  controllers: [ReportController, DownloadController, RowRecordsController, ReportTypesController],
  providers: [
    ReportDesk,
    ReportPace,
    Outlook,
    ReportStreams,
    ReportView,
    ReportTypes,
    ReportUses,
    ReportAudit,
    ReportEraser,
    RequestReportHandler,
    CancelReportHandler,
    StartGenerationHandler,
    NoteProgressHandler,
    CompleteGenerationHandler,
    FailGenerationHandler,
    ExpireReportHandler,
    FindReportHandler,
    CountUnfinishedReportsHandler,
    FindNewestReportHandler,
    ListReportsHandler,
    ReadReportEventsHandler,
  ],
})
export class ReportsModule {}
