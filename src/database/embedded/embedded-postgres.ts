import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import type { Config } from '../../config.js';
import { type Account, canEnter, serverAccount } from './account.js';
import { exists, installedPostgres, packagedPostgres } from './binaries.js';
import { Cluster } from './cluster.js';
import { FileLock } from './file-lock.js';

const USER = 'muster';

/** Where root keeps clusters of data folders that the server's user cannot enter. */
const CLUSTERS_OF_ROOT = '/var/lib/muster';

type Settings = Pick<Config, 'NODE_ENV' | 'DATABASE_URL' | 'MUSTER_DATA_DIR'>;

/**
 * A real PostgreSQL server of our own in the data folder, shared by all processes that use that folder. The first to come
 * starts it, the last to leave stops it, and whoever finds it dead meanwhile starts it again on the same port. A process
 * that is killed leaves the server to the next one.
 *
 * The folder holds: `postgres` (the cluster), `password` and `port` to reach it, `launch.lock` (held while the server's
 * state changes) and `users.lock` (shared by the processes that use it). When root starts it in a place that the
 * server's user cannot enter, `elsewhere` is a link to the folder under /var/lib/muster that has the cluster instead.
 */
export class EmbeddedPostgres {
  private watcher?: Client;
  private left = false;

  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly cluster: Cluster,
    private readonly presence: FileLock,
  ) {}

  /** Throws UnsupportedPlatform where no PostgreSQL is packaged. `settings` go to a server that this call starts. */
  static async join(
    config: Settings,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<EmbeddedPostgres> {
    if (config.DATABASE_URL)
      throw new Error('The embedded PostgreSQL does not start where DATABASE_URL is set');
    if (config.NODE_ENV === 'production')
      throw new Error('The embedded PostgreSQL is not for production: set DATABASE_URL');
    const folder = resolve(config.MUSTER_DATA_DIR);
    await mkdir(folder, { recursive: true, mode: 0o755 });
    const binaries = await installedPostgres(await packagedPostgres());
    const launch = await FileLock.exclusive(join(folder, 'launch.lock'));
    try {
      const cluster = await clusterIn(folder, binaries, settings);
      const port = await running(cluster, folder);
      const presence = await FileLock.shared(join(folder, 'users.lock'));
      const url = `postgres://${USER}:${await passwordIn(folder)}@127.0.0.1:${port}/postgres`;
      const joined = new EmbeddedPostgres(url, folder, cluster, presence);
      await joined.watch();
      return joined;
    } finally {
      launch.release();
    }
  }

  /** Leaves the server, and stops it when nobody else uses it. */
  async leave(): Promise<void> {
    if (this.left) return;
    this.left = true;
    const launch = await FileLock.exclusive(join(this.folder, 'launch.lock'));
    try {
      await this.watcher?.end();
      this.presence.release();
      const alone = await FileLock.ifFree(join(this.folder, 'users.lock'));
      if (alone && (await this.cluster.port())) await this.cluster.stop();
      alone?.release();
    } finally {
      launch.release();
    }
  }

  /** An idle connection ends when the server does, which is how we learn of it. */
  private async watch(): Promise<void> {
    const watcher = new Client({
      connectionString: this.url,
      application_name: 'muster watch',
      keepAlive: true,
    });
    watcher.on('error', () => undefined);
    watcher.once('end', () => void this.revive());
    await watcher.connect();
    this.watcher = watcher;
  }

  private async revive(): Promise<void> {
    if (this.left) return;
    const launch = await FileLock.exclusive(join(this.folder, 'launch.lock'));
    try {
      if (!this.left) {
        await running(this.cluster, this.folder);
        await this.watch();
      }
    } finally {
      launch.release();
    }
  }
}

async function clusterIn(
  folder: string,
  binaries: string,
  settings: Readonly<Record<string, string>>,
): Promise<Cluster> {
  const home = await homeOf(folder, await serverAccount(join(folder, 'postgres')));
  const place = join(home, 'postgres');
  const cluster = new Cluster({ binaries, folder: place, account: await serverAccount(place), settings });
  if (!(await cluster.exists())) await cluster.create(USER, await newPassword(folder));
  return cluster;
}

/** The folder itself or, for a server's user who cannot enter it, one of its own that the folder links to. */
async function homeOf(folder: string, account: Account | undefined): Promise<string> {
  const link = join(folder, 'elsewhere');
  if (await exists(link)) return readlink(link);
  if (await canEnter(folder, account)) return folder;
  await mkdir(CLUSTERS_OF_ROOT, { recursive: true, mode: 0o711 });
  const home = await mkdtemp(join(CLUSTERS_OF_ROOT, 'embedded-'));
  await chmod(home, 0o711);
  await symlink(home, link);
  return home;
}

async function running(cluster: Cluster, folder: string): Promise<number> {
  const alive = await cluster.port();
  if (alive) return alive;
  const file = join(folder, 'port');
  const before = Number(await readFile(file, 'utf8').catch(() => '0'));
  const port = await cluster.start(before);
  await writeFile(file, String(port));
  return port;
}

async function newPassword(folder: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await writeFile(join(folder, 'password'), password, { mode: 0o600 });
  return password;
}

function passwordIn(folder: string): Promise<string> {
  return readFile(join(folder, 'password'), 'utf8');
}
