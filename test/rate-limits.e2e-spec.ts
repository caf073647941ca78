import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseList } from 'structured-headers';
import { Config } from '../src/config.js';
import { RateLimits } from '../src/limits/index.js';
import { type Answer, apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase, ownDatabase } from './support/database.js';
import { runMuster } from './support/muster.js';
import { type StartedService, startService } from './support/service.js';

const QUOTA = 10;

describe('a budget', () => {
  const database = ownDatabase();
  const process = (settings: Partial<Config>): RateLimits =>
    new RateLimits(database(), Object.assign(new Config(), settings));

  it('is never overdrawn, however many processes draw from it at once', async () => {
    const processes = Array.from({ length: 5 }, () => process({ RATE_LIMIT_WRITES: 1_000 }));
    const spent = Array.from({ length: 2_000 }, async (_, n) => processes[n % 5]!.spend('many', 'writes'));
    const allowed = (await Promise.all(spent)).filter(({ allowed }) => allowed).length;
    expect(allowed).toBe(1_000);
  });

  it('costs a busy credential a statement in fifty at most', async () => {
    const limits = process({ RATE_LIMIT_READS: 5_000 });
    let statements = 0;
    for (let n = 0; n < 1_000; n++) {
      const spent = limits.spend('busy', 'reads');
      if (spent instanceof Promise) statements++;
      await spent;
    }
    expect(statements).toBe(10);
  });

  it('is full again in the next window', async () => {
    const limits = process({ RATE_LIMIT_WRITES: 1 });
    const begun = performance.now();
    expect(await limits.spend('patient', 'writes', begun)).toMatchObject({ allowed: true, left: 0 });
    expect(await limits.spend('patient', 'writes', begun + 1)).toMatchObject({ allowed: false });
    await database().query("UPDATE rate_window SET ends_at = now() WHERE subject = 'writes patient'");
    expect(await limits.spend('patient', 'writes', begun + 60_001)).toMatchObject({ allowed: true });
  });

  it('is one for reading and another for changing, and one for each credential', async () => {
    const limits = process({ RATE_LIMIT_WRITES: 1, RATE_LIMIT_READS: 1 });
    expect((await limits.spend('a', 'writes')).allowed).toBe(true);
    expect((await limits.spend('a', 'reads')).allowed).toBe(true);
    expect((await limits.spend('b', 'writes')).allowed).toBe(true);
    expect((await limits.spend('a', 'writes')).allowed).toBe(false);
  });

  it('leaves no rows of those who went away', async () => {
    await database().query(
      "INSERT INTO rate_window SELECT 'reads gone-' || n, now() - interval '1 hour', 1 FROM generate_series(1, 6) n",
    );
    const limits = process({});
    for (let n = 0; n < 2; n++) await limits.spend(`new-${n}`, 'reads');
    const { rows } = await database().query("SELECT 1 FROM rate_window WHERE subject LIKE 'reads gone-%'");
    expect(rows).toEqual([]);
  });
});

describe('limits over HTTP', () => {
  let database: FreshDatabase;
  let services: StartedService[];
  let callers: Caller[];

  beforeAll(async () => {
    database = await freshDatabase();
    const env = { RATE_LIMIT_WRITES: String(QUOTA), RATE_LIMIT_TOKENS: '2' };
    services = await Promise.all([
      startService({ databaseUrl: database.url, role: 'api', env }),
      startService({ databaseUrl: database.url, role: 'api', env }),
    ]);
    const key = await apiKeyFor(database.url, ['farm-1']);
    callers = services.map(({ url }) => new Caller(url, key));
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database.drop();
  });

  const askOnBoth = async (times: number): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (let n = 0; n < times; n++) answers.push(await callers[n % 2]!.createReport({}));
    return answers;
  };

  it('are shared by all processes, and told in the fields of the draft', async () => {
    const answers = await askOnBoth(QUOTA + 4);
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array<number>(QUOTA).fill(400),
      ...Array<number>(4).fill(429),
    ]);
    const first = answers[0]!.headers;
    expect(parseList(first.get('ratelimit-policy')!)).toEqual([
      [
        'writes',
        new Map([
          ['q', QUOTA],
          ['w', 60],
        ]),
      ],
    ]);
    const [[name, left]] = parseList(first.get('ratelimit')!) as [[string, Map<string, number>]];
    expect([name, left.get('r')]).toEqual(['writes', QUOTA - 1]);
    expect(left.get('t')).toBeLessThanOrEqual(60);
  });

  it('are a problem that says when to come back', async () => {
    const { status, headers, body } = await callers[0]!.createReport({});
    expect([status, body.title, body.status]).toEqual([429, 'Too many requests', 429]);
    expect(body.type).toMatch(/\/problems\/too-many-requests$/);
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(parseList(headers.get('ratelimit')!)[0]![1]!.get('t')).toBe(seconds);
    expect(parseList(headers.get('ratelimit')!)[0]![1]!.get('r')).toBe(0);
  });

  it('leave reading and other credentials alone', async () => {
    expect((await callers[0]!.get('/v2/report')).status).toBe(200);
    const other = new Caller(services[0]!.url, await apiKeyFor(database.url, ['farm-1']));
    expect((await other.createReport({})).status).toBe(400);
  });

  it('of the token endpoint are told the way of OAuth', async () => {
    const made = await runMuster(
      [
        'client',
        'create',
        '--json',
        '--name',
        'Book',
        '--redirect-uri',
        'http://127.0.0.1/cb',
        '--scope',
        'read:reports',
      ],
      { databaseUrl: database.url },
    );
    const { client_id: id, client_secret: secret } = JSON.parse(made.stdout) as Record<string, string>;
    const ask = (): Promise<Response> =>
      fetch(`${services[0]!.url}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }),
      });
    expect([(await ask()).status, (await ask()).status]).toEqual([400, 400]);
    const limited = await ask();
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Object.keys((await limited.json()) as object)).toEqual([
      'error',
      'error_description',
      'error_uri',
    ]);
  });
});
