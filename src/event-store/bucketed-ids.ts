import { randomUUIDv7 } from 'node:crypto';
import { bucketOf } from './bucket.js';

/** Ids of one kind of thing, such as `rpt-d9-019f…`. They carry the bucket of their tenant, so that every statement can name it. */
export class BucketedIds {
  private readonly pattern: RegExp;

  constructor(private readonly prefix: string) {
    this.pattern = new RegExp(
      `^${prefix}-([0-9a-f]{2})-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
    );
  }

  next(tenantId: string): string {
    return `${this.prefix}-${bucketOf(tenantId).toString(16).padStart(2, '0')}-${randomUUIDv7()}`;
  }

  /** The bucket in an id, or undefined when it is no id of this kind. */
  bucketOf(id: string): number | undefined {
    const hex = this.pattern.exec(id)?.[1];
    return hex === undefined ? undefined : Number.parseInt(hex, 16);
  }
}
