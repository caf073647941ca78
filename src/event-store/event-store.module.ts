import { Global, Module } from '@nestjs/common';
import { EventStore } from './event-store.js';
import { HintListener } from './hint-listener.js';
import { HintSender } from './hint-sender.js';
import { Subscriptions } from './subscriptions.js';

@Global()
@Module({
  providers: [EventStore, HintSender, HintListener, Subscriptions],
  exports: [EventStore, HintListener, Subscriptions],
})
export class EventStoreModule {}
