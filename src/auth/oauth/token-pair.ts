import { makeSecret } from '../secret.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const CODE_LIFETIME_MS = 60_000;
const ACCESS_LIFETIME_MS = HOUR_MS;
/** Of a refresh token that is not used. */
const REFRESH_IDLE_MS = 30 * DAY_MS;
/** Of an authorization, however often it is refreshed. */
export const FAMILY_LIFETIME_MS = 365 * DAY_MS;

/** The fixed answer of the token endpoint. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  /** Absent when the client may not refresh. */
  readonly refresh_token?: string;
  readonly scope: string;
}

/** Fresh tokens and when they end. */
export interface TokenPair {
  readonly answer: TokenAnswer;
  readonly accessExpiresAt: Date;
  readonly refreshExpiresAt: Date;
}

/** Makes tokens that end with their family at the latest. Times in Unix milliseconds. */
export function makeTokenPair(
  scopes: readonly string[],
  now: number,
  familyEndsAt: number,
  refreshable: boolean,
): TokenPair {
  const accessEndsAt = Math.min(now + ACCESS_LIFETIME_MS, familyEndsAt);
  return {
    answer: {
      access_token: makeSecret('access-token'),
      token_type: 'Bearer',
      expires_in: Math.floor((accessEndsAt - now) / 1000),
      ...(refreshable && { refresh_token: makeSecret('refresh-token') }),
      scope: scopes.join(' '),
    },
    accessExpiresAt: new Date(accessEndsAt),
    refreshExpiresAt: new Date(Math.min(now + REFRESH_IDLE_MS, familyEndsAt)),
  };
}
