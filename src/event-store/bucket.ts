import { hash } from 'node:crypto';

/** Tenants spread over this many buckets, numbered from 0. */
export const BUCKETS = 256;

/** For statements about all of them. */
export const EVERY_BUCKET: readonly number[] = Array.from({ length: BUCKETS }, (_, bucket) => bucket);

/** In place of the tenant of streams whose farm was erased: no tenant has an empty id. */
export const ERASED_TENANT = '';
/** Type of what is left of an event whose farm was erased: its place. No fold knows it. */
export const ERASED_EVENT = 'Erased';

/** Where a tenant's rows lie: the first byte of SHA-256 of its id. */
export function bucketOf(tenantId: string): number {
  return hash('sha256', tenantId, 'buffer').readUInt8(0);
}
