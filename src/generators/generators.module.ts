import { Module } from '@nestjs/common';
import { Catalogue } from './catalogue.js';
import { Generation } from './generation.js';
import { GenerationProjections } from './generation.projections.js';
import { GenerationQueue } from './generation-queue.js';
import { ListReportTypesHandler, OpenReportContentHandler } from './generators.handlers.js';
import { PostgresArtifacts } from './postgres-artifacts.js';
import { Upkeep } from './upkeep.js';

@Module({
  providers: [
    { provide: Catalogue, useFactory: () => Catalogue.load(import.meta.dirname) },
    PostgresArtifacts,
    GenerationQueue,
    GenerationProjections,
    Generation,
    Upkeep,
    ListReportTypesHandler,
    OpenReportContentHandler,
  ],
})
export class GeneratorsModule {}
