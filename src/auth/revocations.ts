import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Client, type PoolClient } from 'pg';
import { Database, type Transaction } from '../database/database.js';

const CHANNEL = 'muster_revocation';
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

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
  private connection: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private retryMs = FIRST_RETRY_MS;
  private closed = false;
  private hearing = false;

  constructor(private readonly database: Database) {}

  get listening(): boolean {
    return this.hearing;
  }

  /** Begins to listen, on a connection of its own. */
  listen(handler: RevocationHandler, onReconnect: () => void): void {
    if (this.handlers.size === 0) this.database.pool.on('release', (_, client) => this.released(client));
    this.handlers.add(handler);
    this.reconnected.add(onReconnect);
    if (!this.connection) void this.connect();
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.connection?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const connection = new Client({
      ...this.database.pool.options,
      application_name: 'muster revocations',
      keepAlive: true,
    });
    this.connection = connection;
    connection.on('error', () => this.reconnect(connection));
    connection.on('end', () => this.reconnect(connection));
    connection.on('notification', ({ payload = '' }) => this.hear(payload));
    try {
      await connection.connect();
      await connection.query(`LISTEN ${CHANNEL}`);
      this.retryMs = FIRST_RETRY_MS;
      for (const forget of this.reconnected) forget();
      this.hearing = true;
    } catch {
      await connection.end().catch(() => undefined);
      this.reconnect(connection);
    }
  }

  private reconnect(lost: Client): void {
    if (this.connection !== lost) return;
    this.hearing = false;
    this.connection = undefined;
    if (this.closed) return;
    this.retry = setTimeout(() => void this.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
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
