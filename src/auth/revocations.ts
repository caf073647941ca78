import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { Database, type Transaction } from '../database/database.js';
import { Listening } from '../database/listening.js';

const CHANNEL = 'muster_revocation';

/** Told that whatever rests on this, such as `api-key:ak_…` or `family:…`, has ended. */
export type RevocationHandler = (ended: string) => void;

/** What transactions that still run have announced. */
const uncommitted = new WeakMap<PoolClient, string[]>();

/** Tells every process, when the transaction commits, that what rests on `ended` has ended: this one before anybody is answered. */
export async function announce(tx: Transaction, ended: string): Promise<void> {
  uncommitted.set(tx.client, [...(uncommitted.get(tx.client) ?? []), ended]);
  await tx.query(`SELECT pg_notify('${CHANNEL}', $1)`, [ended]);
}

/**
 * Hears in every process what this or another one has revoked. While `listening` is false notices may be lost, and each time it turns
 * true again some may have been: `onReconnect` is called then.
 */
@Injectable()
export class Revocations implements OnModuleDestroy {
  private readonly handlers = new Set<RevocationHandler>();
  private readonly reconnected = new Set<() => void>();
  private readonly connection: Listening;

  constructor(private readonly database: Database) {
    this.connection = new Listening(database, {
      channel: CHANNEL,
      applicationName: 'muster revocations',
      hear: (ended) => this.hear(ended),
      begin: () => {
        for (const forget of this.reconnected) forget();
      },
    });
  }

  get listening(): boolean {
    return this.connection.isHearing;
  }

  /** Begins to listen, on a connection of its own. */
  listen(handler: RevocationHandler, onReconnect: () => void): void {
    if (this.handlers.size === 0) this.database.pool.on('release', (_, client) => this.released(client));
    this.handlers.add(handler);
    this.reconnected.add(onReconnect);
    this.connection.open();
  }

  async onModuleDestroy(): Promise<void> {
    await this.connection.close();
  }

  /** The transaction has ended when the pool has its connection back. A false word of one rolled back does no harm. */
  private released(client: PoolClient): void {
    for (const ended of uncommitted.get(client) ?? []) this.hear(ended);
    uncommitted.delete(client);
  }

  private hear(ended: string): void {
    for (const handler of this.handlers) handler(ended);
  }
}
