import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUIDv7 } from 'node:crypto';
import { apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { Listener, RawStream } from './support/event-stream.js';
import { runMuster } from './support/muster.js';
import { type StartedService, startService } from './support/service.js';
import { until } from './support/until.js';

const FARMS = ['farm-1', 'farm-2', 'farm-3'];
const SETTINGS = {
  name: 'Home',
  timeZone: 'Australia/Sydney',
  animalUnit: 'dse',
  areaUnit: 'ha',
  currency: 'AUD',
  financialYearStart: '07-01',
};

let database: FreshDatabase;
let one: StartedService;
let other: StartedService;
let farmer: Caller;
let everyFarm: string;
let later = 0;
const listeners: { close(): void }[] = [];

function request(tenantId = 'farm-1') {
  return {
    type: 'livestock-sale.v1',
    tenantType: 'farm',
    tenantId,
    reportingPeriodStart: Date.parse('2024-06-30T14:00:00Z') + 86_400_000 * ++later,
    reportingPeriodEnd: Date.parse('2025-06-29T14:00:00Z'),
  };
}

function listen(
  path: string,
  { apiKey, url } = farmer as { apiKey: string; url: string },
  lastEventId?: string,
) {
  const listener = new Listener(() => `${url}${path}`, apiKey, lastEventId);
  listeners.push(listener);
  return listener;
}

async function openRaw(
  path: string,
  headers: Record<string, string> = {},
  url = one.url,
): Promise<RawStream> {
  const stream = await RawStream.open(`${url}${path}`, { 'x-api-key': farmer.apiKey, ...headers });
  listeners.push(stream);
  return stream;
}

async function pending(tenantId = 'farm-1', by = farmer): Promise<string> {
  const { status, body } = await by.createReport(request(tenantId));
  expect(status).toBe(201);
  return body.data.id;
}

async function cancelled(tenantId = 'farm-1', by = farmer): Promise<string> {
  const id = await pending(tenantId, by);
  expect((await by.send('DELETE', `/v2/report/${id}`)).status).toBe(200);
  return id;
}

async function eventIds(id: string): Promise<string[]> {
  const { body } = await farmer.get(`/v2/report/${id}/events`);
  return body.data.map((event: { id: string }) => event.id);
}

beforeAll(async () => {
  database = await freshDatabase();
  const env = { EVENT_STREAM_HEARTBEAT_SECONDS: '1', CREDENTIAL_CACHE_SECONDS: '1' };
  // No worker: reports stay pending until a test cancels them.
  [one, other] = await Promise.all([
    startService({ databaseUrl: database.url, role: 'api', env }),
    startService({ databaseUrl: database.url, role: 'api', env }),
  ]);
  const [key, all] = await Promise.all([apiKeyFor(database.url, FARMS), apiKeyFor(database.url, ['*'])]);
  farmer = new Caller(one.url, key);
  everyFarm = all;
  for (const id of FARMS) await farmer.send('PUT', `/v2/farms/${id}`, SETTINGS);
});

afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close();
});

afterAll(async () => {
  await Promise.all([one?.stop(), other?.stop()]);
  await database?.drop();
});

describe('Prefer: wait', () => {
  it('answers a read of the record as soon as the report ends', async () => {
    const id = await pending();
    const answer = farmer.get(`/v2/report/${id}`, { prefer: 'wait=30' });
    await farmer.send('DELETE', `/v2/report/${id}`);
    const { body, headers } = await answer;
    expect(body.data.status).toBe('cancelled');
    expect(headers.get('preference-applied')).toBe('wait=30');
  });

  it('hears of an end that another process recorded', async () => {
    const id = await pending();
    const answer = new Caller(other.url, farmer.apiKey).get(`/v2/report/${id}`, { prefer: 'wait=30' });
    await farmer.send('DELETE', `/v2/report/${id}`);
    expect((await answer).body.data.status).toBe('cancelled');
  });

  it('answers as without it when the time is over', async () => {
    const id = await pending();
    const begun = Date.now();
    const { body, headers } = await farmer.get(`/v2/report/${id}`, { prefer: 'wait=1' });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(950);
    expect(body.data.status).toBe('pending');
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('holds a create and a download back alike', async () => {
    const asked = request();
    const made = farmer.createReport(asked, { prefer: 'respond-async, wait=30' });
    let id = '';
    await until('the report is made', async () => {
      const { body } = await farmer.get('/v2/report?limit=1');
      id = body.data[0].id;
      return body.data[0].reportingPeriodStart === asked.reportingPeriodStart;
    });
    const download = farmer.get(`/v2/report/${id}/download`, { prefer: 'wait=30' });
    await farmer.send('DELETE', `/v2/report/${id}`);
    expect(await made).toMatchObject({ status: 201, body: { data: { id, status: 'cancelled' } } });
    expect(await download).toMatchObject({ status: 409, body: { title: 'The report was cancelled' } });
    expect((await download).headers.get('preference-applied')).toBe('wait=30');
  });

  it('waits a minute at most, and not at all for a report that has ended', async () => {
    const { body, headers } = await farmer.get(`/v2/report/${await cancelled()}`, { prefer: 'wait=9999' });
    expect(body.data.status).toBe('cancelled');
    expect(headers.get('preference-applied')).toBe('wait=60');
  });

  it('ends at once when the process stops', async () => {
    const env = { EVENT_STREAMS_PER_CREDENTIAL: '1' };
    const stopping = await startService({ databaseUrl: database.url, role: 'api', env });
    const id = await pending();
    const there = new Caller(stopping.url, farmer.apiKey);
    const answer = there.get(`/v2/report/${id}`, { prefer: 'wait=60' });
    await until('its other answer is held back', async () => {
      const { headers } = await there.get(`/v2/report/${id}`, { prefer: 'wait=1' });
      return !headers.has('preference-applied');
    });
    const stream = await openRaw(`/v2/report/${id}/events`, {}, stopping.url);
    await stream.contains('ReportRequested');
    expect(await stopping.stop()).toBe(0);
    expect(await answer).toMatchObject({ status: 200, body: { data: { status: 'pending' } } });
    await stream.end();
    expect(stream.text).toMatch(/retry: \d+\n\n$/);
  });
});

describe('a pending report', () => {
  const positionOf = async (id: string): Promise<number> =>
    (await farmer.get(`/v2/report/${id}`)).body.data.queue.position;

  it('stands in the queue by the turn of its farm, not behind all that another farm asks for', async () => {
    const flood: string[] = [];
    for (let n = 0; n < 5; n++) flood.push(await pending('farm-2'));
    const light = await pending('farm-3');
    const [first, ...rest] = await Promise.all(flood.map(positionOf));
    const place = await positionOf(light);
    expect(place).toBeGreaterThan(first!);
    expect(rest.every((one) => one > place)).toBe(true);
    expect(rest).toEqual([...rest].sort((a, b) => a - b));
  });

  it('no longer does when it has ended', async () => {
    const { body, headers } = await farmer.get(`/v2/report/${await cancelled()}`);
    expect(body.data.queue).toBeUndefined();
    expect(headers.has('retry-after')).toBe(false);
  });

  it('says when to ask again by what stands before it, on its record and its download', async () => {
    const id = await pending('farm-2');
    const [record, download] = [
      await farmer.get(`/v2/report/${id}`),
      await farmer.get(`/v2/report/${id}/download`),
    ];
    expect(download.status).toBe(202);
    expect(download.body.data.queue).toEqual(record.body.data.queue);
    // None has been made yet, and nobody is at work: a second for each.
    const expected = String(Math.min(record.body.data.queue.position, 60));
    expect(record.headers.get('retry-after')).toBe(expected);
    expect(download.headers.get('retry-after')).toBe(expected);
  });
});

describe('the stream of a report', () => {
  it('brings its life as it happens, closes at its end, and tells a client that comes back to stop', async () => {
    const id = await pending();
    const listener = listen(`/v2/report/${id}/events`);
    await listener.until((received) => received.length === 1);
    await farmer.send('DELETE', `/v2/report/${id}`);
    await until('the client stops', () => listener.source.readyState === listener.source.CLOSED);
    expect(listener.statuses).toEqual([200, 204]);
    expect(listener.received.map(({ type }) => type)).toEqual(['ReportRequested', 'ReportCancelled']);
    expect(listener.received.map((event) => event.id)).toEqual(await eventIds(id));
    expect(listener.received[1]).toMatchObject({
      data: { reportId: id, tenantId: 'farm-1', type: 'ReportCancelled' },
    });
  });

  it('is the list of its events, event by event', async () => {
    const id = await cancelled();
    const list = (await farmer.get(`/v2/report/${id}/events`)).body.data;
    const listener = listen(`/v2/report/${id}/events`);
    await listener.until((received) => received.length === 2);
    expect(listener.received.map(({ data }) => data)).toEqual(list);
  });

  it.each([
    ['the next event after the last one', (ids: string[]) => ids[0]!, ['ReportCancelled']],
    [
      'the beginning after an event it does not know',
      () => randomUUIDv7(),
      ['ReportRequested', 'ReportCancelled'],
    ],
    [
      'the beginning after garbage',
      () => 'grüße'.replace(/\W/g, '?'),
      ['ReportRequested', 'ReportCancelled'],
    ],
  ])('goes on with %s', async (_, last, types) => {
    const id = await cancelled();
    const stream = await openRaw(`/v2/report/${id}/events`, { 'last-event-id': last(await eventIds(id)) });
    await stream.end();
    expect(stream.text.match(/(?<=event: )\w+/g)).toEqual(types);
  });

  it('shows signs of life', async () => {
    const stream = await openRaw(`/v2/report/${await pending()}/events`);
    await stream.contains(/\n:\n\n/);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    expect(stream.response.headers.get('x-request-id')).toBeTruthy();
    expect(stream.text).toMatch(/^retry: \d+\n/);
  });

  it('is not for those who do not reach the farm, nor for a question without a body', async () => {
    const id = await pending();
    const stranger = await apiKeyFor(database.url, ['farm-9']);
    const refused = await openRaw(`/v2/report/${id}/events`, { 'x-api-key': stranger });
    expect(refused.response.status).toBe(404);
    const head = await farmer.send('HEAD', `/v2/report/${id}/events`, undefined, {
      accept: 'text/event-stream',
    });
    expect(head.headers.get('content-type')).toContain('text/event-stream');
    expect((await farmer.get(`/v2/report/${id}/events`, { accept: 'text/html' })).status).toBe(406);
  });
});

describe('the stream of all reports', () => {
  it('brings what happens on the farms that its caller reaches', async () => {
    const key = await apiKeyFor(database.url, ['farm-2']);
    const [neighbour, operator] = [
      listen('/v2/events', { url: one.url, apiKey: key }),
      listen('/v2/events', { url: other.url, apiKey: everyFarm }),
    ];
    await Promise.all([neighbour.opened(), operator.opened()]);
    const ids = [await cancelled('farm-1'), await cancelled('farm-2'), await cancelled('farm-3')];
    await operator.until((received) => received.length === 6);
    expect(operator.received.map(({ data }) => data.reportId).sort()).toEqual([...ids, ...ids].sort());
    await neighbour.until((received) => received.length === 2);
    expect(neighbour.received.map((event) => event.id)).toEqual(await eventIds(ids[1]!));
  });

  it('resumes after the last event that came, in another process too', async () => {
    const first = listen('/v2/events');
    await first.opened();
    const before = await cancelled('farm-1');
    await first.until((received) => received.length === 2);
    first.close();
    const ids = [await cancelled('farm-2'), await cancelled('farm-1'), await cancelled('farm-3')];
    const second = listen('/v2/events', { url: other.url, apiKey: farmer.apiKey }, first.received[1]!.id);
    await second.until((received) => received.length === 6);
    const expected = (await Promise.all(ids.map(eventIds))).flat().sort();
    expect([...second.ids].sort()).toEqual(expected);
    expect(second.ids).not.toContain((await eventIds(before))[1]);
  });

  it('resumes from an event of its only farm, whichever stream or list that came from', async () => {
    const key = await apiKeyFor(database.url, ['farm-2']);
    const [last, next] = [await cancelled('farm-2'), await cancelled('farm-2')];
    const listener = listen('/v2/events', { url: one.url, apiKey: key }, (await eventIds(last))[1]);
    await listener.until((received) => received.length === 2);
    expect(listener.ids).toEqual(await eventIds(next));
  });

  it('names a place to resume from before the first event', async () => {
    const stream = await openRaw('/v2/events');
    await stream.contains(/^id: ~/m);
    stream.close();
    const id = await cancelled('farm-3');
    const resumed = await openRaw('/v2/events', { 'last-event-id': /^id: (\S+)/m.exec(stream.text)![1]! });
    await resumed.contains('ReportCancelled');
    expect(resumed.text).toContain(id);
  });

  it.each(['7', randomUUIDv7(), `${randomUUIDv7()}~!`, '~_____w', `~${'_'.repeat(11)}w`])(
    'refuses to lose events in silence after the unknown event %s',
    async (last) => {
      const { status, body } = await farmer.get('/v2/events', {
        accept: 'text/event-stream',
        'last-event-id': last,
      });
      expect([status, body.title]).toEqual([400, 'The last event is not known']);
    },
  );

  it('ends when its credential is revoked', async () => {
    const made = await runMuster(
      ['api-key', 'create', '--json', '--name', 'short', '--farm', 'farm-1', '--scope', 'read:reports'],
      { databaseUrl: database.url },
    );
    const { id, apiKey } = JSON.parse(made.stdout) as { id: string; apiKey: string };
    const stream = await openRaw('/v2/events', { 'x-api-key': apiKey });
    await stream.contains('retry');
    expect((await runMuster(['api-key', 'revoke', id], { databaseUrl: database.url })).code).toBe(0);
    await stream.end();
  });

  it('loses nothing when its process is killed and the client goes to another', async () => {
    const doomed = await startService({ databaseUrl: database.url, role: 'api' });
    let url = doomed.url;
    const listener = new Listener(() => `${url}/v2/events`, everyFarm);
    listeners.push(listener);
    await listener.opened();
    const elsewhere = new Caller(other.url, farmer.apiKey);
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      ids.push(await cancelled(FARMS[n % 3]!, elsewhere));
      if (n !== 5) continue;
      await listener.until((received) => received.length > 2);
      url = one.url;
      await doomed.kill();
    }
    const expected = (await Promise.all(ids.map(eventIds))).flat();
    await listener.until(() => new Set(listener.ids).isSupersetOf(new Set(expected)));
    expect(listener.statuses).toEqual([200, 200]);
  });
});
