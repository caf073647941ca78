import { describe, expect, it } from '@jest/globals';
import { secondsLeft, secondsUntil } from './outlook.js';

describe('the time until a report ends', () => {
  it.each([
    ['has just begun', 8, 0, 8],
    ['has run for a part of the usual time', 8, 3, 5],
    ['is about to end', 8, 7.9, 2],
    ['takes longer than usual', 8, 40, 10],
    ['takes much longer than usual', 8, 3_600, 60],
    ['is quick', 0.02, 0, 1],
    ['was begun by a clock that is ahead', 8, -2, 10],
  ])('of one that %s', (_, usual, taken, seconds) => {
    expect(secondsLeft(usual, taken)).toBe(seconds);
  });

  it.each([
    ['nothing before it', 0, 0, 2, 5, 5],
    ['quick ones before it', 10, 2, 0.02, 0.02, 1],
    ['ten before it and two at work', 10, 2, 4, 5, 25],
    ['ten before it and nobody at work', 10, 0, 4, 5, 45],
    ['thousands before it', 2_000, 2, 4, 5, 60],
  ])('of one with %s', (_, before, running, each, itself, seconds) => {
    expect(secondsUntil(before, { waiting: before, running }, each, itself)).toBe(seconds);
  });
});
