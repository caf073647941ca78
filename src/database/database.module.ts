import { Global, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Config } from '../config.js';
import { servingOptions } from './data-source.js';
import { Database } from './database.js';
import { Jobs } from './jobs.js';
import { requireSchema } from './migrations.js';

const log = new Logger('Database');

/** The one pool of the process, as TypeORM's data source and as `Database`, and its job queues. Refuses a database of the wrong schema. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        ...servingOptions({
          url: config.databaseUrl,
          poolSize: config.DATABASE_POOL_SIZE,
          applicationName: `muster ${config.ROLE}`,
          statementSeconds: config.DATABASE_STATEMENT_SECONDS,
          onIdleError: (error) => log.log({ err: error }, 'lost an idle connection'),
        }),
        retryAttempts: 5,
        retryDelay: 1_000,
      }),
    }),
  ],
  providers: [{ provide: Database, inject: [DataSource], useFactory: connectedDatabase }, Jobs],
  exports: [Database, Jobs],
})
export class DatabaseModule {}

async function connectedDatabase(dataSource: DataSource): Promise<Database> {
  const database = new Database((dataSource.driver as unknown as { master: Pool }).master);
  await requireSchema(database);
  return database;
}
