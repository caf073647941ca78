import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Pg } from 'pg';
import {
  apiStatus,
  ALL_SCOPES,
  Browser,
  Ground,
  type HttpAnswer,
  PASSWORD,
  postToken,
  REDIRECT_URI,
  type RegisteredApp,
  send,
  tokensFor,
} from './oauth-ground.js';

const CHALLENGE = {
  code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
  code_challenge_method: 'S256',
};

let ground: Ground;
let app: RegisteredApp;
let strictApp: RegisteredApp;
let publicApp: RegisteredApp;
let owner: Pg;

beforeAll(async () => {
  ground = await Ground.prepare();
  [app, strictApp, publicApp] = await Promise.all([
    ground.addClient(),
    ground.addClient({ requirePkce: true }),
    ground.addClient({ isPublic: true, redirectUris: [REDIRECT_URI, 'http://127.0.0.1/back'] }),
  ]);
  owner = new Pg(ground.database.ownerUrl);
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await ground.end();
});

const requestOf = (client: RegisteredApp, more: Record<string, string> = {}) => ({
  response_type: 'code',
  client_id: client.id,
  redirect_uri: REDIRECT_URI,
  state: 'st/ate',
  ...more,
});
const open = (parameters: Record<string, string> | string, browser = new Browser(ground.url)) =>
  browser.get(`/oauth2/authorize?${new URLSearchParams(parameters).toString()}`);

async function signedIn(email = 'farmer@example.org'): Promise<Browser> {
  const browser = new Browser(ground.url);
  await browser.submit(await browser.get('/account/applications'), ['email', email], ['password', PASSWORD]);
  return browser;
}

function expectPage(answer: HttpAnswer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  const policy = String(answer.headers['content-security-policy']);
  for (const part of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ]) {
    expect(policy).toContain(part);
  }
  expect(policy).not.toMatch(/script-src|unsafe/);
  expect(answer.text).not.toContain('<script');
}

function expectRedirect(answer: HttpAnswer, error: string, state: string | null = 'st/ate'): void {
  expect(answer.status).toBe(303);
  const { searchParams, origin, pathname } = new URL(String(answer.headers.location));
  expect(origin + pathname).toBe(REDIRECT_URI);
  const told = {
    error: searchParams.get('error'),
    state: searchParams.get('state'),
    iss: searchParams.get('iss'),
  };
  expect(told).toEqual({ error, state, iss: ground.url });
  expect(searchParams.has('code')).toBe(false);
}

describe('a request that says nothing safe', () => {
  it.each<[string, () => Record<string, string>]>([
    ['an unknown client', () => ({ ...requestOf(app), client_id: 'nobody' })],
    ['no client', () => ({ response_type: 'code', redirect_uri: REDIRECT_URI })],
    ['another address', () => requestOf(app, { redirect_uri: 'https://evil.example/callback' })],
    ['an address with a tail', () => requestOf(app, { redirect_uri: `${REDIRECT_URI}/x` })],
    ['an address with a query', () => requestOf(app, { redirect_uri: `${REDIRECT_URI}?x=1` })],
    ['an address in another case', () => requestOf(app, { redirect_uri: REDIRECT_URI.toUpperCase() })],
    ['a script for an address', () => requestOf(app, { redirect_uri: 'javascript:alert(1)' })],
    ['no address though two are registered', () => ({ response_type: 'code', client_id: publicApp.id })],
    ['an address with a break', () => requestOf(app, { redirect_uri: `${REDIRECT_URI}\r\nX: y` })],
  ])('%s: a page, never a redirect', async (_, parameters) => {
    const answer = await open(parameters());
    expectPage(answer, 400);
    expect(answer.headers).not.toHaveProperty('location');
  });

  it('the address or the client twice: a page, never a redirect', async () => {
    const query = new URLSearchParams(requestOf(app)).toString();
    expectPage(await open(`${query}&redirect_uri=https%3A%2F%2Fevil.example`), 400);
    expectPage(await open(`${query}&client_id=${app.id}`), 400);
  });

  it('echoes nothing', async () => {
    const answer = await open({ ...requestOf(app), client_id: '"><b>me' });
    expect(answer.text).not.toContain('<b>me');
  });
});

describe('a request that is not in order goes back with', () => {
  it.each<[string, string, () => Record<string, string>]>([
    ['invalid_request', 'no response_type', () => requestOf(app, { response_type: '' })],
    ['unsupported_response_type', 'token', () => requestOf(app, { response_type: 'token' })],
    ['unsupported_response_type', 'code token', () => requestOf(app, { response_type: 'code token' })],
    ['invalid_scope', 'an unknown scope', () => requestOf(app, { scope: 'everything' })],
    ['invalid_scope', 'a malformed scope', () => requestOf(app, { scope: 'read:reports  read:records' })],
    [
      'invalid_request',
      'plain',
      () => requestOf(app, { code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' }),
    ],
    [
      'invalid_request',
      'a challenge without method',
      () => requestOf(app, { code_challenge: 'v'.repeat(43) }),
    ],
    [
      'invalid_request',
      'a method without challenge',
      () => requestOf(app, { code_challenge_method: 'S256' }),
    ],
    [
      'invalid_request',
      'a challenge that is none',
      () => requestOf(app, { ...CHALLENGE, code_challenge: 'short' }),
    ],
    ['invalid_request', 'no PKCE where it is required', () => requestOf(strictApp)],
    ['invalid_request', 'no PKCE of a public client', () => requestOf(publicApp)],
    ['invalid_request', 'an organization over 64', () => requestOf(app, { organization: 'x'.repeat(65) })],
    ['invalid_request', 'another response_mode', () => requestOf(app, { response_mode: 'fragment' })],
  ])('%s: %s', async (error, _, parameters) => {
    expectRedirect(await open(parameters()), error);
  });

  it('invalid_request: a parameter twice; a state at fault is not returned', async () => {
    const query = new URLSearchParams(requestOf(app)).toString();
    expectRedirect(await open(`${query}&scope=a&scope=a`), 'invalid_request');
    expectRedirect(await open(`${query}&state=again`), 'invalid_request', null);
  });
});

describe('signing in', () => {
  it('is asked for on a page that names the application', async () => {
    const answer = await open(requestOf(app));
    expectPage(answer, 200);
    expect(answer.text).toContain('Paddock Book');
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/);
  });

  it('is Secure with a __Host- cookie when the service is on https', async () => {
    const port = await freePort();
    const service = await ground.start({ PUBLIC_URL: 'https://muster.example', PORT: String(port) });
    const answer = await send(`http://127.0.0.1:${port}/account/applications`);
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^__Host-muster=mn_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    await service.kill();
  });

  it('fails alike for somebody unknown and for a wrong password', async () => {
    const answers = [];
    for (const email of ['farmer@example.org', 'nobody@example.org']) {
      const browser = new Browser(ground.url);
      const page = await open(requestOf(app), browser);
      const answer = await browser.submit(page, ['email', email], ['password', 'wrong password']);
      expectPage(answer, 401);
      answers.push(answer.text.replaceAll(email, '').replace(/name="form_key" value="[^"]+"/, ''));
    }
    expect(answers[0]).toBe(answers[1]);
  });

  it('takes about the same time for somebody unknown and for a wrong password', async () => {
    const service = await ground.start({ FAILURES_PER_ACCOUNT: '1000' });
    const times: Record<string, number[]> = { 'farmer@example.org': [], 'nobody@example.org': [] };
    for (let round = 0; round < 8; round++) {
      for (const [email, taken] of Object.entries(times)) {
        const browser = new Browser(service.url);
        const page = await browser.get(`/oauth2/authorize?${new URLSearchParams(requestOf(app)).toString()}`);
        const begun = performance.now();
        await browser.submit(page, ['email', email], ['password', 'wrong password']);
        taken.push(performance.now() - begun);
      }
    }
    const [known = 0, unknown = 0] = Object.values(times).map((taken) => taken.sort((a, b) => a - b)[3]);
    expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(2);
    await service.kill();
  });

  it('is limited per account, with the same answer for somebody unknown, and right guesses do not help', async () => {
    const service = await ground.start({ FAILURES_PER_ACCOUNT: '3' });
    await owner.query('TRUNCATE failure_window');
    for (const email of ['farmer@example.org', 'nobody@example.org']) {
      const browser = new Browser(service.url);
      const page = await browser.get('/account/applications');
      const statuses = [];
      for (let guess = 0; guess < 4; guess++) {
        statuses.push((await browser.submit(page, ['email', email], ['password', 'wrong password'])).status);
      }
      expect(statuses).toEqual([401, 401, 401, 429]);
      const right = await browser.submit(page, ['email', email], ['password', PASSWORD]);
      expect(right.status).toBe(429);
      expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    }
    await owner.query('TRUNCATE failure_window');
    await service.kill();
  });

  it('counts guesses made at the same time', async () => {
    const service = await ground.start({ FAILURES_PER_ACCOUNT: '3' });
    await owner.query('TRUNCATE failure_window');
    const browser = new Browser(service.url);
    const page = await browser.get('/account/applications');
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () =>
        browser.submit(page, ['email', 'farmer@example.org'], ['password', 'wrong']),
      ),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(3);
    await owner.query('TRUNCATE failure_window');
    await service.kill();
  });

  it('with a form from elsewhere does nothing', async () => {
    const browser = new Browser(ground.url);
    await browser.get('/account/applications');
    const forged: [string, string][] = [
      ['email', 'farmer@example.org'],
      ['password', PASSWORD],
      ['form_key', 'x'],
    ];
    expect((await browser.post('/account/sign-in', forged)).status).toBe(403);
    expect((await browser.get('/account/applications')).text).toContain('name="password"');
  });

  it('gives a new cookie: one planted before is worth nothing', async () => {
    const browser = new Browser(ground.url);
    const page = await browser.get('/account/applications');
    const planted = String(page.headers['set-cookie']).split(';', 1)[0] ?? '';
    const answer = await browser.submit(page, ['email', 'farmer@example.org'], ['password', PASSWORD]);
    expect(answer.status).toBe(303);
    expect(String(answer.headers['set-cookie'])).not.toContain(planted);
    const elsewhere = await send(`${ground.url}/account/applications`, { headers: { cookie: planted } });
    expect(elsewhere.text).toContain('name="password"');
  });

  it('takes the address in any case', async () => {
    const browser = await signedIn('Farmer@Example.ORG');
    expect((await browser.get('/account/applications')).text).toContain('farmer@example.org');
  });

  it('ends with signing out', async () => {
    const browser = await signedIn();
    const page = await browser.get('/account/applications');
    const key =
      /action="\/account\/sign-out">\s*<input type="hidden" name="form_key" value="([^"]+)"/.exec(
        page.text,
      )?.[1] ?? '';
    await browser.post('/account/sign-out', [['form_key', key]]);
    expect((await browser.get('/account/applications')).text).toContain('name="password"');
  });
});

describe('consent', () => {
  it('names the client, the scopes in plain words, and the person’s own farms', async () => {
    const answer = await open(requestOf(app, { scope: 'read:reports' }), await signedIn());
    expectPage(answer, 200);
    for (const text of ['Paddock Book', 'See and download reports', 'farm-1', 'farm-2'])
      expect(answer.text).toContain(text);
    expect(answer.text).not.toContain('farm records');
    expect(String(answer.headers['content-security-policy'])).toContain(
      "form-action 'self' https://app.example",
    );
  });

  it('calls the farms by their names', async () => {
    await ground.muster(
      'farm',
      'create',
      '--id',
      'farm-2',
      '--name',
      'Gundaroo <Flats>',
      '--time-zone',
      'Australia/Sydney',
    );
    const answer = await open(requestOf(app), await signedIn());
    expect(answer.text).toMatch(/Gundaroo &lt;Flats&gt;\s*<small class="soft">farm-2<\/small>/);
  });

  it('preselects the farm that organization names', async () => {
    const answer = await open(requestOf(app, { organization: 'farm-2' }), await signedIn());
    expect(answer.text).toMatch(/value="farm-2" checked/);
    expect(answer.text).not.toMatch(/value="farm-1" checked/);
  });

  it('denied goes back with access_denied', async () => {
    const browser = await signedIn();
    expectRedirect(
      await browser.submit(await open(requestOf(app), browser), ['decision', 'deny']),
      'access_denied',
    );
  });

  it('to no farm, or to somebody else’s, is asked for again', async () => {
    const browser = await signedIn();
    const page = await open(requestOf(app), browser);
    for (const fields of [[], [['farm', 'farm-of-a-neighbour']]] as [string, string][][]) {
      const answer = await browser.submit(page, ...fields, ['decision', 'allow']);
      expectPage(answer, 400);
      expect(answer.text).toContain('Choose at least one farm');
    }
  });

  it('with a form from elsewhere gives nothing', async () => {
    const browser = await signedIn();
    const forged: [string, string][] = [
      ['step', 'consent'],
      ['decision', 'allow'],
      ['farm', 'farm-1'],
      ['form_key', 'x'],
    ];
    expectPage(
      await browser.post(`/oauth2/authorize?${new URLSearchParams(requestOf(app)).toString()}`, forged),
      403,
    );
  });

  it('after the session has ended asks to sign in, and gives nothing', async () => {
    const browser = await signedIn();
    const page = await open(requestOf(app), browser);
    await owner.query('UPDATE person_session SET expires_at = now()');
    const answer = await browser.submit(page, ['farm', 'farm-1'], ['decision', 'allow']);
    expectPage(answer, 200);
    expect(answer.text).toContain('Your session has ended');
  });

  it('is remembered for the same farms and no more scopes, and asked for again when more is wanted', async () => {
    const fresh = await ground.addClient();
    const browser = new Browser(ground.url);
    await browser.authorize(requestOf(fresh, { scope: 'read:reports write:reports' }), { farms: ['farm-2'] });
    expect((await open(requestOf(fresh, { scope: 'read:reports' }), browser)).status).toBe(303);
    expect((await open(requestOf(fresh, { scope: 'read:reports write:reports' }), browser)).status).toBe(303);
    expect((await open(requestOf(fresh, { scope: 'read:records' }), browser)).status).toBe(200);
    expect(
      (await open(requestOf(fresh, { scope: 'read:reports', organization: 'farm-1' }), browser)).status,
    ).toBe(200);
  });

  it('is never remembered for a public client', async () => {
    const browser = new Browser(ground.url);
    const request = requestOf(publicApp, { ...CHALLENGE, redirect_uri: 'http://127.0.0.1:50123/back' });
    const back = await browser.authorize(request);
    expect(back.host).toBe('127.0.0.1:50123');
    expect((await open(request, browser)).status).toBe(200);
  });

  it('is in the event store, without the code', async () => {
    const code = await new Browser(ground.url).codeFor(app);
    const { rows } = await owner.query(
      `SELECT data::text AS data FROM event WHERE type = 'ApplicationAuthorized'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(code);
  });
});

describe('connected applications', () => {
  it('are shown to their person, and end at once when withdrawn: tokens, codes, the remembered consent', async () => {
    const connected = await ground.addClient();
    const { access_token: access = '', refresh_token: refreshToken = '' } = await tokensFor(
      ground.url,
      connected,
    );
    const browser = await signedIn();
    const pending = await browser.codeFor(connected);
    expect(await apiStatus(ground.url, access)).toBe(200);

    const page = await browser.get('/account/applications');
    expectPage(page, 200);
    const form = page.text.slice(0, page.text.indexOf(`value="${connected.id}"`));
    const key = /name="form_key" value="([^"]+)"/.exec(form.slice(form.lastIndexOf('<form')))?.[1] ?? '';
    expect(
      (
        await browser.post('/account/applications', [
          ['form_key', key],
          ['client_id', connected.id],
        ])
      ).status,
    ).toBe(303);

    expect(await apiStatus(ground.url, access)).toBe(401);
    const refreshed = await postToken(ground.url, connected, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    expect(refreshed.json.error).toBe('invalid_grant');
    const redeemed = await postToken(ground.url, connected, {
      grant_type: 'authorization_code',
      code: pending,
      redirect_uri: REDIRECT_URI,
    });
    expect(redeemed.json.error).toBe('invalid_grant');
    expect((await browser.get('/account/applications')).text).not.toContain(connected.id);
    expect((await open(requestOf(connected), browser)).status).toBe(200);
    const { rowCount } = await owner.query(
      `SELECT FROM event WHERE type = 'AccessRevoked' AND tenant_id = $1`,
      [`client:${connected.id}`],
    );
    expect(rowCount).toBe(1);
  });
});

describe('revocation', () => {
  const revoke = (token: string, client = app, more: Record<string, string> = {}) =>
    postToken(ground.url, client, { token, ...more }, {}, '/oauth2/revoke');
  const status = (token?: string) => apiStatus(ground.url, token);

  it('of a refresh token takes its family along, whatever the hint says', async () => {
    const { access_token: access, refresh_token: token = '' } = await tokensFor(ground.url, app);
    expect(await status(access)).toBe(200);
    expect(await revoke(token, app, { token_type_hint: 'access_token' })).toMatchObject({
      status: 200,
      text: '{}',
    });
    expect(await status(access)).toBe(401);
  });

  it('of an access token leaves the refresh token', async () => {
    const { access_token: access = '', refresh_token: token = '' } = await tokensFor(ground.url, app);
    expect(await status(access)).toBe(200);
    expect(await revoke(access)).toMatchObject({ status: 200, text: '{}' });
    expect(await status(access)).toBe(401);
    expect(
      (await postToken(ground.url, app, { grant_type: 'refresh_token', refresh_token: token })).status,
    ).toBe(200);
  });

  it('of another client’s token, of nonsense, or for the second time is 200 and does nothing', async () => {
    const { access_token: access = '', refresh_token: token = '' } = await tokensFor(ground.url, app);
    for (const foreign of [token, access, 'nonsense'])
      expect(await revoke(foreign, strictApp)).toMatchObject({ status: 200, text: '{}' });
    expect(await status(access)).toBe(200);
    for (let time = 0; time < 2; time++)
      expect(await revoke(token)).toMatchObject({ status: 200, text: '{}' });
  });

  it('needs a token and a client', async () => {
    expect(await revoke('')).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    expect(await revoke('x', { ...app, secret: 'wrong' })).toMatchObject({
      status: 401,
      json: { error: 'invalid_client' },
    });
  });
});

describe('introspection', () => {
  const ask = (token: string, client = app) =>
    postToken(ground.url, client, { token }, {}, '/oauth2/introspect');

  it('of a token in force tells what it allows', async () => {
    const { access_token: access = '', refresh_token: token = '' } = await tokensFor(ground.url, app, {
      scope: 'read:reports',
    });
    expect((await ask(access)).json).toMatchObject({
      active: true,
      scope: 'read:reports',
      client_id: app.id,
      token_type: 'Bearer',
      iss: ground.url,
    });
    expect((await ask(token)).json).toMatchObject({ active: true, scope: 'read:reports', client_id: app.id });
  });

  it('of anything else tells nothing', async () => {
    const { access_token: access = '', refresh_token: token = '' } = await tokensFor(ground.url, app);
    expect((await ask(access, strictApp)).text).toBe('{"active":false}');
    expect((await ask('nonsense')).text).toBe('{"active":false}');
    await postToken(ground.url, app, { token }, {}, '/oauth2/revoke');
    for (const ended of [access, token]) expect((await ask(ended)).text).toBe('{"active":false}');
  });

  it('is not for public clients', async () => {
    const answer = await postToken(
      ground.url,
      undefined,
      { token: 'x', client_id: publicApp.id },
      {},
      '/oauth2/introspect',
    );
    expect(answer).toMatchObject({ status: 401, json: { error: 'invalid_client' } });
  });
});

describe('metadata', () => {
  it('says what the server does, the issuer being the public address exactly', async () => {
    const { json } = await send(`${ground.url}/.well-known/oauth-authorization-server`);
    expect(json).toMatchObject({
      issuer: ground.url,
      token_endpoint: `${ground.url}/oauth2/token`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ALL_SCOPES,
    });
  });

  it('and every error_uri leads to a page that exists', async () => {
    const { json } = await postToken(ground.url, app, { grant_type: 'x' });
    const [address = '', anchor] = String(json.error_uri).split('#');
    const page = await send(address);
    expectPage(page, 200);
    expect(page.text).toContain(`id="${anchor}"`);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}
