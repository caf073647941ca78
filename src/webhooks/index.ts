export * from './messages.js';
export {
  TEST_EVENT,
  WEBHOOK_EVENTS,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEvent,
} from './endpoint.js';
export { WebhooksModule } from './webhooks.module.js';
