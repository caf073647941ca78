import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database/database.js';
import { decideRefresh, type IssuedRefreshToken } from '../grants/refresh-grant.js';
import { announce } from '../revocations.js';
import { RefreshTokenReused, SecurityLog } from '../security-events.js';
import { hashOf, isSecret } from '../secret.js';
import type { Client } from './clients.js';
import type { Exchanged } from './code-exchange.js';
import { openAnswer, sealAnswer } from './grace-answer.js';
import { makeTokenPair } from './token-pair.js';

export interface RefreshPresented {
  readonly refreshToken: string;
  readonly scope?: string;
}

interface RefreshRow {
  readonly id: string;
  readonly family_id: string;
  readonly client_id: string;
  readonly scopes: string[];
  readonly expires_at: Date;
  readonly spent_at: Date | null;
  readonly grace_answer: Buffer | null;
  readonly successor_spent: boolean;
  readonly family_ends_at: Date;
  readonly revoked: boolean;
  readonly enabled: boolean;
  readonly now: Date;
}

/** Refresh tokens for tokens. */
@Injectable()
export class RefreshExchange {
  constructor(
    private readonly database: Database,
    private readonly log: SecurityLog,
  ) {}

  async refresh(client: Client, { refreshToken, scope }: RefreshPresented): Promise<Exchanged> {
    const unknown: Exchanged = { outcome: 'refused', error: 'invalid_grant', reason: 'unknown' };
    if (!isSecret('refresh-token', refreshToken)) return unknown;
    return this.database.transaction(async (tx) => {
      const row = await lock(tx, hashOf(refreshToken));
      if (!row) return unknown;
      const asked = { clientId: client.id, ...(scope !== undefined && { scope }), now: row.now.getTime() };
      const decision = decideRefresh(toToken(row), asked);
      switch (decision.outcome) {
        case 'rotate':
          return { outcome: 'issued', answer: await rotate(tx, row, refreshToken, decision.scopes) };
        case 'repeat':
          return repeat(row, refreshToken);
        case 'refuse':
          if (decision.revokeFamily) await this.revoke(tx, row);
          return { outcome: 'refused', error: decision.error, reason: decision.reason };
      }
    });
  }

  private async revoke(
    tx: Transaction,
    { family_id: familyId, client_id: clientId }: RefreshRow,
  ): Promise<void> {
    await tx.query('UPDATE oauth_family SET revoked_at = now() WHERE id = $1', [familyId]);
    await announce(tx, `family:${familyId}`);
    await this.log.note(tx, new RefreshTokenReused(clientId, familyId));
  }
}

/**
 * Locks the family, then the token, and reads them as they are under the locks: PostgreSQL evaluates the row again when one
 * of the two has changed while it waited. Refreshes and revocations of a family thus take turns.
 */
async function lock(tx: Transaction, hash: Buffer): Promise<RefreshRow | undefined> {
  const { rows } = await tx.query<RefreshRow>({
    name: 'refresh-lock',
    text: `SELECT token.id, token.family_id, family.client_id, family.scopes, token.expires_at, token.spent_at, token.grace_answer,
                  successor.spent_at IS NOT NULL AS successor_spent, family.expires_at AS family_ends_at,
                  family.revoked_at IS NOT NULL AS revoked,
                  person.disabled_at IS NULL AND client.disabled_at IS NULL AS enabled, clock_timestamp() AS now
           FROM oauth_refresh token
           JOIN oauth_family family ON family.id = token.family_id
           JOIN person ON person.id = family.person_id
           JOIN oauth_client client ON client.id = family.client_id
           LEFT JOIN oauth_refresh successor ON successor.hash = token.successor
           WHERE token.hash = $1
           FOR UPDATE OF family, token`,
    values: [hash],
  });
  return rows[0];
}

/** Spends the token for a new pair, and keeps the answer for whoever presents the same token again in the grace. */
async function rotate(
  tx: Transaction,
  row: RefreshRow,
  refreshToken: string,
  scopes: readonly string[],
): Promise<string> {
  const pair = makeTokenPair(scopes, row.now.getTime(), row.family_ends_at.getTime(), true);
  const { access_token: access, refresh_token: successor = '' } = pair.answer;
  const answer = JSON.stringify(pair.answer);
  const hash = hashOf(successor);
  await tx.query({
    name: 'refresh-rotate',
    text: `WITH spent AS (
             UPDATE oauth_refresh SET spent_at = $2, successor = $3, grace_answer = $4 WHERE hash = $1
           ), access AS (
             INSERT INTO oauth_access (hash, family_id, scopes, issued_at, expires_at) VALUES ($5, $6, $7, $2, $8)
           )
           INSERT INTO oauth_refresh (hash, id, family_id, expires_at) VALUES ($3, $9, $6, $10)`,
    values: [
      hashOf(refreshToken),
      row.now,
      hash,
      sealAnswer(answer, refreshToken, row.id),
      hashOf(access),
      row.family_id,
      scopes,
      pair.accessExpiresAt,
      randomUUID(),
      pair.refreshExpiresAt,
    ],
  });
  return answer;
}

/** The answer is swept away when the grace has ended; by then the decision is not `repeat` either. */
function repeat({ grace_answer: sealed, id }: RefreshRow, refreshToken: string): Exchanged {
  if (!sealed) throw new Error('a refresh token in its grace has no answer to repeat');
  return { outcome: 'issued', answer: openAnswer(sealed, refreshToken, id) };
}

function toToken(row: RefreshRow): IssuedRefreshToken {
  return {
    clientId: row.client_id,
    scopes: row.scopes,
    expiresAt: row.expires_at.getTime(),
    ...(row.spent_at !== null && { spentAt: row.spent_at.getTime() }),
    successorSpent: row.successor_spent,
    revoked: row.revoked,
    enabled: row.enabled,
  };
}
