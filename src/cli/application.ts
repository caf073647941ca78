import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Config, loadConfig } from '../config.js';
import { findMigratedDatabase } from '../database/index.js';
import { createLog, NestLog } from '../operations/logging.js';

/**
 * Gives `work` the settings with the address of a running database: that of DATABASE_URL, or the embedded one, which is
 * started, or shared with the processes that use it, until the work is done.
 */
export async function withDatabase<T>(config: Config, work: (config: Config) => Promise<T>): Promise<T> {
  const database = await findMigratedDatabase(config);
  try {
    const { url: DATABASE_URL, generationUrl: GENERATION_DATABASE_URL } = database;
    return await work(Object.assign(new Config(), config, { DATABASE_URL, GENERATION_DATABASE_URL }));
  } finally {
    await database.leave();
  }
}

/**
 * Gives `work` the application without its HTTP side. It takes no jobs unless `ROLE` says so, and logs warnings only,
 * unless LOG_LEVEL asks for more than the usual.
 */
export async function withApplication<T>(
  work: (app: INestApplicationContext) => Promise<T>,
  { ROLE = 'api' }: Partial<Pick<Config, 'ROLE'>> = {},
): Promise<T> {
  const { AppModule } = await import('../app.module.js');
  return withDatabase(loadConfig(), async (config) => {
    const logger = new NestLog(
      createLog({ LOG_LEVEL: config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL }),
    );
    const settings = Object.assign(new Config(), config, { ROLE });
    const app = await NestFactory.createApplicationContext(AppModule.with(settings), {
      logger,
      abortOnError: false,
    });
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  });
}
