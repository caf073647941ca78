import type { RefusalReason } from './refusal.js';

/** A code as it is stored. Times in Unix milliseconds. */
export interface IssuedCode {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The redirect_uri was named at authorize, so it must be named again. */
  readonly redirectGiven: boolean;
  /** PKCE S256 challenge that came with the authorization request. */
  readonly challenge?: string;
  readonly expiresAt: number;
  readonly consumed: boolean;
  /** Its person and client may still act. */
  readonly enabled: boolean;
}

/** A redemption by an authenticated client. */
export interface CodeRedemption {
  readonly clientId: string;
  readonly redirectUri?: string;
  /** S256 of the verifier that was sent. */
  readonly challenge?: string;
  readonly now: number;
}

export type RedemptionDecision =
  | { readonly outcome: 'issue' }
  | {
      readonly outcome: 'refuse';
      readonly reason: RefusalReason;
      /** What was issued for this code falls with it (RFC 6749 10.5). */
      readonly revokeFamily: boolean;
    };

/** Whether a code is good. Whatever the answer, the code is burnt by having been presented. */
export function decideRedemption(code: IssuedCode | undefined, asked: CodeRedemption): RedemptionDecision {
  if (!code) return refuse('unknown');
  if (code.clientId !== asked.clientId) return refuse('another-client');
  if (code.consumed) return { outcome: 'refuse', reason: 'code-replayed', revokeFamily: true };
  if (code.expiresAt <= asked.now) return refuse('expired');
  if (!code.enabled) return refuse('disabled');
  if (redirectDiffers(code, asked.redirectUri)) return refuse('redirect-uri-differs');
  return decideProof(code.challenge, asked.challenge);
}

function redirectDiffers({ redirectGiven, redirectUri }: IssuedCode, sent: string | undefined): boolean {
  return sent === undefined ? redirectGiven : sent !== redirectUri;
}

/** RFC 7636, and RFC 9700 2.1.1: a verifier for a code without a challenge is a downgrade. */
function decideProof(stored: string | undefined, presented: string | undefined): RedemptionDecision {
  if (stored === presented) return { outcome: 'issue' };
  if (stored === undefined) return refuse('verifier-unasked');
  return refuse(presented === undefined ? 'verifier-missing' : 'verifier-wrong');
}

function refuse(reason: RefusalReason): RedemptionDecision {
  return { outcome: 'refuse', reason, revokeFamily: false };
}
