import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { readCreateReport } from '#muster/reports/create-report.body.js';

/** A process that validates the body of a create and echoes it: what HTTP and validation alone cost. */
export async function startBareService(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = fork(new URL(import.meta.url), { env: { ...process.env, BARE: '1' } });
  const [url] = (await once(child, 'message')) as [string];
  const stop = async (): Promise<void> => {
    child.kill();
    await once(child, 'exit');
  };
  return { url, stop };
}

class BareController {
  create(body: unknown): object {
    const data = readCreateReport(body, ['livestock-reconciliation.v3']);
    return {
      data: { id: 'x', ...data, status: 'completed', creationDate: 1, lastModifiedDate: 2 },
      links: { download: 'x' },
    };
  }
}

class BareModule {}

if (process.env['BARE'] && process.send) {
  const create = Object.getOwnPropertyDescriptor(BareController.prototype, 'create')!;
  Reflect.decorate([Post(), HttpCode(200)], BareController.prototype, 'create', create);
  Body()(BareController.prototype, 'create', 0);
  Reflect.decorate([Controller('v2/report')], BareController);
  Reflect.decorate([Module({ controllers: [BareController] })], BareModule);
  const app = await NestFactory.create<NestFastifyApplication>(BareModule, new FastifyAdapter(), {
    logger: false,
  });
  await app.listen(0, '127.0.0.1');
  process.send(`http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`);
}
