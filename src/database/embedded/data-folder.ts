import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { type Account, canEnter } from './account.js';
import { exists } from './binaries.js';
import { FileLock } from './file-lock.js';

/** Where root keeps clusters of data folders that the server's user cannot enter. */
const CLUSTERS_OF_ROOT = '/var/lib/muster';

/**
 * The folder of one embedded database: `postgres` (the cluster), `password` and `port` to reach it, `launch.lock` (held
 * while the server's state changes) and `users.lock` (shared by the processes that use it). When root makes it in a place
 * that the server's user cannot enter, `elsewhere` is a link to the folder under /var/lib/muster that has the cluster,
 * which then has to be removed with this one.
 */
export class DataFolder {
  private constructor(private readonly path: string) {}

  static async open(path: string): Promise<DataFolder> {
    try {
      await mkdir(path, { recursive: true, mode: 0o755 });
      await access(path, constants.W_OK);
      return new DataFolder(await realpath(path));
    } catch (cause) {
      const problem = `The folder of the embedded PostgreSQL, ${resolve(path)}, cannot be written by this user`;
      throw new Error(`${problem}: set MUSTER_DATA_DIR to one of your own`, { cause });
    }
  }

  get cluster(): string {
    return join(this.path, 'postgres');
  }

  /** Nobody else starts, stops or makes the server while `work` runs. */
  async launching<T>(work: () => Promise<T>): Promise<T> {
    const launch = await FileLock.exclusive(join(this.path, 'launch.lock'));
    try {
      return await work();
    } finally {
      launch.release();
    }
  }

  presence(): Promise<FileLock> {
    return FileLock.shared(join(this.path, 'users.lock'));
  }

  async hasUsers(): Promise<boolean> {
    const alone = await FileLock.ifFree(join(this.path, 'users.lock'));
    alone?.release();
    return alone === undefined;
  }

  /** Where the cluster lies: in the folder itself or, when the server's user cannot enter that, where it links to. */
  async clusterFor(account: Account | undefined): Promise<string> {
    const link = join(this.path, 'elsewhere');
    if (await exists(link)) return join(await readlink(link), 'postgres');
    if (await canEnter(this.path, account)) return this.cluster;
    if (await exists(this.cluster))
      throw new Error(`The owner of ${this.cluster} can no longer enter the folder it lies in`);
    return join(await this.makeElsewhere(link, account), 'postgres');
  }

  async lastPort(): Promise<number | undefined> {
    return Number(await this.read('port').catch(() => '')) || undefined;
  }

  keepPort(port: number): Promise<void> {
    return this.write('port', String(port));
  }

  password(): Promise<string> {
    return this.read('password');
  }

  async newPassword(): Promise<string> {
    await this.write('password', randomBytes(24).toString('base64url'));
    return this.password();
  }

  private async makeElsewhere(link: string, account: Account | undefined): Promise<string> {
    const around = await this.surroundings(account);
    await mkdir(around, { recursive: true, mode: 0o711 });
    const home = await mkdtemp(join(around, 'muster-embedded-'));
    await chmod(home, 0o711);
    await rm(link, { force: true });
    await symlink(home, link);
    return home;
  }

  /** What stands in for a temporary folder is temporary too. */
  private async surroundings(account: Account | undefined): Promise<string> {
    const temporary = await realpath(tmpdir());
    const fits = this.path.startsWith(temporary + sep) && (await canEnter(temporary, account));
    return fits ? temporary : CLUSTERS_OF_ROOT;
  }

  private read(name: string): Promise<string> {
    return readFile(join(this.path, name), 'utf8');
  }

  private write(name: string, text: string): Promise<void> {
    return writeFile(join(this.path, name), text, { mode: 0o600 });
  }
}
