import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Webhook } from 'standardwebhooks';
import { hashOf } from '../src/auth/secret.js';
import { apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { runMuster } from './support/muster.js';
import { Receiver } from './support/receiver.js';
import { type StartedService, startService } from './support/service.js';
import { until } from './support/until.js';

const PERMISSIVE = { WEBHOOK_PLAIN_HTTP: 'allow', WEBHOOK_PRIVATE_ADDRESSES: 'allow' };
const FARM = {
  name: 'Home',
  timeZone: 'Australia/Sydney',
  animalUnit: 'dse',
  areaUnit: 'ha',
  currency: 'AUD',
  financialYearStart: '07-01',
};

let database: FreshDatabase;
let owner: Client;
let receiver: Receiver;
let service: StartedService;
let farmer: Caller;
let neighbour: Caller;
let paths = 0;
let periods = 0;

beforeAll(async () => {
  database = await freshDatabase();
  owner = new Client(database.ownerUrl);
  await owner.connect();
  receiver = await Receiver.start();
  const env = {
    ...PERMISSIVE,
    WEBHOOK_RETRY_SECONDS: '0.01,0.01',
    WEBHOOK_TIMEOUT_SECONDS: '1',
    CREDENTIAL_CACHE_SECONDS: '0',
  };
  service = await startService({ databaseUrl: database.url, env });
  const [one, two] = await Promise.all([
    apiKeyFor(database.url, ['farm-1', 'farm-2']),
    apiKeyFor(database.url, ['farm-2']),
  ]);
  farmer = new Caller(service.url, one);
  neighbour = new Caller(service.url, two);
  for (const id of ['farm-1', 'farm-2'])
    expect((await farmer.send('PUT', `/v2/farms/${id}`, FARM)).status).toBe(201);
});

afterAll(async () => {
  receiver?.close();
  await service?.stop();
  await owner?.end();
  await database?.drop();
});

interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
  readonly address: string;
}

/** A new endpoint at a path of its own. */
async function register(settings: object = {}, caller = farmer): Promise<Endpoint> {
  const path = `/hook-${++paths}`;
  const { status, body, headers } = await caller.send('POST', '/v2/webhook-endpoints', {
    url: receiver.url(path),
    ...settings,
  });
  expect(status).toBe(201);
  const { id, secret } = body.data;
  expect(headers.get('location')).toBe(`${service.url}/v2/webhook-endpoints/${id}`);
  return { id, secret, path, address: `/v2/webhook-endpoints/${id}` };
}

/** Makes a report that nobody has made before, and answers its id. */
async function report(tenantId = 'farm-1'): Promise<string> {
  const reportingPeriodStart = Date.parse('2024-06-30T14:00:00Z') + 86_400_000 * ++periods;
  const { status, body } = await farmer.createReport({
    type: 'livestock-sale.v1',
    tenantType: 'farm',
    tenantId,
    reportingPeriodStart,
    reportingPeriodEnd: Date.parse('2026-06-29T14:00:00Z'),
  });
  expect(status).toBe(201);
  return body.data.id;
}

async function told(endpoint: Endpoint, count = 1): Promise<ReturnType<Receiver['at']>> {
  await until(`${count} messages at ${endpoint.path}`, () => receiver.at(endpoint.path).length >= count);
  return receiver.at(endpoint.path);
}

/** Waits until the newest message to an endpoint has this status. */
async function newest(endpoint: Endpoint, status: string): Promise<any> {
  let data: any;
  await until(`a message to ${endpoint.path} is ${status}`, async () => {
    data = (await farmer.get(`${endpoint.address}/deliveries`)).body.data[0];
    return data?.status === status;
  });
  return (await farmer.get(`${endpoint.address}/deliveries/${data.id}`)).body.data;
}

describe('an endpoint', () => {
  it('is registered, shown without its secret, changed and removed', async () => {
    const { id, secret, address } = await register({ description: 'Ledger', farms: ['farm-1', 'farm-1'] });
    expect(secret).toMatch(/^whsec_/);
    const { body } = await farmer.get(address);
    expect(body.data).toMatchObject({
      id,
      description: 'Ledger',
      events: ['report.completed', 'report.failed', 'report.cancelled', 'report.expired'],
      farms: ['farm-1'],
      enabled: true,
    });
    expect(body.data).not.toHaveProperty('secret');
    const changed = await farmer.send('PATCH', address, {
      events: ['report.failed'],
      farms: null,
      enabled: false,
    });
    expect(changed.body.data).toMatchObject({
      description: 'Ledger',
      events: ['report.failed'],
      enabled: false,
      disabledReason: 'it was disabled on request',
      disabledDate: expect.any(Number),
    });
    expect(changed.body.data).not.toHaveProperty('farms');
    expect((await farmer.get('/v2/webhook-endpoints')).body.data).toContainEqual(changed.body.data);
    expect((await farmer.send('DELETE', address)).status).toBe(204);
    expect((await farmer.get(address)).status).toBe(404);
  });

  it('belongs to the credential that registered it', async () => {
    const { id, address } = await register({ farms: ['farm-2'] });
    expect((await neighbour.get('/v2/webhook-endpoints')).body.data).toEqual([]);
    for (const [method, path, body] of [
      ['GET', address],
      ['PATCH', address, { enabled: false }],
      ['DELETE', address],
      ['POST', `${address}/rotate-secret`],
      ['POST', `${address}/test`],
      ['GET', `${address}/deliveries`],
      ['POST', `${address}/replay`, { since: 0 }],
    ] as const) {
      const answer = await neighbour.send(method, path, body);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await farmer.get(`/v2/webhook-endpoints/${id}`)).body.data.enabled).toBe(true);
  });

  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['/url']],
    ['an array', [], ['']],
    ['a url that is none', { url: 'here' }, ['/url']],
    ['a url of another kind', { url: 'ftp://a.example/' }, ['/url']],
    ['an event that is none', { url: 'https://a.example/', events: ['report.eaten'] }, ['/events']],
    ['no event', { url: 'https://a.example/', events: [] }, ['/events']],
    ['no farm', { url: 'https://a.example/', farms: [] }, ['/farms']],
    [
      'what no database holds',
      { url: 'https://a.example/', farms: ['a\0b'], description: 'a\0b' },
      ['/description', '/farms'],
    ],
    [
      'everything wrong',
      { url: 5, events: 'all', farms: 'all', enabled: 'yes', description: 1 },
      ['/url', '/description', '/events', '/farms', '/enabled'],
    ],
  ])('is refused with %s', async (_, body, pointers) => {
    const answer = await farmer.send('POST', '/v2/webhook-endpoints', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: any) => error.pointer).sort()).toEqual([...pointers].sort());
  });

  it('covers no farm that its credential does not reach', async () => {
    const asked = { url: 'https://a.example/', farms: ['farm-2', 'farm-1'] };
    const refused = await neighbour.send('POST', '/v2/webhook-endpoints', asked);
    expect(refused).toMatchObject({
      status: 403,
      body: { type: expect.stringContaining('farm-not-accessible') },
    });
    const { address } = await register({}, neighbour);
    expect((await neighbour.send('PATCH', address, { farms: ['farm-1'] })).status).toBe(403);
  });

  it('is one of up to twenty', async () => {
    const many = new Caller(service.url, await apiKeyFor(database.url, ['farm-9']));
    const make = () => many.send('POST', '/v2/webhook-endpoints', { url: 'https://a.example/' });
    const answers = await Promise.all(Array.from({ length: 22 }, make));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  });
});

describe('a message', () => {
  it('says thinly what happened, under the id of the event, signed as the specification has it', async () => {
    const endpoint = await register();
    const id = await report();
    const [message] = await told(endpoint);
    const verified = new Webhook(endpoint.secret).verify(message!.body, message!.headers as any);
    const events = (await farmer.get(`/v2/report/${id}/events`)).body.data;
    const completed = events.find((event: any) => event.type === 'ReportCompleted');
    expect(message!.id).toBe(completed.id);
    expect(verified).toEqual({
      type: 'report.completed',
      timestamp: new Date(completed.at).toISOString(),
      data: { id, farm: 'farm-1', type: 'livestock-sale.v1' },
    });
    expect(await newest(endpoint, 'delivered')).toMatchObject({
      id: completed.id,
      event: 'report.completed',
      reportId: id,
      attempts: 1,
      log: [{ number: 1, status: 204, durationMs: expect.any(Number) }],
    });
  });

  it('reaches every endpoint that wants it, of whoever reaches the farm, and nobody else', async () => {
    const [all, failures, other, foreign] = [
      await register(),
      await register({ events: ['report.failed'] }),
      await register({ farms: ['farm-2'] }),
      await register({}, neighbour),
    ];
    const [first, second] = [await report('farm-1'), await report('farm-2')];
    expect((await told(all, 2)).map(({ event }) => event.data.id).sort()).toEqual([first, second].sort());
    expect((await told(other)).map(({ event }) => event.data.id)).toEqual([second]);
    expect((await told(foreign)).map(({ event }) => event.data.id)).toEqual([second]);
    expect(receiver.at(failures.path)).toEqual([]);
  });

  it('that fails is tried again with the same id and a new signature, until it is taken', async () => {
    const endpoint = await register();
    receiver.answer(endpoint.path, (nth, response) => response.writeHead(nth < 3 ? 500 : 200).end());
    await report();
    const { log, status } = await newest(endpoint, 'delivered');
    expect(status).toBe('delivered');
    expect(log.map((attempt: any) => [attempt.number, attempt.status, attempt.error])).toEqual([
      [1, 500, 'it answered 500'],
      [2, 500, 'it answered 500'],
      [3, 200, undefined],
    ]);
    const messages = await told(endpoint, 3);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
    for (const { body, headers } of messages) new Webhook(endpoint.secret).verify(body, headers as any);
    expect((await farmer.get(endpoint.address)).body.data).not.toHaveProperty('failingSince');
  });

  it('that nobody takes has failed when the schedule ends, redirects and slow answers included', async () => {
    const [redirecting, slow] = [await register(), await register()];
    receiver.always(redirecting.path, 302, { location: receiver.url('/elsewhere') });
    receiver.answer(slow.path, () => undefined);
    const quick = await register();
    await report();
    await told(quick);
    const failed = await newest(redirecting, 'failed');
    expect(failed).toMatchObject({ attempts: 3, reason: 'it answered 302: redirects are not followed' });
    expect(await newest(slow, 'failed')).toMatchObject({
      attempts: 3,
      reason: 'it did not answer within 1 s',
    });
    expect(receiver.at('/elsewhere')).toEqual([]);
    const { data } = (await farmer.get(slow.address)).body;
    expect(data).toMatchObject({ enabled: true, failingSince: expect.any(Number) });
    for (const { address } of [redirecting, slow]) await farmer.send('DELETE', address);
  });

  it('does not wait for those to an endpoint that is slow, however many', async () => {
    const [slow, quick] = [await register(), await register()];
    receiver.answer(slow.path, () => undefined);
    for (let each = 0; each < 20; each++) await farmer.send('POST', `${slow.address}/test`);
    await told(slow);
    for (let each = 0; each < 3; each++) await farmer.send('POST', `${quick.address}/test`);
    await told(quick, 3);
    expect(new Set(receiver.at(slow.path).map(({ id }) => id)).size).toBeLessThan(20);
    await farmer.send('DELETE', slow.address);
  });

  it('is tested on request', async () => {
    const endpoint = await register();
    const { status, body } = await farmer.send('POST', `${endpoint.address}/test`);
    expect({ status, data: body.data }).toMatchObject({
      status: 202,
      data: { event: 'endpoint.test', status: 'pending' },
    });
    const [message] = await told(endpoint);
    expect(message).toMatchObject({ id: body.data.id, event: { data: { endpoint: endpoint.id } } });
  });
});

describe('an endpoint that', () => {
  it('answers 410 is disabled, hears nothing until it is enabled, and can have it all replayed', async () => {
    const endpoint = await register();
    receiver.answer(endpoint.path, (nth, response) => response.writeHead(nth === 1 ? 410 : 204).end());
    const since = Date.now();
    const first = await report();
    expect(await newest(endpoint, 'failed')).toMatchObject({ attempts: 1 });
    expect((await farmer.get(endpoint.address)).body.data).toMatchObject({
      enabled: false,
      disabledReason: 'it answered 410: it is gone',
      disabledDate: expect.any(Number),
    });
    const line = service
      .logs()
      .split('\n')
      .find((one) => one.includes('a webhook endpoint was disabled'));
    expect(JSON.parse(line!)).toMatchObject({ level: 30, endpoint: endpoint.id, cause: 'gone' });
    const still = (await farmer.send('PATCH', endpoint.address, { enabled: false })).body.data;
    expect(still.disabledReason).toBe('it answered 410: it is gone');
    const second = await report();
    expect(await newest(endpoint, 'skipped')).toMatchObject({ reportId: second, attempts: 0 });
    const enabled = await farmer.send('PATCH', endpoint.address, { enabled: true });
    for (const member of ['disabledReason', 'disabledDate'])
      expect(enabled.body.data).not.toHaveProperty(member);
    const replayed = await farmer.send('POST', `${endpoint.address}/replay`, { since });
    expect(replayed).toMatchObject({ status: 202, body: { data: { deliveries: 2 } } });
    const messages = await told(endpoint, 3);
    expect(messages.map(({ event }) => event.data.id).sort()).toEqual([first, first, second].sort());
    const again = await farmer.send('POST', `${endpoint.address}/replay`, { since, statuses: ['failed'] });
    expect(again.body.data).toEqual({ deliveries: 0 });
  });

  it('has failed for days is disabled when a message is given up', async () => {
    const endpoint = await register();
    receiver.always(endpoint.path, 500);
    await owner.query(`UPDATE webhook_endpoint SET failing_since = now() - interval '6 days' WHERE id = $1`, [
      endpoint.id,
    ]);
    await report();
    await newest(endpoint, 'failed');
    expect((await farmer.get(endpoint.address)).body.data).toMatchObject({
      enabled: false,
      disabledReason: 'it has taken no message for days',
    });
  });

  it('has one message replayed gets it again, with its id', async () => {
    const endpoint = await register();
    await report();
    const { id } = await newest(endpoint, 'delivered');
    const { status } = await farmer.send('POST', `${endpoint.address}/deliveries/${id}/replay`);
    expect(status).toBe(202);
    expect((await told(endpoint, 2)).map((message) => message.id)).toEqual([id, id]);
    const { log } = await newest(endpoint, 'delivered');
    expect(log.map(({ number }: any) => number)).toEqual([1, 2]);
  });

  it('of whoever lost a farm since replays nothing of that farm, one by one or all at once', async () => {
    const key = await apiKeyFor(database.url, ['farm-1', 'farm-2']);
    const adviser = new Caller(service.url, key);
    const endpoint = await register({}, adviser);
    await report('farm-2');
    const [message] = await told(endpoint);
    const delivery = `${endpoint.address}/deliveries/${message?.id}`;
    await until(
      'it is delivered',
      async () => (await adviser.get(delivery)).body.data.status === 'delivered',
    );
    const farms = `UPDATE api_key SET farms = '{farm-1}' WHERE hash = $1`;
    await owner.query(farms, [hashOf(key)]);
    expect((await adviser.send('POST', `${delivery}/replay`)).status).toBe(404);
    const all = await adviser.send('POST', `${endpoint.address}/replay`, { since: 0 });
    expect(all).toMatchObject({ status: 202, body: { data: { deliveries: 0 } } });
    await owner.query(farms.replace('{farm-1}', '{farm-1,farm-2}'), [hashOf(key)]);
    expect((await adviser.send('POST', `${delivery}/replay`)).status).toBe(202);
    await adviser.send('DELETE', endpoint.address);
  });

  it('is asked to replay what waits to be sent adds nothing to it', async () => {
    const endpoint = await register();
    receiver.answer(endpoint.path, () => undefined);
    const replay = () => farmer.send('POST', `${endpoint.address}/replay`, { since: 0 });
    for (let each = 0; each < 3; each++) await farmer.send('POST', `${endpoint.address}/test`);
    expect((await replay()).body.data).toEqual({ deliveries: 0 });
    await until('all have failed', async () => {
      const { data } = (await farmer.get(`${endpoint.address}/deliveries?status=failed`)).body;
      return data.length === 3;
    });
    const counts = [await replay(), await replay()].map(({ body }) => body.data.deliveries);
    expect(counts[0]).toBe(3);
    expect(counts[1]).toBeLessThanOrEqual(2);
    const [{ id }] = (await farmer.get(`${endpoint.address}/deliveries`)).body.data;
    const one = () => farmer.send('POST', `${endpoint.address}/deliveries/${id}/replay`);
    expect([(await one()).status, (await one()).status]).toEqual([202, 202]);
    await farmer.send('DELETE', endpoint.address);
  });

  it('rotates its secret verifies with the old one too until the grace ends', async () => {
    const endpoint = await register();
    const rotated = await farmer.send('POST', `${endpoint.address}/rotate-secret`, { graceSeconds: 60 });
    expect(rotated.body.data).toMatchObject({ previousSecretUntil: expect.any(Number) });
    const { secret } = rotated.body.data;
    expect(secret).not.toBe(endpoint.secret);
    await farmer.send('POST', `${endpoint.address}/test`);
    const [both] = await told(endpoint);
    for (const key of [secret, endpoint.secret]) new Webhook(key).verify(both!.body, both!.headers as any);
    await farmer.send('POST', `${endpoint.address}/rotate-secret`, { graceSeconds: 0 });
    await farmer.send('POST', `${endpoint.address}/test`);
    const [, one] = await told(endpoint, 2);
    for (const key of [secret, endpoint.secret])
      expect(() => new Webhook(key).verify(one!.body, one!.headers as any)).toThrow('No matching signature');
  });

  it('belongs to a credential that was revoked is told nothing more, not even what waited', async () => {
    const revoked = new Caller(service.url, await apiKeyFor(database.url, ['farm-1'], ['read:reports']));
    const endpoint = await register({}, revoked);
    receiver.answer(endpoint.path, () => undefined);
    await report();
    await told(endpoint);
    await owner.query(
      `UPDATE api_key SET revoked_at = now() FROM webhook_endpoint endpoint
       WHERE 'api-key:' || api_key.id = endpoint.owner AND endpoint.id = $1`,
      [endpoint.id],
    );
    await report();
    await until('it is disabled', async () => {
      const { rows } = await owner.query('SELECT enabled FROM webhook_endpoint WHERE id = $1', [endpoint.id]);
      return !rows[0].enabled;
    });
    const before = receiver.at(endpoint.path).length;
    expect(before).toBeLessThanOrEqual(2);
    const { rows } = await owner.query('SELECT status, reason FROM webhook_delivery WHERE endpoint_id = $1', [
      endpoint.id,
    ]);
    expect(rows).toEqual([{ status: 'skipped', reason: 'the credential that it belongs to has ended' }]);
  });
});

describe('the delivery log', () => {
  it('is read page by page, newest first, and by status', async () => {
    const endpoint = await register();
    for (let each = 0; each < 3; each++) await farmer.send('POST', `${endpoint.address}/test`);
    await until('all are delivered', async () => {
      const { data } = (await farmer.get(`${endpoint.address}/deliveries?status=delivered`)).body;
      return data.length === 3;
    });
    const all = (await farmer.get(`${endpoint.address}/deliveries`)).body.data;
    const first = await farmer.get(`${endpoint.address}/deliveries?limit=2`);
    expect(first.headers.get('link')).toContain('rel="next"');
    const second = await farmer.get(first.body.links.next);
    expect([...first.body.data, ...second.body.data]).toEqual(all);
    expect(second.body.links).toEqual({});
    for (const query of ['status=eaten', 'limit=0', 'cursor=x', 'cursor=WyJhIiwiYiJd'])
      expect((await farmer.get(`${endpoint.address}/deliveries?${query}`)).status).toBe(400);
  });
});

it('operators do the same on the command line', async () => {
  const muster = async (...args: string[]) => {
    const { stdout, stderr, code } = await runMuster(['webhook', ...args, '--json'], {
      databaseUrl: database.url,
      env: PERMISSIVE,
    });
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const [key] = (await owner.query(`SELECT id FROM api_key WHERE farms = '{farm-2}'`)).rows;
  const strict = ['webhook', 'create', '--url', receiver.url('/cli'), '--credential', key.id];
  const refused = await runMuster(strict, { databaseUrl: database.url });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('must begin with https://') });
  const made = await muster('create', '--url', receiver.url('/cli'), '--credential', key.id, '--farm', '*');
  expect(made).toMatchObject({
    owner: `api-key:${key.id}`,
    enabled: true,
    secret: expect.stringMatching(/^whsec_/),
  });
  const id = made.id as string;
  await neighbour.send('POST', `/v2/webhook-endpoints/${id}/test`);
  await until('the test arrives', () => receiver.at('/cli').length === 1);
  const [sent] = (await muster('deliveries', id)).data;
  expect(sent).toMatchObject({ event: 'endpoint.test' });
  expect(await muster('replay', id, '--message', sent.eventId)).toEqual({ deliveries: 1 });
  await until('it arrives again', () => receiver.at('/cli').length === 2);
});

it('what could not be told is told once the cause is mended and somebody says so', async () => {
  const replay = async () => {
    const { code, stdout } = await runMuster(['dead-letters', '--replay', '--json'], {
      databaseUrl: database.url,
    });
    return { code, ...JSON.parse(stdout) };
  };
  const endpoint = await register();
  await owner.query('ALTER TABLE webhook_delivery RENAME TO webhook_delivery_away');
  const id = await report();
  await until('its end was given up', async () => {
    await owner.query(
      `UPDATE subscription_checkpoint SET attempts = 7, retry_at = now() WHERE name = 'webhooks' AND attempts > 0`,
    );
    return (await owner.query('SELECT FROM dead_letter')).rowCount === 1;
  });
  expect(await replay()).toMatchObject({ code: 1, handled: 0, failed: [{ streamId: id }] });
  await owner.query('ALTER TABLE webhook_delivery_away RENAME TO webhook_delivery');
  const { stdout } = await runMuster(['dead-letters'], { databaseUrl: database.url });
  expect(stdout).toMatch(
    new RegExp(`^webhooks  ReportCompleted of ${id}, given up .+ after 8 tries: .*webhook_delivery`),
  );
  expect(await replay()).toEqual({ code: 0, handled: 1, failed: [] });
  expect((await told(endpoint))[0]?.event.data.id).toBe(id);
  expect(await replay()).toEqual({ code: 0, handled: 0, failed: [] });
});

it('secrets stand neither in the log nor readable in the database', async () => {
  const { secret, id } = await register();
  const key = secret.slice('whsec_'.length);
  const { rows } = await owner.query('SELECT secret FROM webhook_endpoint WHERE id = $1', [id]);
  expect(rows[0].secret).not.toContain(key);
  expect(service.logs()).not.toContain('whsec_');
  expect(service.logs()).not.toContain(key);
});
