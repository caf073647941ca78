import { describe, expect, it } from '@jest/globals';
import { readRange } from './download.js';

const SIZE = 100;
const TAG = '"a"';

describe('a Range', () => {
  it.each<[string, [number, number] | undefined]>([
    ['bytes=0-0', [0, 1]],
    ['bytes=2-9', [2, 10]],
    ['bytes=90-', [90, 100]],
    ['bytes=90-500', [90, 100]],
    ['BYTES=0-', [0, 100]],
    ['bytes=-5', [95, 100]],
    ['bytes=-100', [0, 100]],
    ['bytes=-99999999999999999999', [0, 100]],
    ['bytes=9-2', undefined],
    ['bytes=0-0,5-6', undefined],
    ['bytes=', undefined],
    ['bytes=-', undefined],
    ['bytes=a-b', undefined],
    ['bytes=1.5-3', undefined],
    ['bytes', undefined],
    ['rows=500-', undefined],
    ['rows=1-2', undefined],
  ])('%s of 100 bytes', (range, part) => {
    const read = readRange(range, undefined, TAG, SIZE);
    expect(read && [read.start, read.end]).toEqual(part);
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=99999999999999999999-'])(
    '%s of 100 bytes is not satisfiable',
    (range) => {
      expect(() => readRange(range, undefined, TAG, SIZE)).toThrow('The content has 100 bytes.');
    },
  );

  it('of nothing is not satisfiable', () => {
    expect(() => readRange('bytes=0-', undefined, TAG, 0)).toThrow('The content has 0 bytes.');
  });

  it('counts only for the content that If-Range names, strongly', () => {
    expect(readRange('bytes=2-9', TAG, TAG, SIZE)).toEqual({ start: 2, end: 10 });
    for (const other of ['"b"', 'W/"a"', 'Sat, 21 Nov 2026 08:00:00 GMT'])
      expect(readRange('bytes=2-9', other, TAG, SIZE)).toBeUndefined();
  });
});
