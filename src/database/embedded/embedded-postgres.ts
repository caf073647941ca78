import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Config } from '../../config.js';
import { serverAccount } from './account.js';
import { installedPostgres, packagedPostgres } from './binaries.js';
import { Cluster } from './cluster.js';
import { DataFolder } from './data-folder.js';
import type { FileLock } from './file-lock.js';

const USER = 'muster';
const RETRY_MILLISECONDS = 200;
const CONNECT_ATTEMPTS = 50;

/** Settings of postgresql.conf beside those that every embedded server has. */
export type ServerSettings = Readonly<Record<string, string>>;

/**
 * A real PostgreSQL server of our own in the data folder, shared by all processes that use that folder. The first to come
 * starts it, the last to leave stops it, and whoever finds it dead meanwhile starts it again on the same port. A process
 * that is killed leaves the server to the next one.
 */
export class EmbeddedPostgres {
  private watcher?: Client;
  private left = false;

  private constructor(
    /** Connects as the owner of the database. Stays the same when the server has to be started again. */
    readonly url: string,
    private readonly folder: DataFolder,
    private readonly cluster: Cluster,
    private readonly presence: FileLock,
  ) {}

  /** Throws UnsupportedPlatform where no PostgreSQL is packaged. `settings` go to a server that this call starts. */
  static async join(
    config: Pick<Config, 'NODE_ENV' | 'DATABASE_URL' | 'MUSTER_DATA_DIR'>,
    settings: ServerSettings = {},
  ): Promise<EmbeddedPostgres> {
    if (config.DATABASE_URL)
      throw new Error('The embedded PostgreSQL does not start where DATABASE_URL is set');
    if (config.NODE_ENV === 'production')
      throw new Error('The embedded PostgreSQL is not for production: set DATABASE_URL');
    const binaries = await installedPostgres(await packagedPostgres());
    const folder = await DataFolder.open(config.MUSTER_DATA_DIR);
    return folder.launching(async () => {
      const cluster = await clusterIn(folder, binaries, settings);
      const port = await running(cluster, folder);
      const url = `postgres://${USER}:${await folder.password()}@127.0.0.1:${port}/postgres`;
      const joined = new EmbeddedPostgres(url, folder, cluster, await folder.presence());
      await joined.watch();
      return joined;
    });
  }

  /** Leaves the server, and stops it when nobody else uses it. */
  async leave(): Promise<void> {
    if (this.left) return;
    this.left = true;
    await this.folder.launching(async () => {
      await this.watcher?.end();
      this.presence.release();
      if (!(await this.folder.hasUsers()) && (await this.cluster.port())) await this.cluster.stop();
    });
  }

  /**
   * An idle connection ends when the server does, which is how we learn of it. Tried for a while, since a server that
   * recovers from the crash of one connection refuses the others meanwhile.
   */
  private async watch(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await running(this.cluster, this.folder);
      try {
        this.watcher = await connect(this.url);
        this.watcher.once('end', () => void this.revive());
        return;
      } catch (error) {
        if (attempt === CONNECT_ATTEMPTS) throw error;
        await pause(RETRY_MILLISECONDS);
      }
    }
  }

  private async revive(): Promise<void> {
    while (!this.left) {
      try {
        await this.folder.launching(async () => {
          if (!this.left) await this.watch();
        });
        return;
      } catch (error) {
        process.emitWarning(
          `The embedded PostgreSQL has stopped and does not start again: ${(error as Error).message}`,
        );
        await pause(RETRY_MILLISECONDS);
      }
    }
  }
}

async function clusterIn(folder: DataFolder, binaries: string, settings: ServerSettings): Promise<Cluster> {
  const place = await folder.clusterFor(await serverAccount(folder.cluster));
  const cluster = new Cluster({ binaries, folder: place, account: await serverAccount(place), settings });
  if (!(await cluster.exists())) await cluster.create(USER, await folder.newPassword());
  return cluster;
}

async function running(cluster: Cluster, folder: DataFolder): Promise<number> {
  const alive = await cluster.port();
  if (alive) return alive;
  const port = await cluster.start(await folder.lastPort());
  await folder.keepPort(port);
  return port;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'muster watch', keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
