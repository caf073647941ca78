import { Module } from '@nestjs/common';
import { DownloadController } from './download.controller.js';
import { ReportController } from './report.controller.js';
import {
  CancelReportHandler,
  CompleteGenerationHandler,
  ExpireReportHandler,
  FailGenerationHandler,
  FindReportHandler,
  ListReportsHandler,
  ReadReportEventsHandler,
  StartGenerationHandler,
} from './report.handlers.js';
import { ReportStreams } from './report.streams.js';
import { ReportTypes } from './report-types.js';
import { ReportTypesController } from './report-types.controller.js';
import { ReportUses } from './report-uses.js';
import { ReportView } from './report.view.js';
import { RequestReportHandler } from './request-report.handler.js';

@Module({
  controllers: [ReportController, DownloadController, ReportTypesController],
  providers: [
    ReportStreams,
    ReportView,
    ReportTypes,
    ReportUses,
    RequestReportHandler,
    CancelReportHandler,
    StartGenerationHandler,
    CompleteGenerationHandler,
    FailGenerationHandler,
    ExpireReportHandler,
    FindReportHandler,
    ListReportsHandler,
    ReadReportEventsHandler,
  ],
})
export class ReportsModule {}
