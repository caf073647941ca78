import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { openDatabase, freshDatabase, type FreshDatabase } from '../../test/support/database.js';
import { until } from '../../test/support/until.js';
import { Config } from '../config.js';
import { Database } from '../database/index.js';
import { EventStoreModule } from '../event-store/index.js';
import { ProblemFilter } from '../operations/problem.filter.js';
import {
  Anonymous,
  AuthModule,
  Caller,
  CreateApiKey,
  type Principal,
  RequireScope,
  RevokeApiKey,
} from './index.js';
import { Global, Module } from '@nestjs/common';

@Controller()
class Gate {
  @Get('open')
  @Anonymous()
  open(): string {
    return 'open';
  }

  @Get('closed')
  closed(@Caller() { id, scopes, farms }: Principal): object {
    return { id, scopes: [...scopes], farms: farms === 'all' ? 'all' : [...farms] };
  }

  @Post('write')
  @RequireScope('write:reports')
  write(): string {
    return 'written';
  }
}

let fresh: FreshDatabase;
let one: NestFastifyApplication;
let other: NestFastifyApplication;
const opened: ReturnType<typeof openDatabase>[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  [one, other] = await Promise.all([start(fresh.url), start(fresh.url)]);
});

afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await Promise.all(opened.map((database) => database.close()));
  await fresh.drop();
});

describe('an API key', () => {
  it('says who calls, with its scopes and farms', async () => {
    const { id, apiKey } = await issue(['read:reports'], ['farm-1']);
    const answer = await call(one, '/closed', { 'x-api-key': apiKey });
    expect(answer).toMatchObject({
      status: 200,
      body: { id: `api-key:${id}`, scopes: ['read:reports'], farms: ['farm-1'] },
    });
  });

  it('reaches every farm when it was issued so', async () => {
    const { apiKey } = await issue(['read:reports'], 'all');
    expect(await call(one, '/closed', { 'x-api-key': apiKey })).toMatchObject({ body: { farms: 'all' } });
  });

  it('without the scope that is needed: 403 and a challenge that names it', async () => {
    const { apiKey } = await issue(['read:reports'], ['farm-1']);
    const answer = await call(one, '/write', { 'x-api-key': apiKey }, 'POST');
    expect(answer).toMatchObject({
      status: 403,
      body: { status: 403, type: expect.stringMatching('insufficient-scope$') },
    });
    expect(answer.challenge).toContain('error="insufficient_scope", scope="write:reports"');
  });

  it('ends in every process when it is revoked', async () => {
    const { id, apiKey } = await issue(['read:reports'], ['farm-1']);
    for (const process of [one, other])
      expect(await call(process, '/closed', { 'x-api-key': apiKey })).toMatchObject({ status: 200 });
    await one.get(CommandBus).execute(new RevokeApiKey(id));
    await until(
      'the other refuses it',
      async () => (await call(other, '/closed', { 'x-api-key': apiKey })).status === 401,
      1_000,
    );
    expect(await call(one, '/closed', { 'x-api-key': apiKey })).toMatchObject({ status: 401 });
  });

  it('is found by its digest: nothing stored gives it away', async () => {
    const { apiKey } = await issue(['read:reports'], ['farm-1']);
    const { rows } = await one.get(Database).query('SELECT api_key::text AS stored FROM api_key');
    expect(JSON.stringify(rows)).not.toContain(apiKey.slice(3));
  });
});

describe('a request', () => {
  it('to an open route needs no credential, and a bad one does no harm', async () => {
    expect(await call(one, '/open', {})).toMatchObject({ status: 200 });
    expect(await call(one, '/open', { 'x-api-key': 'nonsense' })).toMatchObject({ status: 200 });
  });

  it('without a credential: 401 and a challenge without an error', async () => {
    expect(await call(one, '/closed', {})).toMatchObject({ status: 401, challenge: 'Bearer realm="muster"' });
  });

  it.each([
    ['a key nobody issued', { 'x-api-key': `mk_${'x'.repeat(43)}` }],
    ['a key of another shape', { 'x-api-key': 'k' }],
    ['an unknown token', { authorization: `Bearer ma_${'x'.repeat(43)}` }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a scheme alone', { authorization: 'Bearer' }],
    ['two tokens in one header', { authorization: 'Bearer a b' }],
    ['a token that is no token68', { authorization: 'Bearer {"a":1}' }],
    ['a token of absurd length', { authorization: `Bearer ${'x'.repeat(5000)}` }],
  ])('with %s: 401 invalid_token', async (_, headers) => {
    const answer = await call(one, '/closed', headers);
    expect(answer.status).toBe(401);
    expect(answer.challenge).toContain('error="invalid_token"');
  });

  it('with a good key and a bad token, or the other way round, is refused', async () => {
    const { apiKey } = await issue(['read:reports'], ['farm-1']);
    expect(await call(one, '/closed', { 'x-api-key': apiKey, authorization: 'Bearer nope' })).toMatchObject({
      status: 401,
    });
  });

  it('with a credential twice: 400', async () => {
    const { apiKey } = await issue(['read:reports'], ['farm-1']);
    expect(await call(one, '/closed', { 'x-api-key': [apiKey, apiKey] })).toMatchObject({ status: 400 });
    expect(await call(one, '/closed', { authorization: ['Bearer a', 'Bearer b'] })).toMatchObject({
      status: 400,
    });
  });

  it('with credentials in the query: they are not read', async () => {
    const { apiKey } = await issue(['read:reports'], ['farm-1']);
    expect(await call(one, `/closed?x-api-key=${apiKey}&access_token=${apiKey}`, {})).toMatchObject({
      status: 401,
    });
  });
});

function issue(scopes: string[], farms: string[] | 'all') {
  return one.get(CommandBus).execute(new CreateApiKey('a test', scopes, farms));
}

async function start(url: string): Promise<NestFastifyApplication> {
  const connections = openDatabase(url, 3);
  opened.push(connections);
  @Global()
  @Module({
    providers: [
      { provide: Config, useValue: Object.assign(new Config(), { CREDENTIAL_CACHE_SECONDS: 60 }) },
      { provide: Database, useValue: connections.database },
    ],
    exports: [Config, Database],
  })
  class Ground {}
  const module = await Test.createTestingModule({
    imports: [Ground, CqrsModule.forRoot(), EventStoreModule, AuthModule],
    controllers: [Gate],
    providers: [{ provide: APP_FILTER, useClass: ProblemFilter }],
  }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), {
    bodyParser: false,
  });
  await app.listen(0, '127.0.0.1');
  return app;
}

interface Answer {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly body: unknown;
}

/** fetch would join doubled headers into one. */
function call(
  app: NestFastifyApplication,
  path: string,
  headers: Record<string, string | string[]>,
  method = 'GET',
): Promise<Answer> {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        const json = response.headers['content-type']?.includes('json');
        resolve({
          status: response.statusCode ?? 0,
          challenge: response.headers['www-authenticate'],
          body: json ? JSON.parse(text) : text,
        });
      });
    });
    sent.on('error', reject).end();
  });
}
