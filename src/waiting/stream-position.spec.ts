import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StreamPosition } from './stream-position.js';

describe('a position in a stream over many buckets', () => {
  it('comes back from its text', () => {
    const positions = fc.dictionary(fc.integer({ min: 0, max: 255 }).map(String), fc.maxSafeNat(), {
      maxKeys: 256,
    });
    fc.assert(
      fc.property(positions, (followed) => {
        const come = Object.entries(followed).map(([bucket, at]) => [Number(bucket), at] as const);
        const position = StreamPosition.of(come);
        const read = StreamPosition.read(position.toString());
        const wrong = Array.from({ length: 256 }, (_, bucket) => bucket).filter(
          (bucket) => read?.get(bucket) !== (followed[bucket] ?? -1),
        );
        expect(wrong).toEqual([]);
      }),
    );
  });

  it('takes some 700 characters for every bucket of a busy service', () => {
    const position = StreamPosition.of(Array.from({ length: 256 }, (_, bucket) => [bucket, 10_000] as const));
    expect(position.toString().length).toBeLessThanOrEqual(1_024);
  });

  it('is one and the same for all streams that have come as far, whichever way', () => {
    const ahead = StreamPosition.of([[1, 5]]).moved(2, 7);
    expect(StreamPosition.of([[2, 7]]).moved(1, 5)).toBe(ahead);
    expect(StreamPosition.of([[1, 5]]).moved(2, 7)).toBe(ahead);
    expect(ahead.moved(2, 8).get(2)).toBe(8);
    expect(ahead.get(2)).toBe(7);
  });

  it.each([
    ['other characters', '*'],
    ['half a byte', 'a'],
    ['a number cut short', 'gA'],
    ['a bucket without its position', 'AA'],
    ['a bucket beyond the last', Buffer.from([255, 1, 0, 1, 0]).toString('base64url')],
    ['a number beyond a position', Buffer.from([0, ...Array<number>(9).fill(255), 1]).toString('base64url')],
    ['more than any stream writes', 'AA'.repeat(3000)],
  ])('is not read from %s', (_, text) => {
    expect(StreamPosition.read(text)).toBeUndefined();
  });
});
