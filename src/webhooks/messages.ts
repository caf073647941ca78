import { Command, Query } from '@nestjs/cqrs';
import type { Principal } from '../auth/principal.js';
import type {
  DeliveryAttempt,
  DeliveryStatus,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
} from './endpoint.js';

/** Whose endpoints: the id of a credential, or undefined for an operator, who may act on everybody's. */
export type Owner = string | undefined;

/** What its owner says about an endpoint. `farms` null or absent: every farm that the credential reaches. */
export interface EndpointSettings {
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookEvent[];
  readonly farms?: readonly string[] | null;
  readonly enabled: boolean;
}

/** An endpoint with its signing secret, which is told this once. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/**
 * Registers an endpoint in the name of `principal`. Throws BadDestination, FarmOutOfReach, or TooManyEndpoints.
 */
export class RegisterWebhookEndpoint extends Command<EndpointWithSecret> {
  constructor(
    readonly principal: Principal,
    readonly settings: EndpointSettings,
  ) {
    super();
  }
}

/**
 * Changes what is named; enabling an endpoint forgives its failures. Farms must be within the reach of the endpoint's own
 * credential. Answers undefined when there is no such endpoint. Throws BadDestination or FarmOutOfReach.
 */
export class ChangeWebhookEndpoint extends Command<WebhookEndpoint | undefined> {
  constructor(
    readonly owner: Owner,
    readonly id: string,
    readonly changes: Partial<EndpointSettings>,
  ) {
    super();
  }
}

/** Removes an endpoint with its log. Answers false when there is no such endpoint. */
export class RemoveWebhookEndpoint extends Command<boolean> {
  constructor(
    readonly owner: Owner,
    readonly id: string,
  ) {
    super();
  }
}

/** Gives an endpoint a new secret; for a while messages are signed with the old one too. */
export class RotateWebhookSecret extends Command<EndpointWithSecret | undefined> {
  constructor(
    readonly owner: Owner,
    readonly id: string,
    readonly graceSeconds: number,
  ) {
    super();
  }
}

/** Has a test message delivered like any other. Answers undefined when there is no such endpoint. */
export class TestWebhookEndpoint extends Command<WebhookDelivery | undefined> {
  constructor(
    readonly owner: Owner,
    readonly id: string,
  ) {
    super();
  }
}

/**
 * Has a message of a farm within `farms` delivered again, whatever became of it; one that is about to be sent is left at that.
 * Answers undefined when there is none.
 */
export class ReplayWebhookDelivery extends Command<WebhookDelivery | undefined> {
  constructor(
    readonly owner: Owner,
    readonly id: string,
    readonly eventId: string,
    readonly farms: Principal['farms'],
  ) {
    super();
  }
}

/** What to deliver again: everything that happened from `since` on, or what has one of these statuses of it. Unix milliseconds. */
export interface ReplayRange {
  readonly since: number;
  readonly until?: number;
  readonly statuses?: readonly DeliveryStatus[];
}

/**
 * Has everything of a range on `farms` delivered again but what is about to be sent: asking again and again adds nothing.
 * Answers how many messages that is, or undefined without such an endpoint.
 */
export class ReplayWebhookDeliveries extends Command<number | undefined> {
  constructor(
    readonly owner: Owner,
    readonly id: string,
    readonly range: ReplayRange,
    readonly farms: Principal['farms'],
  ) {
    super();
  }
}

export class FindWebhookEndpoint extends Query<WebhookEndpoint | undefined> {
  constructor(
    readonly owner: Owner,
    readonly id: string,
  ) {
    super();
  }
}

/** An owner's endpoints, or everybody's, the oldest first. */
export class ListWebhookEndpoints extends Query<readonly WebhookEndpoint[]> {
  constructor(readonly owner: Owner) {
    super();
  }
}

/** Which deliveries: of farms within `farms`, and with a status. */
export interface DeliveryFilter {
  readonly farms: Principal['farms'];
  readonly status?: DeliveryStatus;
}

/** Where a page of a list begins: just after this delivery. */
export interface DeliveryCursor {
  /** UTC to the microsecond, `2024-07-01T09:30:00.123456Z`: milliseconds would not tell all deliveries apart. */
  readonly createdAt: string;
  readonly eventId: string;
}

/** Up to `limit` deliveries to an endpoint, newest first; undefined without such an endpoint. */
export class ListWebhookDeliveries extends Query<
  { readonly deliveries: readonly WebhookDelivery[]; readonly next?: DeliveryCursor } | undefined
> {
  constructor(
    readonly owner: Owner,
    readonly id: string,
    readonly filter: DeliveryFilter,
    readonly limit: number,
    readonly after?: DeliveryCursor,
  ) {
    super();
  }
}

/** A delivery with its attempts, oldest first. */
export class FindWebhookDelivery extends Query<
  { readonly delivery: WebhookDelivery; readonly attempts: readonly DeliveryAttempt[] } | undefined
> {
  constructor(
    readonly owner: Owner,
    readonly id: string,
    readonly eventId: string,
    readonly farms: Principal['farms'],
  ) {
    super();
  }
}

/** An attempt to deliver has ended. For counting. */
export class WebhookAttempted {
  constructor(
    readonly outcome: 'delivered' | 'retrying' | 'failed' | 'gone',
    readonly durationMs: number,
  ) {}
}

/** An endpoint is told nothing more until somebody enables it. For counting. */
export class WebhookEndpointDisabled {
  constructor(readonly cause: 'gone' | 'failing' | 'credential ended') {}
}

/** The address cannot be called; the message says why in plain words. */
export class BadDestination extends Error {}

/** A farm that the credential does not reach. */
export class FarmOutOfReach extends Error {}

/** The credential has as many endpoints as one may have. */
export class TooManyEndpoints extends Error {
  constructor(readonly most: number) {
    super(`a credential has up to ${most} webhook endpoints`);
  }
}
