import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { serverAccount } from '../../../src/database/embedded/account.js';
import { installedPostgres, packagedPostgres } from '../../../src/database/embedded/binaries.js';
import { Cluster } from '../../../src/database/embedded/cluster.js';
import { embeddedGenerationUrl, migrate } from '../../../src/database/index.js';

const run = promisify(execFile);

export const USER = 'muster';
export const PASSWORD = 'of-a-test';

/** What starts and stops a server. */
export interface Server {
  start(wanted?: number): Promise<number>;
  stop(): Promise<void>;
  port(): Promise<number | undefined>;
}

/** A PostgreSQL server that a scenario may kill, stop and fill. Durable as in production: `fsync` is on. */
export class OwnPostgres {
  private port = 0;

  private constructor(
    readonly folder: string,
    private readonly cluster: Server,
  ) {}

  /** A migrated one. `place` is a folder to put the data in, one of its own unless given. */
  static async start(place?: string, settings: Record<string, string> = {}): Promise<OwnPostgres> {
    const home = place ?? (await mkdtemp(join(tmpdir(), `muster-test-${process.pid}-`)));
    await chmod(home, 0o777);
    const folder = join(home, 'postgres');
    const cluster = new Cluster({
      binaries: await installedPostgres(await packagedPostgres()),
      folder,
      account: await serverAccount(folder),
      settings,
    });
    await cluster.create(USER, PASSWORD);
    const postgres = await OwnPostgres.over(home, cluster);
    await migrate(postgres.url, embeddedGenerationUrl(postgres.url));
    return postgres;
  }

  /** A streaming replica of this one, which is stopped for the time it takes to copy its data. */
  async replica(): Promise<OwnPostgres> {
    const home = await mkdtemp(join(tmpdir(), `muster-test-${process.pid}-`));
    await chmod(home, 0o777);
    const folder = join(home, 'postgres');
    await this.stop();
    await run('cp', ['-a', join(this.folder, 'postgres'), folder]);
    await this.restart();
    const source = `host=127.0.0.1 port=${this.port} user=${USER} password=${PASSWORD}`;
    await writeFile(join(folder, 'standby.signal'), '');
    await appendFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    const binaries = await installedPostgres(await packagedPostgres());
    const account = await serverAccount(folder);
    return OwnPostgres.over(home, new Cluster({ binaries, folder, account }));
  }

  /** The server whose data lies in `home`/postgres, started. Its owner is USER with PASSWORD. */
  static async over(home: string, server: Server): Promise<OwnPostgres> {
    const postgres = new OwnPostgres(home, server);
    await postgres.restart();
    return postgres;
  }

  /** As DATABASE_URL says it; connects as the owner unless the service takes on its role. */
  get url(): string {
    return this.urlAt(this.port);
  }

  urlAt(port: number): string {
    return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`;
  }

  get listeningPort(): number {
    return this.port;
  }

  /** Starts it where it was; the time in milliseconds at which it took a statement again. */
  async restart(): Promise<number> {
    this.port = await this.cluster.start(this.port || undefined);
    for (;;) {
      try {
        await this.query('SELECT 1');
        return performance.now();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  /** Starts it when it has ended, as whatever supervises a server does. */
  async ensureRunning(): Promise<void> {
    if ((await this.cluster.port()) === undefined) await this.restart();
  }

  /** An orderly stop that ends every connection. */
  stop(): Promise<void> {
    return this.cluster.stop();
  }

  /** SIGKILL to the server and to every process of it. */
  async kill(): Promise<void> {
    const data = join(this.folder, 'postgres');
    const server = parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8'));
    const all = [server, ...(await childrenOf(server))];
    for (const pid of all) signal(pid, 'SIGKILL');
    while (all.some((pid) => signal(pid, 0) && !zombie(pid))) await new Promise(setImmediate);
  }

  /** As the owner, over a connection of its own: whatever happened to earlier ones. */
  async query<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
    const client = await this.connect();
    try {
      return (await client.query<Row>(statement, values)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async remove(): Promise<void> {
    await this.stop().catch(() => this.kill().catch(() => undefined));
    await rm(join(this.folder, 'postgres'), { recursive: true, force: true, maxRetries: 10 });
    await rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const));
  return parents.filter(([, of]) => of === parent).map(([pid]) => pid);
}

async function parentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
}

const zombies = new Set<number>();

/** Killed, and not yet asked for its exit code by whoever adopted it. */
function zombie(pid: number): boolean {
  void readFile(`/proc/${pid}/stat`, 'utf8').then(
    (status) => status.includes(') Z ') && zombies.add(pid),
    () => zombies.add(pid),
  );
  return zombies.has(pid);
}

function signal(pid: number, what: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, what);
  } catch {
    return false;
  }
}
