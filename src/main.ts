import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { prepareHttp, requestId } from './operations/http.js';
import { createLog, NestLog } from './operations/logging.js';
import { unreadableAddress } from './operations/unreadable-address.js';

export interface RunningService {
  /** Where it listens; undefined for a worker. */
  readonly url?: string;
  readonly app: INestApplicationContext;
  close(): Promise<void>;
}

/**
 * Starts a process of the service in the role that `config` names and answers when it is ready.
 * `config.DATABASE_URL` names a migrated database.
 */
export async function serve(config: Config): Promise<RunningService> {
  const log = createLog(config);
  const logger = new NestLog(log);
  if (config.ROLE === 'worker') {
    const worker = await NestFactory.createApplicationContext(AppModule.with(config), {
      logger,
      abortOnError: false,
    });
    return { app: worker, close: () => worker.close() };
  }
  const adapter = new FastifyAdapter({
    genReqId: requestId,
    forceCloseConnections: 'idle',
    // What still arrives while the process stops is answered, over a connection that then closes.
    return503OnClosing: false,
    trustProxy: config.TRUSTED_PROXIES ?? false,
    frameworkErrors: unreadableAddress(config),
    routerOptions: { maxParamLength: 512 },
  });
  prepareHttp(adapter.getInstance());
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(config), adapter, {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  await app.listen(config.PORT, config.HOST);
  config.listeningPort = (app.getHttpServer().address() as AddressInfo).port;
  log.info({ url: config.publicUrl, role: config.ROLE }, 'ready');
  return { url: config.publicUrl, app, close: () => app.close() };
}
