import { Module } from '@nestjs/common';
import { AwaitReportHandler } from './await-report.handler.js';
import { EventsController } from './events.controller.js';
import { OpenStreams } from './open-streams.js';
import { ReportFeed } from './report-feed.js';

/** The ways to wait for reports, all fed by the event store: answers held back, and streams of events. */
@Module({
  controllers: [EventsController],
  providers: [ReportFeed, OpenStreams, AwaitReportHandler],
})
export class WaitingModule {}
