import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory, Reflector } from '@nestjs/core';
import { AppModule } from '../src/app.module.js';
import { Config } from '../src/config.js';
import { Routes } from '../src/description/routes.js';

let app: INestApplicationContext;
let routes: Routes;

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
});

afterAll(() => app.close());

describe('every route', () => {
  it('describes itself', () => {
    const found = routes.all();
    expect(found.length).toBeGreaterThan(25);
    expect(found.filter(({ description }) => !description).map(({ handler }) => handler)).toEqual([]);
  });
});
