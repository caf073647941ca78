import { Global, Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { EventStore } from './event-store.js';
import { HintListener } from './hint-listener.js';
import { HintSender } from './hint-sender.js';
import { LogAudit } from './log-audit.js';
import { Subscriptions } from './subscriptions.js';

@Global()
@Module({
  imports: [AuditModule],
  providers: [EventStore, HintSender, HintListener, Subscriptions, LogAudit],
  exports: [EventStore, HintListener, Subscriptions],
})
export class EventStoreModule {}
