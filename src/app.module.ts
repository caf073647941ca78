import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuthModule } from './auth/index.js';
import { CachingModule } from './caching/index.js';
import { Config } from './config.js';
import { DeprecationModule } from './deprecation/index.js';
import { DescriptionModule } from './description/index.js';
import { DatabaseModule } from './database/database.module.js';
import { EventStoreModule } from './event-store/index.js';
import { FarmRecordsModule } from './farm-records/index.js';
import { GeneratorsModule } from './generators/index.js';
import { OperationsModule } from './operations/operations.module.js';
import { ReportsModule } from './reports/index.js';
import { SchedulesModule } from './schedules/index.js';
import { WaitingModule } from './waiting/index.js';
import { WebhooksModule } from './webhooks/index.js';

/** The modules of Muster. */
@Global()
@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        DatabaseModule,
        EventStoreModule,
        AuthModule,
        FarmRecordsModule,
        ReportsModule,
        CachingModule,
        GeneratorsModule,
        WaitingModule,
        WebhooksModule,
        SchedulesModule,
        DeprecationModule,
        OperationsModule.with(config),
        DescriptionModule,
      ],
      providers: [{ provide: Config, useValue: config }],
      exports: [Config],
    };
  }
}
