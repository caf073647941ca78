import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { Config } from '../../src/config.js';
import { EmbeddedPostgres } from '../../src/database/embedded/index.js';
import { embeddedGenerationUrl, migrate } from '../../src/database/index.js';

/** Databases of tests are copied from this one. */
const TEMPLATE = 'muster_template';

/** A run's data is gone with the run; nothing waits for a disk. */
const FORGETFUL = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

let running: EmbeddedPostgres | undefined;
let folder: string;

/** Starts the run's one cluster and makes the migrated template. Its address goes to the workers by the environment. */
export async function startCluster(): Promise<void> {
  await sweep();
  folder = await mkdtemp(join(tmpdir(), `muster-test-${process.pid}-`));
  await chmod(folder, 0o755);
  running = await EmbeddedPostgres.join(Object.assign(new Config(), { MUSTER_DATA_DIR: folder }), FORGETFUL);
  process.env.MUSTER_TEST_CLUSTER = running.url;
  process.env.MUSTER_TEST_PROCESSES = join(folder, 'processes');
  // Hundreds of processes of the same code start; each module is compiled once.
  process.env.MUSTER_TEST_COMPILED = join(folder, 'compiled');
  await makeTemplate(running.url);
}

/** Ends every process that a test left behind, and the cluster. */
export async function stopCluster(): Promise<void> {
  await endProcesses(folder);
  await running?.leave();
  await rm(folder, { recursive: true, force: true });
}

async function makeTemplate(clusterUrl: string): Promise<void> {
  const admin = new Client(clusterUrl);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  const template = new URL(clusterUrl);
  template.pathname = TEMPLATE;
  await migrate(template.href, embeddedGenerationUrl(template.href));
  await admin.query(`ALTER DATABASE ${TEMPLATE} WITH ALLOW_CONNECTIONS false`);
  await admin.end();
}

/** What runs that were killed have left. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(/^muster-test-(\d+)-/.exec(name)?.[1]);
    if (!pid || signal(pid, 0)) continue;
    const left = join(tmpdir(), name);
    await endProcesses(left);
    const server = await readFile(join(left, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
    if (parseInt(server) > 0) signal(parseInt(server), 'SIGQUIT');
    await rm(left, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function endProcesses(of: string): Promise<void> {
  const pids = await readFile(join(of, 'processes'), 'utf8').catch(() => '');
  for (const pid of pids.split('\n').filter(Boolean)) signal(Number(pid), 'SIGKILL');
}

function signal(pid: number, what: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, what);
  } catch {
    return false;
  }
}
