import { expect, it } from '@jest/globals';
import { bucketOf } from './bucket.js';

it.each([
  ['farm-1', 0xd9],
  ['', 0xe3],
  ['Þórsmörk', 0x19],
])('the bucket of %j is the first byte of its SHA-256', (tenantId, bucket) => {
  expect(bucketOf(tenantId)).toBe(bucket);
});
