import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Config, loadConfig } from '../config.js';
import { findMigratedDatabase } from '../database/index.js';
import { createLog, NestLog } from '../operations/logging.js';
import { Stopped } from './command.js';

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
 * From here on a signal to stop no longer ends the process but the wait for the work that is handed to the function answered, so that
 * what was opened around it is closed: an embedded server that the command started would stay behind.
 */
export function stoppable(): <T>(work: Promise<T>) => Promise<T> {
  const stopped = stopSignal().then((signal): never => {
    throw new Stopped(signal);
  });
  stopped.catch(() => undefined); // It may come before there is work.
  return (work) => Promise.race([work, stopped]);
}

/** Resolves at the first signal to stop; a second one ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  const stop = (signal: NodeJS.Signals): void => {
    for (const each of signals) process.off(each, stop);
    resolve(signal);
  };
  for (const signal of signals) process.on(signal, stop);
  return promise;
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
  const orStopped = stoppable();
  const run = async (config: Config): Promise<T> => {
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
  };
  return withDatabase(loadConfig(), (config) => orStopped(run(config)));
}
