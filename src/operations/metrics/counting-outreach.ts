import { EventsHandler, type IEventHandler } from '@nestjs/cqrs';
import { ReportScheduleRan } from '../../schedules/index.js';
import { WebhookAttempted, WebhookEndpointDisabled } from '../../webhooks/index.js';
import { Metrics } from './metrics.js';

type Counted = ReportScheduleRan | WebhookAttempted | WebhookEndpointDisabled;

/** Counts what the service does of its own accord: schedules and deliveries. */
@EventsHandler(ReportScheduleRan, WebhookAttempted, WebhookEndpointDisabled)
export class CountingOutreach implements IEventHandler<Counted> {
  constructor(private readonly metrics: Metrics) {}

  handle(event: Counted): void {
    if (event instanceof ReportScheduleRan) {
      this.metrics.scheduleRuns.inc({ outcome: event.outcome });
    } else if (event instanceof WebhookAttempted) {
      const { outcome, durationMs } = event;
      this.metrics.webhookSeconds.observe({ outcome }, durationMs / 1000);
    } else {
      this.metrics.webhooksDisabled.inc({ cause: event.cause.replaceAll(' ', '_') });
    }
  }
}
