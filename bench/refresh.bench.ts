import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client as Pg } from 'pg';
import { type MeasuredService, startMeasuredService, UNLIMITED } from './measured-service.ts';
import { CLIENT, startOidcProvider } from './oidc-provider.ts';
import type { Measurement } from './run.ts';

const CHAINS = 16;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 6_000;
const MUSTER = new URL('../dist/cli/muster.js', import.meta.url).pathname;

interface Endpoint {
  readonly url: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly tokens: string[];
}

/** Refreshes a second beside oidc-provider in memory, and what checking a Bearer token adds to an answer. */
export async function run(): Promise<Measurement[]> {
  const service = await startMeasuredService('api');
  try {
    const endpoint = await prepare(service);
    const access = (await refresh(endpoint, endpoint.tokens[0] ?? '')).access_token;
    endpoint.tokens.shift();
    const ours = await refreshesPerSecond(endpoint);
    const provider = await startOidcProvider(CHAINS);
    const theirs = await refreshesPerSecond({ ...provider, client: CLIENT });
    await provider.stop();
    return [
      measured('refresh_token exchange, 16 chains, beside oidc-provider in memory', ours, theirs, 0.6),
      ...(await bearerChecks(service.url, access)),
      ...(await uncachedBearerChecks(access, service)),
    ];
  } finally {
    await service.stop();
  }
}

function measured(what: string, ours: number, yardstick: number, bar: number): Measurement {
  const ratio = ours / yardstick;
  return { what, ours, yardstick, unit: '/s', ratio, bar: `>= ${bar}`, reached: ratio >= bar };
}

/** A client, a person, and an authorization with a refresh token for each chain and one to try. */
async function prepare({ url, databaseUrl }: MeasuredService): Promise<Endpoint> {
  const scope = ['read:reports', 'write:reports'];
  const made = await muster(
    databaseUrl,
    'client',
    'create',
    '--name',
    'bench',
    '--redirect-uri',
    'https://app.example/callback',
    '--scope',
    ...scope,
  );
  const { id: person } = await muster(
    databaseUrl,
    'user',
    'create',
    '--email',
    'bench@example.org',
    '--farm',
    'farm-0',
  );
  const tokens = Array.from({ length: CHAINS + 1 }, () => `mr_${randomBytes(32).toString('base64url')}`);
  const owner = new Pg(databaseUrl);
  await owner.connect();
  for (const token of tokens) {
    const family = randomUUID();
    await owner.query(
      `INSERT INTO oauth_family (id, client_id, person_id, scopes, farms, created_at, expires_at)
       VALUES ($1, $2, $3, $4, ARRAY['farm-0'], now(), now() + interval '1 year')`,
      [family, made['client_id'], person, scope],
    );
    await owner.query(
      `INSERT INTO oauth_refresh (hash, id, family_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`,
      [createHash('sha256').update(token).digest(), randomUUID(), family],
    );
  }
  await owner.end();
  return {
    url: `${url}/oauth2/token`,
    client: { id: made['client_id'] ?? '', secret: made['client_secret'] ?? '' },
    tokens,
  };
}

async function muster(databaseUrl: string, ...args: string[]): Promise<Record<string, string>> {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const { stdout } = await promisify(execFile)(process.execPath, [MUSTER, ...args, '--json'], { env });
  return JSON.parse(stdout) as Record<string, string>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body = '',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method, headers: { ...headers, ...(body && { 'content-length': Buffer.byteLength(body) }) } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject).end(body);
  });
}

async function refresh(
  { url, client }: Endpoint,
  token: string,
): Promise<{ access_token: string; refresh_token: string }> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const { status, text } = await send(
    url,
    'POST',
    headers,
    `grant_type=refresh_token&refresh_token=${token}`,
  );
  if (status !== 200) throw new Error(`refused: ${status} ${text}`);
  return JSON.parse(text) as { access_token: string; refresh_token: string };
}

/** Each chain refreshes what its last refresh gave it. */
async function refreshesPerSecond(endpoint: Endpoint): Promise<number> {
  const begin = performance.now() + WARM_UP_MS;
  const end = begin + MEASURED_MS;
  let count = 0;
  const chain = async (first: string): Promise<void> => {
    for (let token = first; performance.now() < end;) {
      token = (await refresh(endpoint, token)).refresh_token;
      if (performance.now() >= begin && performance.now() < end) count++;
    }
  };
  await Promise.all(endpoint.tokens.map(chain));
  return (count * 1000) / MEASURED_MS;
}

async function bearerChecks(url: string, access: string, how = 'remembered'): Promise<Measurement[]> {
  const headers = { authorization: `Bearer ${access}` };
  const checked = await percentiles(() => send(`${url}/v2/report-types`, 'GET', headers));
  const open = await percentiles(() => send(`${url}/health/live`, 'GET', {}));
  return [
    {
      what: `answer to a ${how} Bearer token, p99, beside /health/live`,
      ours: checked.p99,
      yardstick: open.p99,
      unit: 'ms',
      bar: '<= 15 ms',
      reached: checked.p99 <= 15,
    },
  ];
}

async function uncachedBearerChecks(
  access: string,
  { databaseUrl }: MeasuredService,
): Promise<Measurement[]> {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'warn',
    CREDENTIAL_CACHE_SECONDS: '0',
    ...UNLIMITED,
  };
  const child = spawn(process.execPath, [MUSTER, 'serve', '--json', '--role', 'api'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const found = await bearerChecks((JSON.parse(line) as { url: string }).url, access, 'looked-up');
  child.kill();
  await once(child, 'exit');
  return found;
}

/** Of 8,000 answers to four callers, in milliseconds, after 2,000 to warm up. */
async function percentiles(call: () => Promise<{ status: number }>): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  const caller = async (): Promise<void> => {
    for (let sent = 0; sent < 2_500; sent++) {
      const begun = performance.now();
      const { status } = await call();
      if (status !== 200) throw new Error(`refused: ${status}`);
      if (sent >= 500) times.push(performance.now() - begun);
    }
  };
  await Promise.all([caller(), caller(), caller(), caller()]);
  times.sort((a, b) => a - b);
  return { p50: times[times.length >> 1] ?? 0, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}
