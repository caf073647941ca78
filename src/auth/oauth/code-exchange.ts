import { hash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database/database.js';
import { decideRedemption, type IssuedCode } from '../grants/code-grant.js';
import type { RefusalReason } from '../grants/refusal.js';
import { announce } from '../revocations.js';
import { CodeReplayed, SecurityLog } from '../security-events.js';
import { hashOf, isSecret } from '../secret.js';
import type { Client } from './clients.js';
import { FAMILY_LIFETIME_MS, makeTokenPair, type TokenAnswer, type TokenPair } from './token-pair.js';

/** What a transaction came to: a refusal is committed like any other outcome, and becomes an error afterwards. */
export type Exchanged =
  | { readonly outcome: 'issued'; readonly answer: string }
  | {
      readonly outcome: 'refused';
      readonly error: 'invalid_grant' | 'invalid_scope';
      readonly reason: RefusalReason;
    };

export interface CodePresented {
  readonly code: string;
  readonly redirectUri?: string;
  readonly verifier?: string;
}

interface CodeRow {
  readonly hash: Buffer;
  readonly family_id: string;
  readonly client_id: string;
  readonly person_id: string;
  readonly redirect_uri: string;
  readonly redirect_given: boolean;
  readonly scopes: string[];
  readonly farms: string[];
  readonly challenge: string | null;
  readonly expires_at: Date;
  readonly consumed_at: Date | null;
  readonly enabled: boolean;
  readonly now: Date;
}

/** Codes for tokens. */
@Injectable()
export class CodeExchange {
  constructor(
    private readonly database: Database,
    private readonly log: SecurityLog,
  ) {}

  async redeem(client: Client, presented: CodePresented): Promise<Exchanged> {
    if (!isSecret('code', presented.code)) return refused('unknown');
    return this.database.transaction(async (tx) => {
      const row = await lock(tx, hashOf(presented.code));
      const { redirectUri, verifier } = presented;
      const decision = decideRedemption(row && toCode(row), {
        clientId: client.id,
        ...(redirectUri !== undefined && { redirectUri }),
        ...(verifier !== undefined && {
          challenge: hash('sha256', verifier, 'base64url'),
        }),
        now: row?.now.getTime() ?? 0,
      });
      if (!row) return refused('unknown');
      await burn(tx, row);
      if (decision.outcome === 'issue') return { outcome: 'issued', answer: await issue(tx, row, client) };
      if (decision.revokeFamily) await this.revoke(tx, row);
      return refused(decision.reason);
    });
  }

  private async revoke(
    tx: Transaction,
    { family_id: familyId, client_id: clientId }: CodeRow,
  ): Promise<void> {
    await tx.query('UPDATE oauth_family SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL', [
      familyId,
    ]);
    await announce(tx, `family:${familyId}`);
    await this.log.note(tx, new CodeReplayed(clientId, familyId));
  }
}

/** Redemptions of one code take turns. */
async function lock(tx: Transaction, hash: Buffer): Promise<CodeRow | undefined> {
  const { rows } = await tx.query<CodeRow>({
    name: 'code-lock',
    text: `SELECT code.*, person.disabled_at IS NULL AND client.disabled_at IS NULL AS enabled, clock_timestamp() AS now
           FROM oauth_code code JOIN person ON person.id = code.person_id JOIN oauth_client client ON client.id = code.client_id
           WHERE code.hash = $1 FOR UPDATE OF code`,
    values: [hash],
  });
  return rows[0];
}

async function burn(tx: Transaction, { hash }: CodeRow): Promise<void> {
  await tx.query({
    name: 'code-burn',
    text: 'UPDATE oauth_code SET consumed_at = coalesce(consumed_at, now()) WHERE hash = $1',
    values: [hash],
  });
}

async function issue(tx: Transaction, row: CodeRow, { grants }: Client): Promise<string> {
  const now = row.now.getTime();
  const endsAt = now + FAMILY_LIFETIME_MS;
  const pair = makeTokenPair(row.scopes, now, endsAt, grants.includes('refresh_token'));
  await tx.query({
    name: 'family-create',
    text: `INSERT INTO oauth_family (id, client_id, person_id, scopes, farms, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [row.family_id, row.client_id, row.person_id, row.scopes, row.farms, row.now, new Date(endsAt)],
  });
  await storePair(tx, row.family_id, row.scopes, row.now, pair);
  return JSON.stringify(pair.answer satisfies TokenAnswer);
}

/** Stores what the tokens are found by. */
async function storePair(
  tx: Transaction,
  familyId: string,
  scopes: readonly string[],
  now: Date,
  pair: TokenPair,
): Promise<void> {
  const { access_token: access, refresh_token: refresh } = pair.answer;
  await tx.query({
    name: 'access-issue',
    text: 'INSERT INTO oauth_access (hash, family_id, scopes, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5)',
    values: [hashOf(access), familyId, scopes, now, pair.accessExpiresAt],
  });
  if (refresh === undefined) return;
  await tx.query({
    name: 'refresh-issue',
    text: 'INSERT INTO oauth_refresh (hash, id, family_id, expires_at) VALUES ($1, $2, $3, $4)',
    values: [hashOf(refresh), randomUUID(), familyId, pair.refreshExpiresAt],
  });
}

function toCode(row: CodeRow): IssuedCode {
  return {
    clientId: row.client_id,
    redirectUri: row.redirect_uri,
    redirectGiven: row.redirect_given,
    ...(row.challenge !== null && { challenge: row.challenge }),
    expiresAt: row.expires_at.getTime(),
    consumed: row.consumed_at !== null,
    enabled: row.enabled,
  };
}

function refused(reason: RefusalReason): Exchanged {
  return { outcome: 'refused', error: 'invalid_grant', reason };
}
