import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Sql, type Transaction } from '../../database/database.js';
import { decideRefresh, type IssuedRefreshToken, type Refresh } from '../grants/refresh-grant.js';
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

const UNKNOWN: Exchanged = { outcome: 'refused', error: 'invalid_grant', reason: 'unknown' };

/** Refresh tokens for tokens. */
@Injectable()
export class RefreshExchange {
  constructor(
    private readonly database: Database,
    private readonly log: SecurityLog,
  ) {}

  async refresh(client: Client, presented: RefreshPresented): Promise<Exchanged> {
    if (!isSecret('refresh-token', presented.refreshToken)) return UNKNOWN;
    return (await this.refreshUndisturbed(client, presented)) ?? this.refreshUnderLock(client, presented);
  }

  /** The usual case in two statements. Undefined when anything else is the case, or somebody else came first. */
  private async refreshUndisturbed(
    client: Client,
    presented: RefreshPresented,
  ): Promise<Exchanged | undefined> {
    const row = await read(this.database, hashOf(presented.refreshToken));
    const decision = decideRefresh(row && toToken(row), asked(client, presented, row));
    if (!row || decision.outcome !== 'rotate') return undefined;
    const answer = await rotate(this.database, row, presented.refreshToken, decision.scopes);
    return answer === undefined ? undefined : { outcome: 'issued', answer };
  }

  private refreshUnderLock(client: Client, presented: RefreshPresented): Promise<Exchanged> {
    return this.database.transaction(async (tx) => {
      const hash = hashOf(presented.refreshToken);
      const row = (await lockFamily(tx, hash)) ? await read(tx, hash) : undefined;
      const decision = decideRefresh(row && toToken(row), asked(client, presented, row));
      if (!row) return UNKNOWN;
      if (decision.outcome === 'repeat') return repeat(row, presented.refreshToken);
      if (decision.outcome === 'refuse') {
        if (decision.revokeFamily) await this.revoke(tx, row);
        return { outcome: 'refused', error: decision.error, reason: decision.reason };
      }
      const answer = await rotate(tx, row, presented.refreshToken, decision.scopes);
      if (answer === undefined) throw new Error('a refresh token changed although its family is locked');
      return { outcome: 'issued', answer };
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

/** Refreshes and revocations of a family take turns from here to the end of the transaction. */
async function lockFamily(tx: Transaction, hash: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'family-lock',
    text: 'SELECT FROM oauth_family WHERE id = (SELECT family_id FROM oauth_refresh WHERE hash = $1) FOR UPDATE',
    values: [hash],
  });
  return rowCount === 1;
}

async function read(sql: Sql, hash: Buffer): Promise<RefreshRow | undefined> {
  const { rows } = await sql.query<RefreshRow>({
    name: 'refresh-read',
    text: `SELECT token.id, token.family_id, family.client_id, family.scopes, token.expires_at, token.spent_at, token.grace_answer,
                  successor.spent_at IS NOT NULL AS successor_spent, family.expires_at AS family_ends_at,
                  family.revoked_at IS NOT NULL AS revoked,
                  person.disabled_at IS NULL AND client.disabled_at IS NULL AS enabled, clock_timestamp() AS now
           FROM oauth_refresh token
           JOIN oauth_family family ON family.id = token.family_id
           JOIN person ON person.id = family.person_id
           JOIN oauth_client client ON client.id = family.client_id
           LEFT JOIN oauth_refresh successor ON successor.hash = token.successor
           WHERE token.hash = $1`,
    values: [hash],
  });
  return rows[0];
}

/**
 * Spends the token for a new pair, and keeps the answer for whoever presents the same token again in the grace. One
 * statement that locks the family first; it does nothing, and answers undefined, when the family has been revoked or the
 * token spent since it was read.
 */
async function rotate(
  sql: Sql,
  row: RefreshRow,
  refreshToken: string,
  scopes: readonly string[],
): Promise<string | undefined> {
  const pair = makeTokenPair(scopes, row.now.getTime(), row.family_ends_at.getTime(), true);
  const { access_token: access, refresh_token: successor = '' } = pair.answer;
  const answer = JSON.stringify(pair.answer);
  const { rowCount } = await sql.query({
    name: 'refresh-rotate',
    text: `WITH family AS (
             SELECT id FROM oauth_family WHERE id = $6 AND revoked_at IS NULL FOR UPDATE
           ), spent AS (
             UPDATE oauth_refresh SET spent_at = $2, successor = $3, grace_answer = $4
             WHERE hash = $1 AND spent_at IS NULL AND family_id = (SELECT id FROM family)
             RETURNING family_id
           ), access AS (
             INSERT INTO oauth_access (hash, family_id, scopes, issued_at, expires_at)
             SELECT $5, family_id, $7, $2, $8 FROM spent
           )
           INSERT INTO oauth_refresh (hash, id, family_id, expires_at) SELECT $3, $9, family_id, $10 FROM spent`,
    values: [
      hashOf(refreshToken),
      row.now,
      hashOf(successor),
      sealAnswer(answer, refreshToken, row.id),
      hashOf(access),
      row.family_id,
      scopes,
      pair.accessExpiresAt,
      randomUUID(),
      pair.refreshExpiresAt,
    ],
  });
  return rowCount === 1 ? answer : undefined;
}

function asked(client: Client, { scope }: RefreshPresented, row: RefreshRow | undefined): Refresh {
  return { clientId: client.id, ...(scope !== undefined && { scope }), now: row?.now.getTime() ?? 0 };
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
