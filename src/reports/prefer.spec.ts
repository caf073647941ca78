import { expect, it } from '@jest/globals';
import { LONGEST_WAIT, preferredWait } from './prefer.js';

it.each<[string | undefined, number | undefined]>([
  ['wait=10', 10],
  ['Wait=10', 10],
  ['wait="10"', 10],
  ['wait = 10', 10],
  ['respond-async, wait=10', 10],
  ['respond-async; x="a,b\\"c", wait=10;y', 10],
  ['wait=5, wait=10', 5],
  ['wait=0', 0],
  ['wait=100000000000000000000', LONGEST_WAIT],
  [', ,wait=7', 7],
  ['handling=lenient;wait=3', undefined],
  ['wait', undefined],
  ['wait=', undefined],
  ['wait=-1', undefined],
  ['wait=1.5', undefined],
  ['wait=soon', undefined],
  ['wait=5 10', undefined],
  ['"wait"=5', undefined],
  ['waiting=5', undefined],
  ['wait="5', undefined],
  ['', undefined],
  [undefined, undefined],
])('Prefer: %s waits for %p seconds', (header, seconds) => {
  expect(preferredWait(header)).toBe(seconds);
});
