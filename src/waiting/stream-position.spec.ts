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
        const position = new StreamPosition();
        for (const [bucket, at] of Object.entries(followed)) position.set(Number(bucket), at);
        const read = StreamPosition.read(position.toString());
        const wrong = Array.from({ length: 256 }, (_, bucket) => bucket).filter(
          (bucket) => read?.get(bucket) !== (followed[bucket] ?? -1),
        );
        expect(wrong).toEqual([]);
      }),
    );
  });

  it('takes some 700 characters for every bucket of a busy service', () => {
    const position = new StreamPosition();
    for (let bucket = 0; bucket < 256; bucket++) position.set(bucket, 10_000);
    expect(position.toString().length).toBeLessThanOrEqual(1_024);
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
