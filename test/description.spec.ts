import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory, Reflector } from '@nestjs/core';
import { Parser } from '@asyncapi/parser';
import { errorsPage } from '../src/auth/pages/errors.page.js';
import { AppModule } from '../src/app.module.js';
import { Config } from '../src/config.js';
import { documentsOf } from '../src/description/index.js';
import { Routes } from '../src/description/routes.js';
import { Catalogue } from '../src/generators/catalogue.js';
import { ListReportTypesHandler } from '../src/generators/generators.handlers.js';
import type { ReportTypeDescription } from '../src/reports/index.js';
import { Contract } from './support/contract.js';

let app: INestApplicationContext;
let routes: Routes;
let types: readonly ReportTypeDescription[];

beforeAll(async () => {
  app = await NestFactory.createApplicationContext(AppModule.with(new Config()), {
    preview: true,
    logger: false,
  });
  routes = new Routes(
    new DiscoveryService(app.get(ModulesContainer)),
    new MetadataScanner(),
    new Reflector(),
  );
  types = await new ListReportTypesHandler(await Catalogue.load('src/generators')).execute();
});

afterAll(() => app.close());

describe('every route', () => {
  it('describes itself', () => {
    const found = routes.all();
    expect(found.length).toBeGreaterThan(25);
    expect(found.filter(({ description }) => !description).map(({ handler }) => handler)).toEqual([]);
  });

  it('and nothing describes itself that is no route', () => {
    expect(routes.astray()).toEqual([]);
  });
});

describe('the description of events and webhooks', () => {
  it('is AsyncAPI, and holds examples that are as they are described', async () => {
    const { asyncApi } = documentsOf(routes.all(), types, 'https://muster.test');
    const { document, diagnostics } = await new Parser().parse(JSON.stringify(asyncApi));
    expect(diagnostics.filter(({ severity }) => `${severity}` === '0')).toEqual([]);
    expect(document?.channels().all().length).toBe(3);
  });
});

describe('the pages of errors', () => {
  it('explain every error of the authorization server', async () => {
    const text = await readFile('src/auth/oauth/oauth-error.ts', 'utf8');
    const codes = [...(/OAuthErrorCode =([^;]*);/.exec(text)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
      ([, code]) => code,
    );
    expect(codes.length).toBeGreaterThan(5);
    const page = errorsPage().body.text;
    expect(codes.filter((code) => !page.includes(`id="${code}"`))).toEqual([]);
  });
});

describe('the description of the HTTP interface', () => {
  it('gives every operation an id of its own', () => {
    const ids = routes.all().map(({ description }) => description?.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('holds examples that are as they are described', async () => {
    const { openApi } = documentsOf(routes.all(), types, 'https://muster.test');
    expect(new Contract(openApi).exampleFaults()).toEqual([]);
  });
});
