import { describe, expect, it } from '@jest/globals';
import { type CodeRedemption, decideRedemption, type IssuedCode } from './code-grant.js';

const code: IssuedCode = {
  clientId: 'app',
  redirectUri: 'https://app.example/cb',
  redirectGiven: true,
  expiresAt: 60_000,
  consumed: false,
  enabled: true,
};
const redemption: CodeRedemption = { clientId: 'app', redirectUri: 'https://app.example/cb', now: 1_000 };

const given = (stored: Partial<IssuedCode> = {}) => ({
  when: (asked: Partial<CodeRedemption> = {}) =>
    decideRedemption({ ...code, ...stored }, { ...redemption, ...asked }),
});
const refused = (reason: string, revokeFamily = false) => ({ outcome: 'refuse', reason, revokeFamily });

describe('a code', () => {
  it('of the client, in time, with its redirect_uri, is good', () => {
    expect(given().when()).toEqual({ outcome: 'issue' });
  });

  it('that nobody issued is refused', () => {
    expect(decideRedemption(undefined, redemption)).toEqual(refused('unknown'));
  });

  it('of another client is refused, used or not', () => {
    expect(given().when({ clientId: 'other' })).toEqual(refused('another-client'));
    expect(given({ consumed: true }).when({ clientId: 'other' })).toEqual(refused('another-client'));
  });

  it('used before takes along what was issued for it, late as it may be', () => {
    expect(given({ consumed: true }).when()).toEqual(refused('code-replayed', true));
    expect(given({ consumed: true }).when({ now: 99_000 })).toEqual(refused('code-replayed', true));
  });

  it('is good until the last millisecond of its minute', () => {
    expect(given().when({ now: 59_999 })).toEqual({ outcome: 'issue' });
    expect(given().when({ now: 60_000 })).toEqual(refused('expired'));
  });

  it('of a person or client disabled since is refused', () => {
    expect(given({ enabled: false }).when()).toEqual(refused('disabled'));
  });
});

describe('the redirect_uri', () => {
  it('named at authorize must be named again', () => {
    expect(given().when({ redirectUri: undefined as never })).toEqual(refused('redirect-uri-differs'));
  });

  it('is compared as a string', () => {
    expect(given().when({ redirectUri: 'https://app.example/cb/' })).toEqual(refused('redirect-uri-differs'));
    expect(given().when({ redirectUri: 'HTTPS://app.example/cb' })).toEqual(refused('redirect-uri-differs'));
  });

  it('not named at authorize may be left out, and may not be another', () => {
    expect(given({ redirectGiven: false }).when({ redirectUri: undefined as never })).toEqual({
      outcome: 'issue',
    });
    expect(given({ redirectGiven: false }).when()).toEqual({ outcome: 'issue' });
    expect(given({ redirectGiven: false }).when({ redirectUri: 'https://evil.example' })).toEqual(
      refused('redirect-uri-differs'),
    );
  });
});

describe('the verifier', () => {
  it('must belong to the challenge', () => {
    expect(given({ challenge: 'c' }).when({ challenge: 'c' })).toEqual({ outcome: 'issue' });
    expect(given({ challenge: 'c' }).when({ challenge: 'd' })).toEqual(refused('verifier-wrong'));
    expect(given({ challenge: 'c' }).when()).toEqual(refused('verifier-missing'));
  });

  it('without a challenge is a downgrade', () => {
    expect(given().when({ challenge: 'c' })).toEqual(refused('verifier-unasked'));
  });
});
