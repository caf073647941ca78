import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Config } from '#muster/config.js';
import { findMigratedDatabase } from '#muster/database/index.js';

/** Farms with a little stock, spread over many buckets. */
export const FARMS = Array.from({ length: 64 }, (_, n) => `farm-${n}`);

const MUSTER = new URL('../dist/cli/muster.js', import.meta.url).pathname;

export interface MeasuredService {
  readonly url: string;
  readonly apiKey: string;
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

/** A process of the built service over a durable database of its own, with the farms in it. */
export async function startMeasuredService(role: 'all' | 'api'): Promise<MeasuredService> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  const database = await findMigratedDatabase(Object.assign(new Config(), { MUSTER_DATA_DIR: folder }));
  const env = { ...process.env, DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [MUSTER, 'serve', '--json', '--role', role], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const scopes = ['read:reports', 'write:reports', 'read:records', 'write:records'].flatMap((scope) => [
    '--scope',
    scope,
  ]);
  const made = await promisify(execFile)(
    process.execPath,
    [MUSTER, 'api-key', 'create', '--json', '--name', 'bench', '--farm', '*', ...scopes],
    { env },
  );
  const { apiKey } = JSON.parse(made.stdout) as { apiKey: string };
  for (const farm of FARMS) await stock(url, apiKey, farm);
  const stop = async (): Promise<void> => {
    child.kill();
    await once(child, 'exit');
    await database.leave();
    await rm(folder, { recursive: true, force: true });
  };
  return { url, apiKey, databaseUrl: database.url, stop };
}

async function stock(url: string, apiKey: string, farm: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const settings = {
    name: farm,
    timeZone: 'Australia/Sydney',
    animalUnit: 'dse',
    areaUnit: 'ha',
    currency: 'AUD',
    financialYearStart: '07-01',
  };
  const lines = [
    {
      species: 'Sheep',
      ageClass: 'ewe',
      enterpriseId: 'wool',
      mobId: 'm1',
      paddockId: 'p1',
      head: 100,
      value: '5000',
    },
  ];
  const opening = {
    resourceType: 'OpeningStock',
    id: 'o',
    meta: { source: 'bench', sourceId: 'o', modified: '2024-07-01T00:00:00Z' },
    date: '2024-07-01',
    lines,
  };
  await sent(fetch(`${url}/v2/farms/${farm}`, { method: 'PUT', headers, body: JSON.stringify(settings) }));
  await sent(
    fetch(`${url}/v2/farms/${farm}/records`, { method: 'POST', headers, body: JSON.stringify([opening]) }),
  );
}

async function sent(answer: Promise<Response>): Promise<void> {
  const { ok, status } = await answer;
  if (!ok) throw new Error(`the service answered ${status}`);
}
