import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account.js';
import { exists, UnsupportedPlatform } from './binaries.js';

const run = promisify(execFile);

/** Line numbers of postmaster.pid, from 0. */
const PID = 0;
const PORT = 3;

const ALWAYS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export interface ClusterOptions {
  /** Folder of the server's programs. */
  readonly binaries: string;
  /** Folder of the data; the account can enter the folder it lies in. */
  readonly folder: string;
  readonly account: Account | undefined;
  /** Settings of postgresql.conf beside our own, without spaces. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** One PostgreSQL cluster on disk and its server. Callers see to it that only one process at a time changes its state. */
export class Cluster {
  constructor(private readonly options: ClusterOptions) {}

  exists(): Promise<boolean> {
    return exists(join(this.options.folder, 'PG_VERSION'));
  }

  /** Text is compared by code point, so that an order never depends on the machine. */
  async create(user: string, password: string): Promise<void> {
    const { folder, account, settings } = this.options;
    const draft = `${folder}.draft`;
    const passwordFile = `${folder}.password`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    try {
      if (account) for (const path of [draft, passwordFile]) await chown(path, account.uid, account.gid);
      const secrets = ['--username', user, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
      const text = [
        '--encoding',
        'UTF8',
        '--locale',
        'C',
        '--locale-provider',
        'builtin',
        '--builtin-locale',
        'C.UTF-8',
      ];
      await this.program('initdb', [
        '--pgdata',
        draft,
        ...secrets,
        ...text,
        '--no-instructions',
        ...(settings?.fsync === 'off' ? ['--no-sync'] : []),
      ]);
      await rename(draft, folder);
    } finally {
      await rm(passwordFile, { force: true });
    }
  }

  /** The port of the server, when one is alive. */
  async port(): Promise<number | undefined> {
    const lines = (await this.read('postmaster.pid'))?.split('\n') ?? [];
    const pid = Number(lines[PID]);
    if (!(pid > 0) || !isAlive(pid) || !(await this.isOurs(pid))) return undefined;
    return Number(lines[PORT]);
  }

  /** Starts the server and answers its port: `wanted` when that is free. Throws when the cluster is of another release. */
  async start(wanted?: number): Promise<number> {
    await this.requireSameRelease();
    const port = await freePort(wanted);
    const settings = Object.entries({ ...ALWAYS, ...this.options.settings }).map(
      ([name, value]) => `-c ${name}=${value}`,
    );
    const log = join(this.options.folder, 'server.log');
    try {
      await this.control('start', '--log', log, '--options', [`-p ${port}`, ...settings].join(' '));
    } catch (cause) {
      const said = (await this.read('server.log'))?.trimEnd().split('\n').slice(-5).join('\n') ?? '';
      throw new Error(`The embedded PostgreSQL in ${this.options.folder} did not start:\n${said}`, { cause });
    }
    return port;
  }

  /** Ends every connection, and returns when the data is safe on disk. */
  stop(): Promise<void> {
    return this.control('stop', '--mode', 'fast');
  }

  private control(...args: [action: string, ...rest: string[]]): Promise<void> {
    const [action, ...rest] = args;
    return this.program('pg_ctl', [action, '--pgdata', this.options.folder, '--wait', '--silent', ...rest]);
  }

  /** The environment stays behind: it may hold secrets, which the server's user could read, and PG… variables. */
  private async program(name: string, args: string[]): Promise<void> {
    const { binaries, account } = this.options;
    const env = process.platform === 'win32' ? {} : { env: { LC_ALL: 'C' } };
    try {
      await run(join(binaries, 'bin', name), args, { cwd: '/', ...account, ...env });
    } catch (error) {
      const { code, stderr } = error as { code?: unknown; stderr?: string };
      if (code === 'ENOENT' || code === 'ENOEXEC' || code === 127)
        throw new UnsupportedPlatform(`${name} does not run (${stderr || String(code)})`, error);
      throw new Error(`${name} failed: ${stderr ?? String(error)}`, { cause: error });
    }
  }

  private async requireSameRelease(): Promise<void> {
    const made = (await this.read('PG_VERSION'))?.trim();
    const { stdout } = await run(join(this.options.binaries, 'bin/postgres'), ['--version'], {
      cwd: '/',
      ...this.options.account,
    });
    const ours = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
    if (made === ours) return;
    throw new Error(
      `${this.options.folder} was made by PostgreSQL ${made} and this release embeds ${ours}: dump it with the release that made it, or set MUSTER_DATA_DIR to a new folder`,
    );
  }

  /** After a restart of the machine another program may have got the number that a killed server left behind. */
  private async isOurs(pid: number): Promise<boolean> {
    if (process.platform !== 'linux') return true;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.includes(this.options.folder);
  }

  private async read(file: string): Promise<string | undefined> {
    return readFile(join(this.options.folder, file), 'utf8').catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** PostgreSQL cannot choose a port by itself. */
function freePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort())));
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
