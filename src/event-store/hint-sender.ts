import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { Database, type Transaction } from '../database/database.js';

/** The channel on which processes tell each other which buckets have new events: `3,17,250`. */
export const HINT_CHANNEL = 'muster_event';

const GATHER_MS = 10;

/**
 * Tells listeners after a commit that a bucket has grown. A hint may be lost and may be false: polling is the truth.
 *
 * It is a statement of its own, at most one in 10 ms, since transactions that NOTIFY commit one after another. The commit
 * has happened when the pool has the connection back.
 */
@Injectable()
export class HintSender implements OnModuleDestroy {
  private readonly uncommitted = new WeakMap<PoolClient, number>();
  private readonly grown = new Set<number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {
    database.pool.on('release', (_error, client) => this.released(client));
  }

  /** A bucket that grows when `tx` commits. */
  afterCommit(tx: Transaction, bucket: number): void {
    this.uncommitted.set(tx.client, bucket);
  }

  /** A bucket that has grown. */
  committed(bucket: number): void {
    this.grown.add(bucket);
    this.timer ??= setTimeout(() => this.send(), GATHER_MS).unref();
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  private released(client: PoolClient): void {
    const bucket = this.uncommitted.get(client);
    if (bucket === undefined) return;
    this.uncommitted.delete(client);
    this.committed(bucket);
  }

  private send(): void {
    const buckets = [...this.grown].join(',');
    this.grown.clear();
    this.timer = undefined;
    // A hint need not survive a crash, so its commit does not wait for the disk.
    const statement = `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${HINT_CHANNEL}', $1)`;
    this.database.query(statement, [buckets]).catch(() => undefined);
  }
}
