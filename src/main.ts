import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { Draining } from './operations/health/draining.js';
import { prepareHttp, requestId } from './operations/http.js';
import { createLog, NestLog } from './operations/logging.js';
import { OperationsServer } from './operations/operations-server.js';
import { tracer, useTracer } from './operations/tracing/tracer.js';
import { unreadableAddress } from './operations/unreadable-address.js';
import { unreadableRequest } from './operations/unreadable-request.js';

/** A caller that takes longer to say what it wants is not heard. */
const HEADERS_WITHIN_MS = 15_000;

/** A collector that does not answer does not hold up the end. */
const FLUSH_WITHIN_MS = 3_000;

export interface RunningService {
  /** Where it listens; undefined for a worker. */
  readonly url?: string;
  /** Where health and metrics are, when they have a port of their own. */
  readonly operationsUrl?: string | undefined;
  readonly app: INestApplicationContext;
  /** Lets what runs come to its end, refuses what comes meanwhile, and answers when nothing is left. */
  close(): Promise<void>;
}

/**
 * Starts a process of the service in the role that `config` names and answers when it is ready.
 * `config.DATABASE_URL` names a migrated database.
 */
export async function serve(config: Config): Promise<RunningService> {
  if (config.tracing) {
    const { startTracing } = await import('./operations/tracing/start-tracing.js');
    useTracer(startTracing(config.tracing));
  }
  const log = createLog(config);
  const logger = new NestLog(log);
  if (config.ROLE === 'worker') {
    const worker = await NestFactory.createApplicationContext(AppModule.with(config), {
      logger,
      abortOnError: false,
    });
    await worker.get(OperationsServer).listen();
    log.info({ operationsUrl: config.operationsUrl, role: config.ROLE }, 'ready');
    return { operationsUrl: config.operationsUrl, app: worker, close: () => drain(worker, config) };
  }
  const adapter = new FastifyAdapter({
    genReqId: requestId,
    forceCloseConnections: 'idle',
    // What still arrives while the process stops is answered, over a connection that then closes.
    return503OnClosing: false,
    trustProxy: config.TRUSTED_PROXIES ?? false,
    frameworkErrors: unreadableAddress(config),
    clientErrorHandler: unreadableRequest(config),
    routerOptions: { maxParamLength: 512 },
  });
  prepareHttp(adapter.getInstance(), config.PUBLIC_URL);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(config), adapter, {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  app.getHttpServer().headersTimeout = HEADERS_WITHIN_MS;
  await app.listen(config.PORT, config.HOST);
  config.listeningPort = (app.getHttpServer().address() as AddressInfo).port;
  await app.get(OperationsServer).listen();
  const { publicUrl: url, operationsUrl } = config;
  log.info({ url, operationsUrl, role: config.ROLE }, 'ready');
  return { url, operationsUrl, app, close: () => drain(app, config) };
}

/** Not ready at once; after the delay that balancers need to notice, new work is refused and the rest comes to its end. */
async function drain(app: INestApplicationContext, { DRAIN_DELAY_SECONDS }: Config): Promise<void> {
  const draining = app.get(Draining);
  draining.begin();
  await pause(DRAIN_DELAY_SECONDS * 1000);
  draining.refuse();
  await app.close();
  await Promise.race([tracer()?.flush(), pause(FLUSH_WITHIN_MS, undefined, { ref: false })]);
}
