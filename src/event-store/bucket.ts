import { createHash } from 'node:crypto';

/** Tenants spread over this many buckets, numbered from 0. */
export const BUCKETS = 256;

/** Where a tenant's rows lie: the first byte of SHA-256 of its id. */
export function bucketOf(tenantId: string): number {
  return createHash('sha256').update(tenantId).digest().readUInt8(0);
}
