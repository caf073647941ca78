import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Account } from './account.js';
import { exists, UnsupportedPlatform } from './binaries.js';
import { isServer, leftOnlyItsNumber } from './server-process.js';

const run = promisify(execFile);

/** Line numbers of postmaster.pid, from 0. */
const PID = 0;
const PORT = 3;
const STATUS = 7;

/** Attempts to start, and the pause between: the last connections of a killed server may still hold its memory. */
const START_ATTEMPTS = 10;
const PORTS = [15_000, 32_000] as const;
const PAUSE_MILLISECONDS = 200;
const START_SECONDS = 300;

/** Exit and error codes of a program that the system cannot load, as on a Linux with another C library. */
const CANNOT_RUN: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOEXEC', 'EACCES', 126, 127]);

/** Text is compared by code point, so that an order never depends on the machine. */
const TEXT = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

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

  async create(user: string, password: string): Promise<void> {
    const { folder, account, settings } = this.options;
    const draft = `${folder}.draft`;
    const passwordFile = `${folder}.password`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    try {
      if (account) for (const path of [draft, passwordFile]) await chown(path, account.uid, account.gid);
      const access = [`--username=${user}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
      const haste = settings?.fsync === 'off' ? ['--no-sync'] : [];
      await this.program('initdb', [`--pgdata=${draft}`, ...access, ...TEXT, ...haste, '--no-instructions']);
      await rename(draft, folder);
    } finally {
      await rm(passwordFile, { force: true });
    }
  }

  /** The port of the server when one is alive. Waits for one that is just starting or stopping. */
  async port(): Promise<number | undefined> {
    for (;;) {
      const lines = (await this.read('postmaster.pid'))?.split('\n') ?? [];
      const pid = Number(lines[PID]);
      if (!(pid > 0) || !(await isServer(pid, this.options.folder))) return undefined;
      if (lines[STATUS]?.trim() === 'ready') return Number(lines[PORT]);
      await pause(PAUSE_MILLISECONDS);
    }
  }

  /** Starts the server and answers its port: `wanted` when that is free. Throws when the cluster is of another release. */
  async start(wanted?: number): Promise<number> {
    await this.requireSameRelease();
    for (let attempt = 1; ; attempt++) {
      await this.forgetDeadServer();
      const port = await freePort(wanted);
      try {
        await this.startOn(port);
        return port;
      } catch (error) {
        if (attempt === START_ATTEMPTS || error instanceof UnsupportedPlatform) throw error;
        await pause(PAUSE_MILLISECONDS);
      }
    }
  }

  private async forgetDeadServer(): Promise<void> {
    const { folder } = this.options;
    const pid = parseInt((await this.read('postmaster.pid')) ?? '');
    if (pid > 0 && (await leftOnlyItsNumber(pid, folder))) await rm(join(folder, 'postmaster.pid'));
  }

  private async startOn(port: number): Promise<void> {
    const settings = Object.entries({ ...ALWAYS, ...this.options.settings }).map(
      ([name, value]) => `-c ${name}=${value}`,
    );
    const log = join(this.options.folder, 'server.log');
    try {
      const options = [`-p ${port}`, ...settings].join(' ');
      await this.control('start', `--timeout=${START_SECONDS}`, `--log=${log}`, `--options=${options}`);
    } catch (cause) {
      if (cause instanceof UnsupportedPlatform) throw cause;
      const said = (await this.read('server.log'))?.trimEnd().split('\n').slice(-5).join('\n') ?? '';
      throw new Error(`The embedded PostgreSQL in ${this.options.folder} did not start:\n${said}`, { cause });
    }
  }

  /** Ends every connection, and returns when the data is safe on disk. */
  stop(): Promise<void> {
    return this.control('stop', '--mode=fast');
  }

  private control(action: 'start' | 'stop', ...rest: string[]): Promise<void> {
    return this.program('pg_ctl', [action, '--pgdata', this.options.folder, '--wait', '--silent', ...rest]);
  }

  /** The environment stays behind: it may hold secrets, which the server's user could read, and PG… variables. */
  private async program(name: string, args: string[]): Promise<void> {
    const { binaries, account } = this.options;
    const env = process.platform === 'win32' ? {} : { env: { LC_ALL: 'C' } };
    try {
      await run(join(binaries, 'bin', name), args, { cwd: '/', ...account, ...env });
    } catch (error) {
      const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
      if (CANNOT_RUN.has(code))
        throw new UnsupportedPlatform(`${name} does not run (${String(code)}) ${stderr}`, error);
      throw new Error(`${name} failed: ${stderr}`, { cause: error });
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

  private async read(file: string): Promise<string | undefined> {
    return readFile(join(this.options.folder, file), 'utf8').catch(() => undefined);
  }
}

/**
 * PostgreSQL cannot choose a port by itself. Not one that systems give to outgoing connections: a client that tries again and
 * again while the server is away would sooner or later be given the very port it calls, and keep the server from it.
 */
async function freePort(wanted: number = randomInt(...PORTS)): Promise<number> {
  return (await isFree(wanted)) ? wanted : freePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
