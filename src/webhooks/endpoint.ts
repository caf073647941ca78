/** What an endpoint can be told about, in the words of the Standard Webhooks specification. */
export const WEBHOOK_EVENTS = [
  'report.completed',
  'report.failed',
  'report.cancelled',
  'report.expired',
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Sent on request, to see whether an endpoint listens. */
export const TEST_EVENT = 'endpoint.test';

/** An address that a credential's holder wants to be told at. Instants in Unix milliseconds. */
export interface WebhookEndpoint {
  readonly id: string;
  /** Id of the credential in whose name it is told, and whose reach bounds what it is told. */
  readonly owner: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookEvent[];
  /** Absent: every farm that the credential reaches. */
  readonly farms?: readonly string[];
  readonly enabled: boolean;
  readonly disabledReason?: string;
  /** Since when. */
  readonly disabledDate?: number;
  /** The first failed attempt since one succeeded. */
  readonly failingSince?: number;
  /** Until when messages are signed with the secret before this one too. */
  readonly previousSecretUntil?: number;
  readonly creationDate: number;
  readonly lastModifiedDate: number;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'skipped';

/** What an event's id looks like; PostgreSQL can be asked for no other. */
export const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One message to one endpoint. Instants in Unix milliseconds. */
export interface WebhookDelivery {
  readonly endpointId: string;
  /** `webhook-id` of the message: the id of the event, as the event streams have it. */
  readonly eventId: string;
  readonly event: WebhookEvent | typeof TEST_EVENT;
  /** The farm, report and report type it is about; absent from a test. */
  readonly tenantId?: string;
  readonly reportId?: string;
  readonly reportType?: string;
  readonly occurredAt: number;
  readonly status: DeliveryStatus;
  /** Why it is not delivered. */
  readonly reason?: string;
  readonly attempts: number;
  readonly nextAttemptAt?: number;
}

/** One attempt at a delivery, as the log keeps it. */
export interface DeliveryAttempt {
  readonly number: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  /** Status of the HTTP answer, when there was one. */
  readonly status?: number;
  /** Absent: it was delivered. */
  readonly error?: string;
}

/** What is sent: thin, since whoever wants more asks for it with a credential. `timestamp` is when the event happened. */
export function payloadOf(delivery: WebhookDelivery): string {
  const { event, occurredAt, endpointId, tenantId, reportId, reportType } = delivery;
  const data =
    event === TEST_EVENT ? { endpoint: endpointId } : { id: reportId, farm: tenantId, type: reportType };
  return JSON.stringify({ type: event, timestamp: new Date(occurredAt).toISOString(), data });
}
