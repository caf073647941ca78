import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { AuditRule, Finding } from './audit-rule.js';
import { inSnapshot } from './snapshot.js';

const BUCKETS = 256;
/** More of one rule in one bucket tell nothing new. */
const FINDINGS_OF_A_RULE = 100;

/** What is looked at: everything unless narrowed. */
export interface AuditScope {
  readonly buckets?: readonly number[];
  /** The tables without a bucket too. Unless said, when no bucket is named. */
  readonly shared?: boolean;
  readonly farm?: string;
  /** Report ids, by the bucket they lie in. */
  readonly acknowledged?: ReadonlyMap<number, readonly string[]>;
}

export interface AuditWatcher {
  found(finding: Finding): void;
  /** A bucket is done: how many of how many. */
  done(buckets: number, of: number): void;
}

/** The promises of all modules about their tables, and whether they hold. */
@Injectable()
export class Audit {
  private readonly rules: AuditRule[] = [];

  /** Registers what a module promises; call it in `onModuleInit`. */
  add(rule: AuditRule): void {
    this.rules.push(rule);
  }

  /**
   * Judges every rule bucket by bucket, each bucket as it is at one moment, as many at a time as `pool` has connections. Those
   * of the tables' owner: the audit does not depend on the role it audits. Safe beside the working service.
   */
  async run(pool: Pool, scope: AuditScope, watcher: AuditWatcher): Promise<void> {
    const due = [...(scope.buckets ?? Array.from({ length: BUCKETS }, (_, bucket) => bucket))];
    const all = due.length;
    const lane = async (): Promise<void> => {
      for (let bucket = due.shift(); bucket !== undefined; bucket = due.shift()) {
        await this.inspect(pool, scope, bucket, watcher);
        watcher.done(all - due.length, all);
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: pool.options.max }, lane));
    for (const result of lanes) if (result.status === 'rejected') throw result.reason;
    if (scope.shared ?? !scope.buckets) await this.inspectShared(pool, scope, watcher);
  }

  private async inspect(pool: Pool, scope: AuditScope, bucket: number, watcher: AuditWatcher): Promise<void> {
    const narrowed = { ...farmOf(scope), bucket, acknowledged: scope.acknowledged?.get(bucket) ?? [] };
    await inSnapshot(pool, async (tx) => {
      for (const rule of this.rules)
        if (rule.inspect) await report(rule, rule.inspect({ ...narrowed, tx }), watcher, bucket);
    });
  }

  private async inspectShared(pool: Pool, scope: AuditScope, watcher: AuditWatcher): Promise<void> {
    await inSnapshot(pool, async (tx) => {
      for (const rule of this.rules)
        if (rule.inspectShared)
          await report(rule, rule.inspectShared({ ...farmOf(scope), tx, acknowledged: [] }), watcher);
    });
  }
}

function farmOf({ farm }: AuditScope): { readonly farm?: string } {
  return farm === undefined ? {} : { farm };
}

async function report(
  { name }: AuditRule,
  findings: AsyncIterable<Finding>,
  watcher: AuditWatcher,
  bucket?: number,
): Promise<void> {
  const place = bucket === undefined ? {} : { bucket };
  let found = 0;
  try {
    for await (const finding of findings) {
      watcher.found({ ...finding, ...place });
      if (++found === FINDINGS_OF_A_RULE) return;
    }
  } catch (error) {
    // What is stored has another shape than the rule can read; other rules may still read it.
    if (!(error instanceof TypeError)) throw error;
    watcher.found({
      kind: `${name}/unreadable`,
      subject: 'what comes next',
      detail: error.message,
      ...place,
    });
  }
}
