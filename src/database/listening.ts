import { Client } from 'pg';
import type { Database } from './database.js';

/** What is listened to, and who hears it. */
export interface Listener {
  readonly channel: string;
  /** What the server shows the connection as. */
  readonly applicationName: string;
  hear(payload: string): void;
  /** Called each time it begins to listen; what was said before may have been missed. */
  begin?(): void;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

/** A connection of its own that listens to a channel (LISTEN), and is made anew, less and less often, when it breaks. */
export class Listening {
  private connection: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private retryMs = FIRST_RETRY_MS;
  private state: 'idle' | 'open' | 'closed' = 'idle';
  private hearing = false;

  constructor(
    private readonly database: Database,
    private readonly listener: Listener,
  ) {}

  /** While it is false, what is said may be missed. */
  get isHearing(): boolean {
    return this.hearing;
  }

  /** Begins to listen, once. */
  open(): void {
    if (this.state !== 'idle') return;
    this.state = 'open';
    void this.connect();
  }

  async close(): Promise<void> {
    this.state = 'closed';
    clearTimeout(this.retry);
    await this.connection?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const { channel, applicationName } = this.listener;
    const connection = new Client({
      ...this.database.pool.options,
      application_name: applicationName,
      keepAlive: true,
    });
    this.connection = connection;
    connection.on('error', () => this.reconnect(connection));
    connection.on('end', () => this.reconnect(connection));
    connection.on('notification', ({ payload = '' }) => this.listener.hear(payload));
    try {
      await connection.connect();
      await connection.query(`LISTEN ${channel}`);
      this.retryMs = FIRST_RETRY_MS;
      this.listener.begin?.();
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
    if (this.state === 'closed') return;
    this.retry = setTimeout(() => void this.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
  }
}
