import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serverAccount } from '../../../src/database/embedded/account.js';
import { freePort } from './ground.js';
import { PASSWORD, type Server, USER } from './own-postgres.js';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

/** A PostgreSQL of the system's, with the programs for backups that the embedded one lacks. Debian: apt-get install postgresql. */
export class InstalledPostgres implements Server {
  private running: number | undefined;

  private constructor(
    readonly home: string,
    private readonly bin: string,
  ) {}

  /** A place for a cluster, with none in it yet. */
  static async prepare(): Promise<InstalledPostgres> {
    const bin = process.env.PG_BIN ?? (await newest());
    const home = await mkdtemp(join(tmpdir(), `muster-test-${process.pid}-`));
    await chmod(home, 0o777);
    return new InstalledPostgres(home, bin);
  }

  get data(): string {
    return join(this.home, 'postgres');
  }

  async create(): Promise<void> {
    const secret = join(this.home, 'password');
    await writeFile(secret, PASSWORD, { mode: 0o644 });
    await this.program('initdb', [
      `--pgdata=${this.data}`,
      `--username=${USER}`,
      `--pwfile=${secret}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ]);
  }

  async start(wanted?: number): Promise<number> {
    this.running = wanted ?? (await freePort());
    const options = `-p ${this.running} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c timezone=UTC`;
    const log = `--log=${join(this.data, 'server.log')}`;
    await this.program('pg_ctl', [
      'start',
      '--pgdata',
      this.data,
      '--wait',
      '--silent',
      log,
      `--options=${options}`,
    ]);
    return this.running;
  }

  async stop(): Promise<void> {
    await this.program('pg_ctl', ['stop', '--pgdata', this.data, '--wait', '--silent', '--mode=fast']);
    this.running = undefined;
  }

  port(): Promise<number | undefined> {
    return readFile(join(this.data, 'postmaster.pid'), 'utf8').then(
      () => this.running,
      () => undefined,
    );
  }

  /** One of its programs, run as the user that its servers run as. */
  async program(name: string, args: readonly string[]): Promise<void> {
    const account = await serverAccount(this.home);
    if (account) await chown(this.home, account.uid, account.gid);
    await run(join(this.bin, name), [...args], {
      cwd: '/',
      ...account,
      env: { LC_ALL: 'C', PGPASSWORD: PASSWORD },
    });
  }
}

async function newest(): Promise<string> {
  const versions = await readdir(DEBIAN).catch(() => []);
  const version = versions.sort((one, other) => Number(other) - Number(one))[0];
  if (version === undefined)
    throw new Error(
      'backups need pg_dump and pg_basebackup: apt-get install postgresql, or say where they are in PG_BIN',
    );
  return join(DEBIAN, version, 'bin');
}
