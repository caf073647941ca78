import { mkdtemp, readdir, readFile, rm, chmod } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { freshDatabase } from './support/database.js';
import { runMuster, spawnMuster } from './support/muster.js';
import { startService, type StartedService } from './support/service.js';
import { until } from './support/until.js';

let folder: string;
let env: { MUSTER_DATA_DIR: string };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-e2e-'));
  await chmod(folder, 0o755);
  env = { MUSTER_DATA_DIR: join(folder, 'data') };
});

afterEach(async () => {
  await runMuster(['migrate'], { env }); // As the last one to leave it stops a server that a killed process left.
  await rm(folder, { recursive: true, force: true });
});

async function serverPid(): Promise<number | undefined> {
  return readFile(join(env.MUSTER_DATA_DIR, 'postgres/postmaster.pid'), 'utf8').then(
    parseInt,
    () => undefined,
  );
}

async function isReady(service: StartedService): Promise<boolean> {
  return (await fetch(`${service.url}/health/ready`)).ok;
}

it('starts with the service and stops with it', async () => {
  const service = await startService({ env });
  expect(await isReady(service)).toBe(true);
  expect(await serverPid()).toBeDefined();
  expect(await service.stop()).toBe(0);
  expect(await serverPid()).toBeUndefined();
});

it('is shared by a command beside the service, which goes on', async () => {
  const service = await startService({ env });
  const server = await serverPid();
  expect(await runMuster(['migrate', '--json'], { env })).toMatchObject({
    code: 0,
    stdout: '{"applied":[]}\n',
  });
  expect(await serverPid()).toBe(server);
  expect(await isReady(service)).toBe(true);
  await service.stop();
});

it('outlives a service that is killed, and serves the next one', async () => {
  const killed = await startService({ env });
  const server = await serverPid();
  await killed.kill();
  const next = await startService({ env });
  expect(await serverPid()).toBe(server);
  expect(await next.stop()).toBe(0);
  expect(await serverPid()).toBeUndefined();
});

it('does not stay behind a command that is told to stop', async () => {
  await runMuster(['farm', 'create', '--id', 'f', '--name', 'F', '--time-zone', 'UTC'], { env });
  const child = spawnMuster(['import', 'f', '-'], env); // It waits for records that never come.
  const said = text(child.stderr);
  await until('the server runs', async () => (await serverPid()) !== undefined);
  child.kill('SIGINT');
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(1);
  expect(await said).toMatch(/^muster: stopped \(SIGINT\)$/m);
  expect(await serverPid()).toBeUndefined();
});

it('comes back under a running service when it is killed itself', async () => {
  const service = await startService({ env });
  process.kill((await serverPid()) ?? NaN, 'SIGKILL');
  await runMuster(['migrate'], { env }); // Waits for whoever starts it.
  expect(await isReady(service)).toBe(true);
  await service.stop();
});

it('is made once by two commands that start at the same moment', async () => {
  const both = await Promise.all([1, 2].map(() => runMuster(['migrate', '--json'], { env })));
  const applied = both.map(({ stdout }) => (JSON.parse(stdout) as { applied: string[] }).applied.length);
  expect(applied.filter((count) => count > 0)).toHaveLength(1);
});

it('stays away where DATABASE_URL names another', async () => {
  const database = await freshDatabase();
  const service = await startService({ databaseUrl: database.url, env });
  expect(await isReady(service)).toBe(true);
  await service.stop();
  expect(await readdir(folder)).toEqual([]);
  await database.drop();
});
