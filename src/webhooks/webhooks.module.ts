import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { ErasureModule } from '../erasure/index.js';
import { AuthModule } from '../auth/index.js';
import { Config } from '../config.js';
import { DeliveryAudit } from './delivery-audit.js';
import { DeliveryEraser } from './delivery-eraser.js';
import { Delivering } from './delivering.js';
import {
  FindWebhookDeliveryHandler,
  ListWebhookDeliveriesHandler,
  ReplayWebhookDeliveriesHandler,
  ReplayWebhookDeliveryHandler,
  TestWebhookEndpointHandler,
} from './delivery.handlers.js';
import {
  ChangeWebhookEndpointHandler,
  destinationRules,
  FindWebhookEndpointHandler,
  ListWebhookEndpointsHandler,
  RegisterWebhookEndpointHandler,
  RemoveWebhookEndpointHandler,
  RotateWebhookSecretHandler,
} from './endpoint.handlers.js';
import { FanOut } from './fan-out.js';
import { Sender } from './sender.js';
import { WebhookUpkeep } from './upkeep.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookQueue } from './webhook-queue.js';

function senderFor(config: Config): Sender {
  return new Sender(destinationRules(config), config.WEBHOOK_TIMEOUT_SECONDS * 1000);
}

/** Tells clients about the ends of their reports, by the Standard Webhooks specification. */
@Module({
  imports: [AuditModule, ErasureModule, AuthModule],
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  providers: [
    WebhookQueue,
    FanOut,
    Delivering,
    WebhookUpkeep,
    DeliveryEraser,
    DeliveryAudit,
    { provide: Sender, inject: [Config], useFactory: senderFor },
    RegisterWebhookEndpointHandler,
    ChangeWebhookEndpointHandler,
    RemoveWebhookEndpointHandler,
    RotateWebhookSecretHandler,
    TestWebhookEndpointHandler,
    ReplayWebhookDeliveryHandler,
    ReplayWebhookDeliveriesHandler,
    FindWebhookEndpointHandler,
    ListWebhookEndpointsHandler,
    ListWebhookDeliveriesHandler,
    FindWebhookDeliveryHandler,
  ],
})
export class WebhooksModule {}
