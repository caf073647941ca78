import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { connectThread } from './thread-task.js';

/** How long a report waits for the replica to have come as far as the primary was, before it is made from the primary. */
const CATCH_UP_MS = 3_000;
const LOOK_AGAIN_MS = 20;
/** A replica that was away or behind is not asked again before this. */
const REST_MS = 15_000;

/** What a connection is for; the server shows it as its application. */
type Purpose = 'generation records' | 'generation copies' | 'generation artifacts' | 'explanation';

/** A server that records are read from. */
export interface Reading {
  readonly records: Client;
  /** Sends long results. */
  readonly copies: Client;
  /** Ends the transactions of both. */
  commit(): Promise<void>;
}

/** Why the records are not read from the replica. */
export class ReplicaPassedOver extends Error {}

/** What a thread holds open to one server from task to task; what broke, or could not be opened, is opened anew. */
export class ServerConnections {
  private readonly open = new Map<string, Promise<Client>>();

  constructor(
    private readonly url: string,
    private readonly connectWithinMs = 0,
  ) {}

  async reading(): Promise<Reading> {
    const [records, copies] = await Promise.all([
      this.connection('generation records'),
      this.connection('generation copies'),
    ]);
    const commit = async () => {
      await records.query('COMMIT');
      // One that a generator stopped reading from is of no more use.
      await copies.query('COMMIT').catch(() => this.forget('generation copies'));
    };
    return { records, copies, commit };
  }

  connection(what: Purpose): Promise<Client> {
    const known = this.open.get(what);
    if (known) return known;
    const forget = () => this.open.get(what) === opening && this.forget(what);
    const opening = this.connect(what, forget);
    this.open.set(what, opening);
    opening.then((client) => client.once('end', forget), forget);
    return opening;
  }

  private forget(what: Purpose): void {
    this.open.delete(what);
  }

  private async connect(what: Purpose, lost: () => void): Promise<Client> {
    const client = await connectThread(this.url, what, lost, this.connectWithinMs);
    // What is committed here is flushed at the latest with the report's completion, which comes later in the same log.
    if (what === 'generation artifacts') await client.query('SET synchronous_commit = off');
    return client;
  }

  async end(): Promise<void> {
    const clients = [...this.open.values()];
    this.open.clear();
    await Promise.all(clients.map((client) => client.then((one) => one.end()).catch(() => undefined)));
  }
}

/** A streaming replica, which may be behind and may be gone. */
export class Replica {
  private readonly connections: ServerConnections;
  private restsUntil = 0;

  constructor(url: string) {
    this.connections = new ServerConnections(url, CATCH_UP_MS);
  }

  /** Its connections, once it shows all that was committed before `position` of the primary's log. Throws ReplicaPassedOver. */
  async readingAt(position: string): Promise<Reading> {
    if (performance.now() < this.restsUntil)
      throw new ReplicaPassedOver('it was away or behind a moment ago');
    try {
      const reading = await this.connections.reading();
      await caughtUp(reading.records, position);
      return reading;
    } catch (error) {
      await this.rest();
      throw error instanceof ReplicaPassedOver
        ? error
        : new ReplicaPassedOver((error as Error).message, { cause: error });
    }
  }

  /** Leaves it alone for a while. */
  async rest(): Promise<void> {
    this.restsUntil = performance.now() + REST_MS;
    await this.end();
  }

  end(): Promise<void> {
    return this.connections.end();
  }
}

async function caughtUp(replica: Client, position: string): Promise<void> {
  const until = performance.now() + CATCH_UP_MS;
  for (;;) {
    const { rows } = await replica.query<{ reached: boolean | null }>(
      'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() >= $1::pg_lsn END AS reached',
      [position],
    );
    const reached = rows[0]?.reached ?? undefined;
    if (reached === undefined) throw new ReplicaPassedOver('it is no replica');
    if (reached) return;
    if (performance.now() > until) throw new ReplicaPassedOver('it is too far behind');
    await pause(LOOK_AGAIN_MS);
  }
}
