import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Config } from '../config.js';
import { Admission } from './admission.js';
import { Draining } from './health/draining.js';
import { HealthController } from './health/health.controller.js';
import { ReadinessCheck } from './health/readiness.js';
import { Counting } from './metrics/counting.js';
import { CountingOutreach } from './metrics/counting-outreach.js';
import { Gauges } from './metrics/gauges.js';
import { HttpTraffic } from './metrics/http-traffic.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { OperationsDesk } from './operations-desk.js';
import { OperationsServer } from './operations-server.js';
import { OperatorConnection } from './operator-connection.js';
import { ProblemFilter } from './problem.filter.js';
import { ProblemPagesController } from './problem-pages.controller.js';

/**
 * What operators see of the service, and how it answers errors. Other modules do not know it: it listens to them. Only
 * that the process stops is told to everybody.
 */
@Global()
@Module({})
export class OperationsModule {
  static with({ OPERATIONS_PORT }: Config): DynamicModule {
    return {
      module: OperationsModule,
      controllers: [
        ProblemPagesController,
        ...(OPERATIONS_PORT === undefined ? [HealthController, MetricsController] : []),
      ],
      providers: [
        { provide: APP_FILTER, useClass: ProblemFilter },
        OperatorConnection,
        Draining,
        ReadinessCheck,
        Metrics,
        Counting,
        CountingOutreach,
        Gauges,
        HttpTraffic,
        Admission,
        OperationsDesk,
        OperationsServer,
      ],
      exports: [Draining],
    };
  }
}
