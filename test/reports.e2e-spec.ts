import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { type StartedService, startService } from './support/service.js';

const DOTNET = 62_135_596_800_000;
const FARM = {
  name: 'Home',
  timeZone: 'Australia/Sydney',
  animalUnit: 'dse',
  areaUnit: 'ha',
  currency: 'AUD',
  financialYearStart: '07-01',
};

const request = {
  type: 'livestock-sale.v1',
  tenantType: 'farm',
  tenantId: 'farm-1',
  reportingPeriodStart: Date.parse('2024-06-30T14:00:00Z'),
  reportingPeriodEnd: Date.parse('2025-06-29T14:00:00Z'),
};

let database: FreshDatabase;
let service: StartedService;
let farmer: Caller;
let neighbour: Caller;
let later = 0;

/** A request that nobody has made before. */
function anotherPeriod() {
  return { ...request, reportingPeriodStart: request.reportingPeriodStart + 86_400_000 * ++later };
}

beforeAll(async () => {
  database = await freshDatabase();
  service = await startService({ databaseUrl: database.url });
  const [all, farm2] = await Promise.all([
    apiKeyFor(database.url, ['farm-1', 'farm-2']),
    apiKeyFor(database.url, ['farm-2']),
  ]);
  farmer = new Caller(service.url, all);
  neighbour = new Caller(service.url, farm2);
  for (const id of ['farm-1', 'farm-2'])
    expect((await farmer.send('PUT', `/v2/farms/${id}`, FARM)).status).toBe(201);
  await farmer.import('farm-1', [
    {
      resourceType: 'OpeningStock',
      id: 'o1',
      meta: { source: 'test', sourceId: 'o1', modified: '2024-07-01T00:00:00Z' },
      date: '2024-07-01',
      lines: [
        {
          species: 'sheep',
          ageClass: 'ewe',
          enterpriseId: 'wool',
          mobId: 'm1',
          paddockId: 'p1',
          head: 100,
          value: '5000',
        },
      ],
    },
  ]);
});

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

async function completed(): Promise<{ id: string; record: any }> {
  const created = await farmer.createReport(anotherPeriod());
  expect(created.status).toBe(201);
  const record = await farmer.ended(created.body.data.id);
  expect(record).toMatchObject({ status: 'completed' });
  return { id: record.id, record };
}

describe('asking for a report', () => {
  it('answers 201 with the record as it was asked for, and where to find it', async () => {
    const asked = anotherPeriod();
    const before = Date.now();
    const { status, headers, body } = await farmer.createReport({ ...asked, colour: 'ignored' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ ...asked, status: 'pending', id: expect.any(String) });
    expect(body.data.colour).toBeUndefined();
    expect(body.data.creationDate).toBeGreaterThanOrEqual(before);
    expect(body.data.lastModifiedDate).toBe(body.data.creationDate);
    expect(body.data.period).toMatchObject({ end: '2025-06-30', timeZone: 'Australia/Sydney' });
    expect(headers.get('location')).toBe(`${service.url}/v2/report/${body.data.id}`);
    expect(body.links.download).toBe(`${service.url}/v2/report/${body.data.id}/download`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[\w-]+$/);
  });

  it.each<[string, unknown, string[]]>([
    [
      'no field at all',
      {},
      ['/type', '/tenantType', '/tenantId', '/reportingPeriodStart', '/reportingPeriodEnd'],
    ],
    ['an array', [], ['']],
    ['a text', '"x"', ['']],
    ['null', 'null', ['']],
    ['an unknown type', { ...request, type: 'wool-clip.v9' }, ['/type']],
    ['a type that is no text', { ...request, type: 5 }, ['/type']],
    ['another tenant type', { ...request, tenantType: 'shop' }, ['/tenantType']],
    ['an empty tenant', { ...request, tenantId: '' }, ['/tenantId']],
    ['a number as text', { ...request, reportingPeriodStart: '5' }, ['/reportingPeriodStart']],
    ['a fraction', { ...request, reportingPeriodStart: 5.5 }, ['/reportingPeriodStart']],
    ['true', { ...request, reportingPeriodEnd: true }, ['/reportingPeriodEnd']],
    ['null for a number', { ...request, reportingPeriodEnd: null }, ['/reportingPeriodEnd']],
    ['a negative instant', { ...request, reportingPeriodStart: -1 }, ['/reportingPeriodStart']],
    ['one too many', { ...request, reportingPeriodEnd: 9007199254740992 }, ['/reportingPeriodEnd']],
    [
      'a period that runs backwards',
      { ...request, reportingPeriodStart: 2e12, reportingPeriodEnd: 1e12 },
      ['/reportingPeriodStart'],
    ],
    ['two bad fields', { ...request, type: 'x', reportingPeriodEnd: 'y' }, ['/type', '/reportingPeriodEnd']],
  ])('refuses %s, naming every bad field', async (_what, body, pointers) => {
    const answer = await farmer.createReport(body as object);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toMatchObject({
      status: 400,
      instance: '/v2/report',
      type: expect.stringContaining('/problems/'),
    });
    expect(answer.body.errors.map(({ pointer }: any) => pointer)).toEqual(pointers);
  });

  it('lists the known types to who asks for an unknown one', async () => {
    const { body } = await farmer.createReport({ ...request, type: 'wool-clip.v9' });
    expect(body.detail).toContain('livestock-reconciliation.v3');
  });

  it.each([0, 1, DOTNET - 1, DOTNET, Number.MAX_SAFE_INTEGER])(
    'takes the end %p',
    async (reportingPeriodEnd) => {
      const { status, body } = await farmer.createReport({
        ...request,
        reportingPeriodStart: 0,
        reportingPeriodEnd,
      });
      expect(status).toBe(201);
      expect(await farmer.ended(body.data.id)).toMatchObject({ status: 'completed' });
    },
  );

  it('says that it shifted a .NET period', async () => {
    const start = request.reportingPeriodStart + DOTNET;
    const { body } = await farmer.createReport({
      ...request,
      reportingPeriodStart: start,
      reportingPeriodEnd: start,
    });
    expect(body.data.reportingPeriodStart).toBe(start);
    expect(body.data.period.start).toBe('2024-07-01');
    expect(body.data.warnings[0]).toContain('62135596800000');
  });

  it.each([
    ['malformed JSON', '{"type":', 'application/json', 400],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json', 400],
    ['a form', 'type=x', 'application/x-www-form-urlencoded', 415],
    ['too much', `"${'x'.repeat(65 * 1024)}"`, 'application/json', 413],
    ['deep nesting', '['.repeat(30_000) + ']'.repeat(30_000), 'application/json', 400],
  ])('refuses %s', async (_what, body, contentType, status) => {
    const response = await fetch(`${service.url}/v2/report`, {
      method: 'POST',
      headers: { 'x-api-key': farmer.apiKey, 'content-type': contentType },
      body,
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  it('answers the same for a farm out of reach whether it exists or not', async () => {
    const existing = await neighbour.createReport(request);
    const missing = await neighbour.createReport({ ...request, tenantId: 'nowhere' });
    const unstorable = await neighbour.createReport({ ...request, tenantId: 'a\u0000b' });
    for (const answer of [existing, missing, unstorable]) {
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual(existing.body);
    }
    expect(existing.body.type).toContain('farm-not-accessible');
  });

  it('answers 405 with Allow, 404 for nothing, and echoes a sane request id', async () => {
    const wrong = await farmer.send('PATCH', '/v2/report', {}, { 'x-request-id': 'order-7' });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toContain('POST');
    expect(wrong.headers.get('x-request-id')).toBe('order-7');
    const insane = await farmer.get('/v2/nothing', { 'x-request-id': 'a b' });
    expect(insane.status).toBe(404);
    expect(insane.headers.get('x-request-id')).not.toBe('a b');
  });
});

describe('a body', () => {
  it.each([
    [
      'records as they stream, where none are read',
      JSON.stringify(request),
      { 'content-type': 'application/x-ndjson' },
    ],
    ['a text', JSON.stringify(request), { 'content-type': 'text/plain' }],
    [
      'a packed one',
      JSON.stringify(request),
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ],
  ])('of a kind that is not read is refused as such: %s', async (_, body, headers) => {
    const answer = await farmer.send('POST', '/v2/report', body, headers);
    expect([answer.status, answer.body.type]).toEqual([
      415,
      expect.stringContaining('unsupported-media-type'),
    ]);
  });

  it.each(['text/html', 'application/x-www-form-urlencoded', 'text/csv', 'application/json'])(
    'that is not there has no kind: %s',
    async (type) => {
      const gone = await farmer.send('DELETE', '/v2/report/none', undefined, { 'content-type': type });
      expect(gone.status).toBe(404);
    },
  );
});

describe('what is no request', () => {
  it.each([
    ['no HTTP', 'GARBAGE\r\n\r\n', 400],
    [
      'two lengths',
      'POST /v2/report HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    ['headers without end', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('is answered with a problem too: %s', async (_, bytes, status) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).setNoDelay();
    socket.on('error', () => undefined).write(bytes);
    const [head = '', body = ''] = (await textOf(socket)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/content-type: application\/problem\+json/i);
    expect(head).toMatch(/x-request-id: ./i);
    expect(JSON.parse(body)).toMatchObject({ status, type: `${service.url}/problems/bad-request` });
  });
});

describe('a credential', () => {
  it('is required, and a bad one is told apart', async () => {
    const none = await fetch(`${service.url}/v2/report`);
    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(none.headers.get('www-authenticate')).not.toContain('error');
    const bad = await new Caller(service.url, 'nonsense').get('/v2/report');
    expect(bad.status).toBe(401);
    expect(bad.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('needs the scope', async () => {
    const reader = new Caller(service.url, await apiKeyFor(database.url, ['farm-1'], ['read:reports']));
    expect((await reader.get('/v2/report')).status).toBe(200);
    const refused = await reader.createReport(request);
    expect(refused.status).toBe(403);
    expect(refused.body.type).toContain('insufficient-scope');
  });

  it('does not see the reports of another farm', async () => {
    const { id } = await completed();
    for (const path of ['', '/download', '/events']) {
      const answer = await neighbour.get(`/v2/report/${id}${path}`);
      expect(answer.status).toBe(404);
    }
    expect((await neighbour.send('DELETE', `/v2/report/${id}`)).status).toBe(404);
    expect((await neighbour.get('/v2/report?tenantId=farm-1')).body.data).toEqual([]);
  });
});

describe('reuse', () => {
  it('gives the same report for the same request, with its age', async () => {
    const asked = anotherPeriod();
    const first = await farmer.createReport(asked);
    expect(first.headers.get('cache-status')).toBe('reports; fwd=miss; stored');
    await farmer.ended(first.body.data.id);
    const second = await farmer.createReport(asked);
    expect(second.status).toBe(200);
    expect(second.body.data.id).toBe(first.body.data.id);
    expect(second.headers.get('content-location')).toBe(first.headers.get('location'));
    expect(second.headers.get('location')).toBeNull();
    expect(second.headers.get('cache-status')).toMatch(/^reports; hit; ttl=\d+$/);
    expect(Number(second.headers.get('age'))).toBeLessThan(60);
  });

  it.each([
    ['no-cache', 201, 'reports; fwd=request; stored'],
    ['no-store', 201, 'reports; fwd=request'],
    ['max-age=0', 201, 'reports; fwd=request; stored'],
    ['max-age=600', 200, 'hit'],
    ['max-age="600"', 200, 'hit'],
    ['MAX-AGE=600', 200, 'hit'],
    ['max-age=99999999999999999999', 200, 'hit'],
    ['max-stale', 200, 'hit'],
    ['min-fresh=3700', 201, 'fwd=stale'],
    ['only-if-cached', 200, 'hit'],
    ['only-if-cached, no-cache', 504, 'fwd=request'],
    ['no-cache, max-age=600', 201, 'fwd=request'],
    ['max-age=1, max-age=600', 201, 'detail='],
    ['max-age=abc', 201, 'detail='],
    ['max-age=-1', 201, 'detail='],
    ['max-age', 201, 'detail='],
    ['immutable', 200, 'hit'],
  ])('heeds %s', async (cacheControl, status, cacheStatus) => {
    const asked = anotherPeriod();
    await farmer.createReport(asked);
    const answer = await farmer.createReport(asked, { 'cache-control': cacheControl });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('cache-status')).toContain(cacheStatus);
  });

  it('never serves a no-store report to others, and serves the newest of no-cache', async () => {
    const asked = anotherPeriod();
    const own = await farmer.createReport(asked, { 'cache-control': 'no-store' });
    const first = await farmer.createReport(asked);
    expect(first.body.data.id).not.toBe(own.body.data.id);
    const newest = await farmer.createReport(asked, { 'cache-control': 'no-cache' });
    expect((await farmer.createReport(asked)).body.data.id).toBe(newest.body.data.id);
  });

  it('keeps a deprecated type and its successor apart', async () => {
    const asked = { ...anotherPeriod(), type: 'livestock-reconciliation.v1' };
    const old = await farmer.createReport(asked);
    const now = await farmer.createReport({ ...asked, type: 'livestock-reconciliation.v3' });
    expect(now.body.data.id).not.toBe(old.body.data.id);
    expect(old.body.data.type).toBe('livestock-reconciliation.v1');
  });

  it('crosses callers of one farm, never farms', async () => {
    const asked = { ...anotherPeriod(), tenantId: 'farm-2' };
    const mine = await farmer.createReport(asked);
    const theirs = await neighbour.createReport(asked);
    expect(theirs.body.data.id).toBe(mine.body.data.id);
    const otherFarm = await farmer.createReport({ ...asked, tenantId: 'farm-1' });
    expect(otherFarm.body.data.id).not.toBe(mine.body.data.id);
  });
});

describe('an Idempotency-Key', () => {
  it('brings the same report again even with no-cache, also when sent at once', async () => {
    const asked = anotherPeriod();
    const headers = { 'idempotency-key': 'order-1', 'cache-control': 'no-cache' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => farmer.createReport(asked, headers)));
    const again = await farmer.createReport(asked, headers);
    const ids = new Set(
      [...answers, again].filter(({ status }) => status !== 409).map(({ body }) => body.data.id),
    );
    expect(ids.size).toBe(1);
    expect(again.status).toBe(201);
  });

  it('is refused with another body, and belongs to one credential', async () => {
    const asked = { ...anotherPeriod(), tenantId: 'farm-2' };
    const headers = { 'idempotency-key': 'order-2', 'cache-control': 'no-cache' };
    const mine = await farmer.createReport(asked, headers);
    expect((await farmer.createReport(anotherPeriod(), headers)).status).toBe(422);
    const theirs = await neighbour.createReport(asked, headers);
    expect(theirs.body.data.id).not.toBe(mine.body.data.id);
  });
});

describe('a completed report', () => {
  it('is downloaded the way a known client does it', async () => {
    const start = request.reportingPeriodStart + DOTNET;
    const asked = {
      ...request,
      type: 'livestock-reconciliation.v3',
      reportingPeriodStart: start,
      reportingPeriodEnd: request.reportingPeriodEnd + DOTNET,
    };
    const created = await farmer.createReport(asked);
    const { download } = created.body.links;
    let response: Response;
    do {
      response = await fetch(download, {
        headers: { 'x-api-key': farmer.apiKey, accept: 'text/csv', 'content-type': 'text/html' },
      });
      if (response.status !== 200) await response.text();
    } while (response.status !== 200);
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(response.headers.get('content-disposition')).toContain(
      'livestock-reconciliation_farm-1_2024-07-01_2025-06-30.csv',
    );
    expect(await response.text()).toContain('detail,Sheep,wool,ewe,100');
  });

  it('comes in the format that is asked for', async () => {
    const { id } = await completed();
    const path = `/v2/report/${id}/download`;
    const types = async (headers: Record<string, string>, query = ''): Promise<string | null> =>
      (await farmer.get(path + query, headers)).headers.get('content-type');
    expect(await types({})).toContain('text/csv');
    expect(await types({ accept: '*/*' })).toContain('text/csv');
    expect(await types({ accept: 'application/json' })).toContain('application/json');
    expect(await types({ accept: 'text/csv;q=0.5, application/x-ndjson' })).toContain('application/x-ndjson');
    expect(await types({ accept: 'text/csv' }, '?format=json')).toContain('application/json');
    expect((await farmer.get(path, { accept: 'image/png' })).status).toBe(406);
    expect((await farmer.get(`${path}?format=pdf`)).status).toBe(400);
  });

  it('carries its digest, its length and a strong ETag', async () => {
    const { id, record } = await completed();
    const answer = await farmer.get(`/v2/report/${id}/download`, { 'accept-encoding': 'identity' });
    const sha256 = createHash('sha256').update(answer.text).digest();
    expect(record.manifest.files.find(({ format }: any) => format === 'csv').sha256).toBe(
      sha256.toString('hex'),
    );
    expect(answer.headers.get('repr-digest')).toBe(`sha-256=:${sha256.toString('base64')}:`);
    expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(answer.text));
    const etag = answer.headers.get('etag')!;
    expect(etag).toMatch(/^"/);
    const again = await farmer.get(`/v2/report/${id}/download`, {
      'if-none-match': etag,
      'accept-encoding': 'identity',
    });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
  });

  it('comes in the type that is accepted, whatever its parameters', async () => {
    const { id } = await completed();
    for (const accept of [
      'application/json; charset=utf-8',
      'application/json;odata=verbose, text/csv;q=0.5',
    ]) {
      const answer = await farmer.get(`/v2/report/${id}/download`, { accept });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'application/json; charset=utf-8',
      ]);
    }
  });

  it('is sent under If-Match only as the one that is named, and its record too', async () => {
    const { id } = await completed();
    for (const path of [`/v2/report/${id}`, `/v2/report/${id}/download`]) {
      const headers = { 'accept-encoding': 'identity' };
      const etag = (await farmer.get(path, headers)).headers.get('etag')!;
      for (const one of [etag, `"other", ${etag}`, '*'])
        expect((await farmer.get(path, { ...headers, 'if-match': one })).status).toBe(200);
      for (const other of ['"other"', `W/${etag}`]) {
        const answer = await farmer.get(path, { ...headers, 'if-match': other });
        expect([answer.status, answer.headers.get('repr-digest')]).toEqual([412, null]);
      }
    }
  });

  it('is sent in parts', async () => {
    const { id } = await completed();
    const path = `/v2/report/${id}/download`;
    const whole = await farmer.get(path, { 'accept-encoding': 'identity' });
    const etag = whole.headers.get('etag')!;
    const size = Buffer.byteLength(whole.text);
    const part = await farmer.get(path, { range: 'bytes=2-9' });
    expect(part.status).toBe(206);
    expect(part.text).toBe(whole.text.slice(2, 10));
    expect(part.headers.get('content-range')).toBe(`bytes 2-9/${size}`);
    expect((await farmer.get(path, { range: 'bytes=-5' })).text).toBe(whole.text.slice(-5));
    const more = await farmer.get(path, { range: `bytes=-${size + 1}` });
    expect([more.status, more.text]).toEqual([206, whole.text]);
    expect((await farmer.get(path, { range: `rows=${size}-` })).status).toBe(200);
    expect((await farmer.send('HEAD', path, undefined, { range: `bytes=${size}-` })).status).toBe(200);
    expect((await farmer.get(path, { range: 'bytes=4-', 'if-range': etag })).text).toBe(whole.text.slice(4));
    expect((await farmer.get(path, { range: 'bytes=4-', 'if-range': '"other"' })).status).toBe(200);
    const beyond = await farmer.get(path, { range: `bytes=${size}-` });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get('content-range')).toBe(`bytes */${size}`);
    expect(beyond.headers.get('repr-digest')).toBeNull();
  });

  it('is compressed for who accepts it, under an ETag of its own', async () => {
    const { id } = await completed();
    const url = `${service.url}/v2/report/${id}/download`;
    const plain = await farmer.get(`/v2/report/${id}/download`, { 'accept-encoding': 'identity' });
    const { request: send } = await import('node:http');
    const [headers, body] = await new Promise<[any, Buffer]>((resolve, reject) => {
      send(url, { headers: { 'x-api-key': farmer.apiKey, 'accept-encoding': 'gzip' } }, (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => resolve([response.headers, Buffer.concat(chunks)]));
      })
        .on('error', reject)
        .end();
    });
    expect(headers['content-encoding']).toBe('gzip');
    expect(headers.vary).toContain('Accept-Encoding');
    expect(headers.etag).not.toBe(plain.headers.get('etag'));
    expect(gunzipSync(body).toString()).toBe(plain.text);
  });

  it('answers HEAD without content', async () => {
    const { id } = await completed();
    const whole = await farmer.get(`/v2/report/${id}/download`, { 'accept-encoding': 'identity' });
    const head = await farmer.send('HEAD', `/v2/report/${id}/download`, undefined, {
      'accept-encoding': 'identity',
    });
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
  });

  it('has a record with an ETag', async () => {
    const { id } = await completed();
    const answer = await farmer.get(`/v2/report/${id}`);
    const again = await farmer.get(`/v2/report/${id}`, { 'if-none-match': answer.headers.get('etag')! });
    expect(again.status).toBe(304);
  });

  it('tells its life', async () => {
    const { id } = await completed();
    await farmer.get(`/v2/report/${id}/download`);
    const { body } = await farmer.get(`/v2/report/${id}/events`);
    expect(body.data.map(({ type }: any) => type)).toEqual([
      'ReportRequested',
      'ReportGenerationStarted',
      'ReportCompleted',
      'ReportDownloaded',
    ]);
    expect(body.data[0]).toMatchObject({
      id: expect.any(String),
      at: expect.any(Number),
      data: expect.any(Object),
    });
  });

  it('cannot be cancelled', async () => {
    const { id } = await completed();
    const answer = await farmer.send('DELETE', `/v2/report/${id}`);
    expect(answer.status).toBe(409);
    expect(answer.body.type).toContain('report-ended');
  });
});

describe('a deprecated type', () => {
  it('says so in every answer and makes what its successor makes', async () => {
    const asked = { ...anotherPeriod(), type: 'livestock-reconciliation.v2' };
    const created = await farmer.createReport(asked);
    const record = await farmer.ended(created.body.data.id);
    const successor = await farmer.createReport({ ...asked, type: 'livestock-reconciliation.v3' });
    await farmer.ended(successor.body.data.id);
    const content = await farmer.get(`/v2/report/${record.id}/download`);
    for (const { headers } of [created, content, await farmer.get(`/v2/report/${record.id}`)]) {
      expect(headers.get('deprecation')).toMatch(/^@\d+$/);
      expect(headers.get('link')).toBe(
        `<${service.url}/v2/report-types/livestock-reconciliation.v3>; rel="successor-version"`,
      );
    }
    expect(record.warnings.join()).toContain('livestock-reconciliation.v3');
    expect(content.text).toBe((await farmer.get(`/v2/report/${successor.body.data.id}/download`)).text);
    expect((await farmer.get('/v2/report-types/livestock-reconciliation.v3')).status).toBe(200);
  });
});

describe('the list of reports', () => {
  it('goes newest first, page by page, and filters', async () => {
    const made = [];
    for (let n = 0; n < 5; n++)
      made.push((await neighbour.createReport({ ...anotherPeriod(), tenantId: 'farm-2' })).body.data);
    const since = `createdSince=${made[0].creationDate}`;
    const seen: string[] = [];
    let page: Answer = await neighbour.get(`/v2/report?limit=2&${since}`);
    for (;;) {
      seen.push(...page.body.data.map(({ id }: any) => id));
      if (!page.body.links.next) break;
      expect(page.headers.get('link')).toBe(`<${page.body.links.next}>; rel="next"`);
      page = await neighbour.get(page.body.links.next);
    }
    expect(seen).toEqual(made.map(({ id }) => id).reverse());
    const until = new Date(made[0].creationDate).toISOString();
    expect(
      (await neighbour.get(`/v2/report?${since}&createdUntil=${until}`)).body.data.map(({ id }: any) => id),
    ).toContain(made[0].id);
    expect((await neighbour.get(`/v2/report?type=feed-sale.v1&${since}`)).body.data).toEqual([]);
    expect((await neighbour.get('/v2/report?status=cancelled')).body.data).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'status=done',
    'createdSince=yesterday',
    'cursor=%00',
    'limit=1&limit=2',
  ])('refuses %s', async (query) => {
    const answer = await farmer.get(`/v2/report?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toHaveLength(1);
  });
});

describe('while no worker runs', () => {
  let idle: StartedService;
  let caller: Caller;
  let own: FreshDatabase;

  beforeAll(async () => {
    own = await freshDatabase();
    idle = await startService({ databaseUrl: own.url, role: 'api' });
    caller = new Caller(idle.url, await apiKeyFor(own.url, ['*']));
    expect((await caller.send('PUT', '/v2/farms/farm-1', FARM)).status).toBe(201);
  });

  afterAll(async () => {
    await idle?.stop();
    await own?.drop();
  });

  it('a report stays pending, is joined, and its download says 202', async () => {
    const asked = anotherPeriod();
    const { body } = await caller.createReport(asked);
    const joined = await caller.createReport(asked);
    expect(joined.headers.get('cache-status')).toBe('reports; hit; collapsed');
    const answer = await caller.get(`/v2/report/${body.data.id}/download`);
    expect(answer.status).toBe(202);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(answer.body.data.status).toBe('pending');
  });

  it('a report is cancelled once, then gone from reuse', async () => {
    const asked = anotherPeriod();
    const { body } = await caller.createReport(asked);
    const unseen = { 'if-match': '"as it never was"' };
    expect((await caller.send('DELETE', `/v2/report/${body.data.id}`, undefined, unseen)).status).toBe(412);
    const cancelled = await caller.send('DELETE', `/v2/report/${body.data.id}`);
    expect(cancelled.status).toBe(200);
    expect(cancelled.body.data.status).toBe('cancelled');
    expect((await caller.send('DELETE', `/v2/report/${body.data.id}`)).status).toBe(409);
    const download = await caller.get(`/v2/report/${body.data.id}/download`);
    expect(download.status).toBe(409);
    expect(download.body.type).toContain('report-cancelled');
    expect((await caller.createReport(asked)).body.data.id).not.toBe(body.data.id);
  });

  it('a farm that does not exist is not told apart for a key to all farms either', async () => {
    const answer = await caller.createReport({ ...request, tenantId: 'nowhere' });
    expect(answer.status).toBe(403);
    expect(answer.body.type).toContain('farm-not-accessible');
  });
});

describe('three processes over one database', () => {
  it('make one report of 50 identical creates at once', async () => {
    const others = await Promise.all([1, 2].map(() => startService({ databaseUrl: database.url })));
    const urls = [service.url, ...others.map(({ url }) => url)];
    const callers = urls.map((url) => new Caller(url, farmer.apiKey));
    const asked = anotherPeriod();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => callers[n % 3]!.createReport(asked)),
    );
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    const id = answers[0]!.body.data.id as string;
    await farmer.ended(id);
    const { body } = await farmer.get(`/v2/report/${id}/events`);
    const types = body.data.map(({ type }: any) => type) as string[];
    expect(types.filter((type) => type === 'ReportGenerationStarted')).toHaveLength(1);
    expect(types.filter((type) => type === 'ReportCompleted')).toHaveLength(1);
    await Promise.all(others.map((other) => other.stop()));
  });
});
