import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Client } from 'pg';
import { Database } from '../database/database.js';
import { HINT_CHANNEL } from './hint-sender.js';

/** Told of the buckets that have new events. */
export type HintHandler = (buckets: readonly number[]) => void;

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

/**
 * Hears from every process, within some 10 ms of a commit, which buckets have new events; on one connection of its own,
 * opened for the first handler. Whoever listens also polls: hints get lost whenever that connection does.
 */
@Injectable()
export class HintListener implements OnModuleDestroy {
  private readonly handlers = new Set<HintHandler>();
  private connection: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private retryMs = FIRST_RETRY_MS;
  private state: 'idle' | 'listening' | 'closed' = 'idle';

  constructor(private readonly database: Database) {}

  /** Calls `handler` at every hint until the function it answers is called. */
  listen(handler: HintHandler): () => void {
    this.handlers.add(handler);
    if (this.state === 'idle') {
      this.state = 'listening';
      void this.connect();
    }
    return () => this.handlers.delete(handler);
  }

  async onModuleDestroy(): Promise<void> {
    this.state = 'closed';
    clearTimeout(this.retry);
    await this.connection?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const connection = new Client(this.database.pool.options);
    this.connection = connection;
    connection.on('error', () => undefined);
    connection.on('end', () => this.reconnect(connection));
    connection.on('notification', ({ payload = '' }) => this.hear(payload));
    try {
      await connection.connect();
      await connection.query(`LISTEN ${HINT_CHANNEL}`);
      this.retryMs = FIRST_RETRY_MS;
    } catch {
      await connection.end().catch(() => undefined);
      this.reconnect(connection);
    }
  }

  private reconnect(lost: Client): void {
    if (this.connection !== lost || this.state === 'closed') return;
    this.connection = undefined;
    this.retry = setTimeout(() => void this.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
  }

  private hear(payload: string): void {
    const buckets = payload.split(',').map(Number).filter(Number.isInteger);
    for (const handler of this.handlers) handler(buckets);
  }
}
