import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { coalesce } from '../../database/coalesce.js';
import { requireSchema, SchemaMismatch } from '../../database/index.js';
import { OperatorConnection } from '../operator-connection.js';
import { Draining } from './draining.js';

/** What was looked at, and how long that took. `detail` says what is wrong. */
export interface Check {
  readonly status: 'up' | 'down';
  readonly milliseconds: number;
  readonly detail?: string;
}

/** `process`: started, and not told to stop. `migrations`: neither missing nor, in a breaking way, ahead of this code. */
export interface Readiness {
  readonly status: 'up' | 'down';
  readonly checks: Readonly<Record<'process' | 'database' | 'migrations', Check>>;
}

/** Looks whether this process can serve. Answers within seconds, whatever the database does. */
@Injectable()
export class ReadinessCheck implements OnApplicationBootstrap {
  private started = false;
  /** Those who ask at one moment share the looking: nobody loads the database by asking often. */
  private readonly look = coalesce(
    () => this.inspect(),
    () => 'readiness',
  );

  constructor(
    private readonly connection: OperatorConnection,
    private readonly draining: Draining,
  ) {}

  onApplicationBootstrap(): void {
    this.started = true;
  }

  readiness(): Promise<Readiness> {
    return this.look(undefined);
  }

  private async inspect(): Promise<Readiness> {
    const process = await check(() => this.processState());
    const database = await check(() => this.connection.query('SELECT 1').catch(notReachable));
    const migrations: Check =
      database.status === 'up'
        ? await check(() => requireSchema(this.connection).catch(notReadable))
        : { status: 'down', milliseconds: 0, detail: 'not looked at' };
    const checks = { process, database, migrations };
    const up = Object.values(checks).every(({ status }) => status === 'up');
    return { status: up ? 'up' : 'down', checks };
  }

  private processState(): void {
    if (this.draining.begun) throw new Error('draining');
    if (!this.started) throw new Error('starting');
  }
}

async function check(look: () => unknown): Promise<Check> {
  const begun = performance.now();
  const took = () => Math.round((performance.now() - begun) * 10) / 10;
  try {
    await look();
    return { status: 'up', milliseconds: took() };
  } catch (error) {
    return { status: 'down', milliseconds: took(), detail: (error as Error).message };
  }
}

/** Anyone may ask: an address, a user or the state of the server are nothing to tell. */
function notReachable(): never {
  throw new Error('not reachable');
}

function notReadable(error: unknown): never {
  throw error instanceof SchemaMismatch ? error : new Error('not readable');
}
