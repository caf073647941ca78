import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { EventBus, QueryBus } from '@nestjs/cqrs';
import { FindPrincipal, type Principal, reaches, SealedSecrets, SealLost } from '../auth/index.js';
import { Config } from '../config.js';
import { Database, type Transaction } from '../database/index.js';
import { findPlanned, insertAttempt, type PlannedAttempt, settle } from './delivery-rows.js';
import { payloadOf, type WebhookDelivery, type WebhookEndpoint } from './endpoint.js';
import { disableEndpoint, findEndpoint, noteHealth, type StoredEndpoint } from './endpoint-rows.js';
import { WebhookAttempted, WebhookEndpointDisabled } from './messages.js';
import { Sender } from './sender.js';
import { signedHeaders } from './signature.js';
import { type AttemptResult, failureOf, isGivenUp, judge, type Verdict } from './verdict.js';
import { WebhookQueue } from './webhook-queue.js';

/** Makes the attempts that were planned. What an attempt led to is settled once, whoever else made it too. */
@Injectable()
export class Delivering implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Delivering');
  private readonly schedule: readonly number[];

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly events: EventBus,
    private readonly queue: WebhookQueue,
    private readonly secrets: SealedSecrets,
    private readonly sender: Sender,
  ) {
    this.schedule = config.WEBHOOK_RETRY_SECONDS.split(',').map(Number);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.ROLE !== 'api') await this.queue.deliver((attempt) => this.attempt(attempt));
  }

  /** Attempts under way end within the time limit of an answer. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.config.ROLE === 'api') return;
    await this.queue.takeNoMore();
    await this.queue.settled();
  }

  private async attempt(planned: PlannedAttempt): Promise<void> {
    const delivery = await findPlanned(this.database, planned);
    const found = delivery && (await findEndpoint(this.database, undefined, planned.endpointId));
    if (!delivery || !found) return;
    const principal = await this.queries.execute(new FindPrincipal(found.endpoint.owner, 'read:reports'));
    if (!principal) return this.endAccess(planned);
    const obstacle = obstacleTo(delivery, found.endpoint, principal);
    if (obstacle !== undefined) {
      await settle(this.database, planned, { status: 'skipped', reason: obstacle }, false);
      return;
    }
    const at = Date.now();
    const result = await this.send(delivery, found, at);
    const verdict = judge(result, planned.tries, this.schedule, Math.random());
    if (await this.database.transaction((tx) => this.settle(tx, planned, at, result, verdict)))
      this.events.publish(new WebhookAttempted(verdict.outcome, result.durationMs));
  }

  /** Signed anew at each attempt, with every secret that is valid then. */
  private async send(
    delivery: WebhookDelivery,
    { endpoint, secrets }: StoredEndpoint,
    at: number,
  ): Promise<AttemptResult> {
    const opened = await this.open(endpoint.id, secrets);
    if (!opened) return { error: 'its signing secret cannot be read; rotate it', durationMs: 0 };
    const body = payloadOf(delivery);
    return this.sender.send({
      url: endpoint.url,
      body,
      headers: signedHeaders(delivery.eventId, at, body, opened),
    });
  }

  private async open(endpoint: string, secrets: readonly string[]): Promise<string[] | undefined> {
    try {
      return await Promise.all(secrets.map((sealed) => this.secrets.open(sealed, endpoint)));
    } catch (error) {
      if (!(error instanceof SealLost)) throw error;
      this.log.error({ err: error, endpoint }, 'a signing secret cannot be opened');
      return undefined;
    }
  }

  /** Answers false when the delivery has moved on meanwhile, by a replay or by another process's attempt. */
  private async settle(
    tx: Transaction,
    planned: PlannedAttempt,
    at: number,
    result: AttemptResult,
    verdict: Verdict,
  ): Promise<boolean> {
    const delivered = verdict.outcome === 'delivered';
    const error = delivered ? undefined : failureOf(result);
    const number = await settle(
      tx,
      planned,
      {
        status: delivered ? 'delivered' : verdict.outcome === 'retrying' ? 'pending' : 'failed',
        ...(error !== undefined && { reason: error }),
        ...(verdict.outcome === 'retrying' && { afterSeconds: verdict.afterSeconds }),
      },
      true,
    );
    if (number === undefined) return false;
    const { durationMs, status } = result;
    await insertAttempt(tx, planned, {
      number,
      at,
      durationMs,
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
    });
    const failingSince = await noteHealth(tx, planned.endpointId, delivered);
    if (verdict.outcome === 'retrying')
      await this.queue.plan(tx, { ...planned, tries: planned.tries + 1 }, true, verdict.afterSeconds);
    if (verdict.outcome === 'gone')
      await this.disable(tx, planned.endpointId, 'gone', 'it answered 410: it is gone');
    if (verdict.outcome === 'failed' && isGivenUp(failingSince, at))
      await this.disable(tx, planned.endpointId, 'failing', 'it has taken no message for days');
    return true;
  }

  private async endAccess(planned: PlannedAttempt): Promise<void> {
    const reason = 'the credential that it belongs to has ended';
    await this.database.transaction(async (tx) => {
      await settle(tx, planned, { status: 'skipped', reason }, false);
      await this.disable(tx, planned.endpointId, 'credential ended', reason);
    });
  }

  private async disable(
    tx: Transaction,
    id: string,
    cause: WebhookEndpointDisabled['cause'],
    reason: string,
  ): Promise<void> {
    if (!(await disableEndpoint(tx, id, reason))) return;
    // Its owner is to act, who reads it with the endpoint; operators have a metric.
    this.log.log({ endpoint: id, cause }, 'a webhook endpoint was disabled');
    this.events.publish(new WebhookEndpointDisabled(cause));
  }
}

/** Why a delivery that was planned may not be made after all. */
function obstacleTo(
  { tenantId }: WebhookDelivery,
  { enabled, farms }: WebhookEndpoint,
  principal: Principal,
): string | undefined {
  if (!enabled) return 'the endpoint was disabled';
  if (tenantId === undefined) return undefined;
  if (!reaches(principal, tenantId)) return 'the credential does not reach the farm any more';
  if (farms && !farms.includes(tenantId)) return 'the endpoint leaves the farm out';
  return undefined;
}
