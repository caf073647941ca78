import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { failureOf, isGivenUp, judge } from './verdict.js';

const schedule = [5, 300, 1800];
const answered = (status: number, retryAfterSeconds?: number) => ({
  status,
  durationMs: 10,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

describe('an attempt', () => {
  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [301, 'retrying'],
    [308, 'retrying'],
    [400, 'retrying'],
    [404, 'retrying'],
    [410, 'gone'],
    [429, 'retrying'],
    [503, 'retrying'],
  ])('that was answered with %i is %s', (status, outcome) => {
    expect(judge(answered(status), 0, schedule, 0).outcome).toBe(outcome);
  });

  it('without an answer is tried again', () => {
    expect(judge({ error: 'timeout', durationMs: 20_000 }, 0, schedule, 0).outcome).toBe('retrying');
  });

  it.each([
    [0, 0, 5],
    [0, 1, 6],
    [1, 0.5, 330],
    [2, 0, 1800],
  ])('after %i others with chance %d waits %d seconds for the next', (tries, chance, afterSeconds) => {
    expect(judge(answered(500), tries, schedule, chance)).toEqual({ outcome: 'retrying', afterSeconds });
  });

  it('that was the last of the schedule has failed', () => {
    expect(judge(answered(500), 3, schedule, 0)).toEqual({ outcome: 'failed' });
  });

  it('whose receiver says when to come back waits as long, up to a day', () => {
    expect(judge(answered(503, 60), 0, schedule, 0)).toEqual({ outcome: 'retrying', afterSeconds: 60 });
    expect(judge(answered(503, 60), 1, schedule, 0)).toEqual({ outcome: 'retrying', afterSeconds: 300 });
    expect(judge(answered(503, 1e9), 0, schedule, 0)).toEqual({ outcome: 'retrying', afterSeconds: 86_400 });
  });

  it('never waits less than the schedule says, nor more than a fifth longer', () => {
    const chances = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.nat({ max: 2 }),
        chances,
        fc.integer({ min: 300, max: 599 }),
        (tries, chance, status) => {
          const verdict = judge(answered(status), tries, schedule, chance);
          if (verdict.outcome !== 'retrying') return status === 410;
          const delay = schedule[tries]!;
          return verdict.afterSeconds >= delay && verdict.afterSeconds <= delay * 1.2;
        },
      ),
    );
  });
});

it('an endpoint is given up after five days of failure, not before', () => {
  const day = 86_400_000;
  expect(isGivenUp(undefined, 9 * day)).toBe(false);
  expect(isGivenUp(1, 5 * day)).toBe(false);
  expect(isGivenUp(1, 5 * day + 1)).toBe(true);
});

it.each([
  [answered(302), 'it answered 302: redirects are not followed'],
  [answered(410), 'it answered 410: it is gone'],
  [answered(500), 'it answered 500'],
  [
    { error: 'it could not be reached (ECONNREFUSED)', durationMs: 1 },
    'it could not be reached (ECONNREFUSED)',
  ],
])('the log says of %j: %s', (result, words) => {
  expect(failureOf(result)).toBe(words);
});
