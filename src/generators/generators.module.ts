import { Module } from '@nestjs/common';
import { ErasureModule } from '../erasure/index.js';
import { AuditModule } from '../audit/index.js';
import { Config } from '../config.js';
import { ContentEraser } from './content-eraser.js';
import { Catalogue } from './catalogue.js';
import { ContentAudit } from './content-audit.js';
import { Explanations } from './explanations.js';
import { Generation } from './generation.js';
import { GenerationProjections } from './generation.projections.js';
import { GenerationQueue } from './generation-queue.js';
import {
  ExplainRowHandler,
  ListReportTypesHandler,
  OpenReportContentHandler,
} from './generators.handlers.js';
import { JobAudit } from './job-audit.js';
import { PostgresArtifacts } from './postgres-artifacts.js';
import { DescribeQueueHandler, FindPlaceInQueueHandler } from './queue-places.js';
import { Upkeep } from './upkeep.js';

@Module({
  imports: [ErasureModule, AuditModule],
  providers: [
    {
      provide: Catalogue,
      inject: [Config],
      useFactory: ({ reportModules }: Config) => Catalogue.load(import.meta.dirname, reportModules),
    },
    PostgresArtifacts,
    GenerationQueue,
    GenerationProjections,
    Generation,
    Upkeep,
    ContentAudit,
    ContentEraser,
    JobAudit,
    Explanations,
    ListReportTypesHandler,
    OpenReportContentHandler,
    ExplainRowHandler,
    FindPlaceInQueueHandler,
    DescribeQueueHandler,
  ],
})
export class GeneratorsModule {}
