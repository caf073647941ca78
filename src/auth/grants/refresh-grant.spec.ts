import { describe, expect, it } from '@jest/globals';
import { decideRefresh, GRACE_MS, type IssuedRefreshToken, type Refresh } from './refresh-grant.js';

const token: IssuedRefreshToken = {
  clientId: 'app',
  scopes: ['read:reports', 'write:reports'],
  expiresAt: 1_000_000,
  successorSpent: false,
  revoked: false,
  enabled: true,
};

const given = (stored: Partial<IssuedRefreshToken> = {}) => ({
  when: (asked: Partial<Refresh> = {}) =>
    decideRefresh({ ...token, ...stored }, { clientId: 'app', now: 50_000, ...asked }),
});
const refused = (reason: string, revokeFamily = false) => ({
  outcome: 'refuse',
  error: 'invalid_grant',
  reason,
  revokeFamily,
});

describe('a refresh token', () => {
  it('in force is exchanged, with all that was granted', () => {
    expect(given().when()).toEqual({ outcome: 'rotate', scopes: token.scopes });
  });

  it('that nobody issued is refused', () => {
    expect(decideRefresh(undefined, { clientId: 'app', now: 0 })).toEqual(refused('unknown'));
  });

  it('of another client is refused and costs its owner nothing, spent or not', () => {
    expect(given().when({ clientId: 'other' })).toEqual(refused('another-client'));
    expect(given({ spentAt: 1 }).when({ clientId: 'other' })).toEqual(refused('another-client'));
  });

  it('of a revoked family, or of somebody disabled since, is refused', () => {
    expect(given({ revoked: true }).when()).toEqual(refused('revoked'));
    expect(given({ enabled: false }).when()).toEqual(refused('disabled'));
  });

  it('is good until the millisecond it expires', () => {
    expect(given().when({ now: 999_999 })).toMatchObject({ outcome: 'rotate' });
    expect(given().when({ now: 1_000_000 })).toEqual(refused('expired'));
  });
});

describe('a spent refresh token', () => {
  it('inside the grace repeats its answer', () => {
    expect(given({ spentAt: 50_000 }).when()).toEqual({ outcome: 'repeat' });
    expect(given({ spentAt: 50_000 }).when({ now: 50_000 + GRACE_MS - 1 })).toEqual({ outcome: 'repeat' });
  });

  it('after the grace takes its family along', () => {
    expect(given({ spentAt: 50_000 }).when({ now: 50_000 + GRACE_MS })).toEqual(
      refused('refresh-token-reused', true),
    );
  });

  it('whose successor has been used takes its family along, even inside the grace', () => {
    expect(given({ spentAt: 50_000, successorSpent: true }).when()).toEqual(
      refused('refresh-token-reused', true),
    );
  });

  it('that has expired too still tells of the theft', () => {
    expect(given({ spentAt: 1 }).when({ now: 2_000_000 })).toEqual(refused('refresh-token-reused', true));
  });
});

describe('the scope', () => {
  it('may be narrowed', () => {
    expect(given().when({ scope: 'read:reports' })).toEqual({ outcome: 'rotate', scopes: ['read:reports'] });
  });

  it.each([
    'read:reports read:records',
    'everything',
    'read:reports  write:reports',
    ' read:reports',
    'read:"reports"',
  ])('may not be %j, and the token is not spent', (scope) => {
    expect(given().when({ scope })).toMatchObject({
      outcome: 'refuse',
      error: 'invalid_scope',
      revokeFamily: false,
    });
  });
});
