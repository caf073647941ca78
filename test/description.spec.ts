import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory, Reflector } from '@nestjs/core';
import { AppModule } from '../src/app.module.js';
import { Config } from '../src/config.js';
import { schemasOf } from '../src/description/late-schemas.js';
import { openApi } from '../src/description/openapi.js';
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

describe('the description of the HTTP interface', () => {
  it('gives every operation an id of its own', () => {
    const ids = routes.all().map(({ description }) => description?.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('holds examples that are as they are described', async () => {
    const document = openApi(routes.all(), 'https://muster.test', schemasOf(types));
    expect(new Contract(document).exampleFaults()).toEqual([]);
  });
});
