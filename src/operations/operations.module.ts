import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { HealthController } from './health.controller.js';
import { ProblemPagesController } from './problem-pages.controller.js';
import { ProblemFilter } from './problem.filter.js';

@Module({
  controllers: [HealthController, ProblemPagesController],
  providers: [{ provide: APP_FILTER, useClass: ProblemFilter }],
})
export class OperationsModule {}
