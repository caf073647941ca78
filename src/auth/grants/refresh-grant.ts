import type { RefusalReason } from './refusal.js';
import { narrow } from './scope.js';

/** Milliseconds after its use in which a refresh token answers what it answered then. */
export const GRACE_MS = 10_000;

/** A refresh token as it is stored, with its family. Times in Unix milliseconds. */
export interface IssuedRefreshToken {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  readonly spentAt?: number;
  /** The token it was exchanged for has been used itself. */
  readonly successorSpent: boolean;
  readonly revoked: boolean;
  /** Its person and client may still act. */
  readonly enabled: boolean;
}

/** A refresh by an authenticated client. */
export interface Refresh {
  readonly clientId: string;
  /** As it was sent; undefined for all that was granted. */
  readonly scope?: string;
  readonly now: number;
}

export type RefreshDecision =
  | { readonly outcome: 'rotate'; readonly scopes: readonly string[] }
  /** The same answer again: several requests of a client refreshed at once, or an answer was lost. */
  | { readonly outcome: 'repeat' }
  | {
      readonly outcome: 'refuse';
      readonly error: 'invalid_grant' | 'invalid_scope';
      readonly reason: RefusalReason;
      /** Somebody else holds a copy: nothing of this family is trusted any more (RFC 9700 4.14). */
      readonly revokeFamily: boolean;
    };

/** What a refresh token gives. Only `rotate` spends it. */
export function decideRefresh(token: IssuedRefreshToken | undefined, asked: Refresh): RefreshDecision {
  if (!token) return refuse('unknown');
  if (token.clientId !== asked.clientId) return refuse('another-client');
  if (token.revoked) return refuse('revoked');
  if (!token.enabled) return refuse('disabled');
  if (token.spentAt !== undefined && !inGrace(token, token.spentAt, asked.now)) return reused();
  if (token.expiresAt <= asked.now) return refuse('expired');
  const scopes = narrow(token.scopes, asked.scope);
  if (!scopes) return { outcome: 'refuse', error: 'invalid_scope', reason: 'scope', revokeFamily: false };
  return token.spentAt === undefined ? { outcome: 'rotate', scopes } : { outcome: 'repeat' };
}

function inGrace({ successorSpent }: IssuedRefreshToken, spentAt: number, now: number): boolean {
  return !successorSpent && now < spentAt + GRACE_MS;
}

function refuse(reason: RefusalReason): RefreshDecision {
  return { outcome: 'refuse', error: 'invalid_grant', reason, revokeFamily: false };
}

function reused(): RefreshDecision {
  return { outcome: 'refuse', error: 'invalid_grant', reason: 'refresh-token-reused', revokeFamily: true };
}
