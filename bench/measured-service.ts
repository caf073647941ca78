import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Config } from '#muster/config.js';
import { findMigratedDatabase } from '#muster/database/index.js';

/** Farms with a little stock, spread over many buckets. */
export const FARMS = Array.from({ length: 64 }, (_, n) => `farm-${n}`);

/** The limits count, but no load reaches them. */
export const UNLIMITED = {
  RATE_LIMIT_READS: '100000000',
  RATE_LIMIT_WRITES: '100000000',
  RATE_LIMIT_IMPORTS: '100000000',
  RATE_LIMIT_TOKENS: '100000000',
};

const MUSTER = new URL('../dist/cli/muster.js', import.meta.url).pathname;

export interface MeasuredService {
  readonly url: string;
  readonly apiKey: string;
  readonly databaseUrl: string;
  readonly pid: number;
  /** The body of a successful answer. `body` is sent as JSON, or, when it is a stream, as NDJSON. */
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<unknown>;
  stop(): Promise<void>;
}

/** A process of the built service over a durable database of its own, with the farms in it; the database of a `kept` folder stays there. `settings` for its environment. */
export async function startMeasuredService(
  role: 'all' | 'api',
  kept?: string,
  settings: NodeJS.ProcessEnv = {},
): Promise<MeasuredService> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'muster-bench-')));
  const database = await findMigratedDatabase(Object.assign(new Config(), { MUSTER_DATA_DIR: folder }));
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...UNLIMITED,
    ...settings,
  };
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
  const send: MeasuredService['send'] = (method, path, body, headers) =>
    sent(fetch(`${url}${path}`, { method, ...bodyOf({ ...headers, 'x-api-key': apiKey }, body) }));
  for (const farm of FARMS) await stock(send, farm);
  const stop = async (): Promise<void> => {
    child.kill();
    await once(child, 'exit');
    await database.leave();
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  };
  return { url, apiKey, databaseUrl: database.url, pid: child.pid ?? 0, send, stop };
}

function bodyOf(headers: Record<string, string>, body: object | undefined): RequestInit {
  if (!body) return { headers };
  return body instanceof Readable
    ? ({
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        body: Readable.toWeb(body),
        duplex: 'half',
      } as RequestInit)
    : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function stock(send: MeasuredService['send'], farm: string): Promise<void> {
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
  await send('PUT', `/v2/farms/${farm}`, settings);
  await send('POST', `/v2/farms/${farm}/records`, [opening]);
}

async function sent(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`);
  return response.json();
}
