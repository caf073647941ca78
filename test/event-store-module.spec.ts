import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { expect, it } from '@jest/globals';
import { Database } from '../src/database/index.js';
import { EventStore, EventStoreModule, Subscriptions } from '../src/event-store/index.js';
import { gateOf, opened, record } from './event-store-story.js';
import { freshDatabase, openDatabase } from './support/database.js';

it('an application subscribes, appends, hears of it at once, and closes without losing the event in hand', async () => {
  const fresh = await freshDatabase();
  const serving = openDatabase(fresh.url);
  const { database } = serving;

  @Global()
  @Module({ providers: [{ provide: Database, useValue: database }], exports: [Database] })
  class Ground {}

  const module = await Test.createTestingModule({ imports: [Ground, EventStoreModule] }).compile();
  const begun = Promise.withResolvers<undefined>();
  const finish = Promise.withResolvers<undefined>();
  module.get(Subscriptions).subscribe({
    name: 'gates',
    types: ['GateOpened'],
    handle: async () => {
      begun.resolve(undefined);
      await finish.promise;
    },
  });
  await module.init();
  await record(database, module.get(EventStore), gateOf('farm'), 0, opened());
  await begun.promise;
  const closing = module.close();
  finish.resolve(undefined);
  await closing;

  const { rows } = await database.query('SELECT FROM subscription_checkpoint WHERE position = 1');
  expect(rows).toHaveLength(1);
  await serving.close();
  await fresh.drop();
});
