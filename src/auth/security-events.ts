import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Sql, Transaction } from '../database/database.js';
import { bucketOf, EventStore, EVERY_BUCKET } from '../event-store/index.js';

const BATCH = 200;

/** A code was redeemed a second time: what was issued for it has been revoked. */
export class CodeReplayed {
  readonly type = 'CodeReplayed';
  constructor(
    readonly clientId: string,
    readonly familyId: string,
  ) {}
}

/** A refresh token was used again outside the grace: its family has been revoked. */
export class RefreshTokenReused {
  readonly type = 'RefreshTokenReused';
  constructor(
    readonly clientId: string,
    readonly familyId: string,
  ) {}
}

/** Somebody failed to authenticate as a client; `clientId` only when there is such a client. */
export class ClientAuthenticationFailed {
  readonly type = 'ClientAuthenticationFailed';
  constructor(
    readonly clientId: string | undefined,
    readonly address: string,
  ) {}
}

/** A person allowed a client to act on farms. */
export class ApplicationAuthorized {
  readonly type = 'ApplicationAuthorized';
  constructor(
    readonly clientId: string,
    readonly personId: string,
    readonly familyId: string,
    readonly scopes: readonly string[],
    readonly farms: readonly string[],
  ) {}
}

/** Access has ended: withdrawn by the person, revoked by the client, or by the operator. */
export class AccessRevoked {
  readonly type = 'AccessRevoked';
  constructor(
    readonly clientId: string,
    readonly personId: string,
    readonly by: 'person' | 'client',
    readonly familyIds: readonly string[],
  ) {}
}

export type SecurityEvent =
  CodeReplayed | RefreshTokenReused | ClientAuthenticationFailed | ApplicationAuthorized | AccessRevoked;

/**
 * Notes what an investigator wants to know. Each is a stream of its own among its client's events: nobody decides on it
 * later, so no writer ever waits for another's version.
 */
@Injectable()
export class SecurityLog {
  constructor(private readonly events: EventStore) {}

  /** The last statement of its transaction. */
  async note(tx: Transaction, event: SecurityEvent): Promise<void> {
    const id = randomUUID();
    const tenantId = `client:${event.clientId ?? 'unknown'}`;
    const stream = {
      bucket: bucketOf(tenantId),
      tenantId,
      streamType: 'security',
      streamId: `security-${id}`,
    };
    await this.events.append(tx, stream, 0, [{ id, event }], { actor: tenantId });
  }

  /** Empties events older than these days, never those of the last 90, in batches; of each only its place in the log stays. */
  async forget(sql: Sql, days: number): Promise<void> {
    for (const bucket of await this.bucketsWithOlder(sql, days))
      for (let forgotten = BATCH; forgotten === BATCH;) {
        const { rows } = await sql.query<{ forgotten: number }>(
          'SELECT forget_security_events($1, $2, $3) AS forgotten',
          [bucket, days, BATCH],
        );
        forgotten = rows[0]?.forgotten ?? 0;
      }
  }

  private async bucketsWithOlder(sql: Sql, days: number): Promise<number[]> {
    const { rows } = await sql.query<{ bucket: number }>(
      `SELECT DISTINCT bucket FROM event WHERE bucket = ANY ($1) AND stream_type = 'security' AND type <> 'Erased'
         AND recorded_at < now() - $2 * interval '1 day'`,
      [EVERY_BUCKET, days],
    );
    return rows.map(({ bucket }) => bucket);
  }
}
