import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Pg } from 'pg';
import {
  apiStatus,
  basic,
  Browser,
  Ground,
  type HttpAnswer,
  postToken,
  REDIRECT_URI,
  type RegisteredApp,
  send,
  tokensFor,
} from './oauth-ground.js';
import { apiKeyFor } from './support/caller.js';
import { until } from './support/until.js';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};

let ground: Ground;
let app: RegisteredApp;
let other: RegisteredApp;
let publicApp: RegisteredApp;
let owner: Pg;

beforeAll(async () => {
  ground = await Ground.prepare();
  [app, other, publicApp] = await Promise.all([
    ground.addClient(),
    ground.addClient(),
    ground.addClient({ isPublic: true }),
  ]);
  owner = new Pg(ground.database.ownerUrl);
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await ground.end();
});

const post = (fields: Record<string, string> | string, headers?: Record<string, string | string[]>) =>
  postToken(ground.url, app, fields, headers);
const redeem = (code: string, more: Record<string, string> = {}, client = app) =>
  postToken(ground.url, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    ...more,
  });
const refresh = (token: string | undefined, more: Record<string, string> = {}, client = app) =>
  postToken(ground.url, client, { grant_type: 'refresh_token', refresh_token: token ?? '', ...more });
const newCode = (parameters?: Record<string, string>, client = app) =>
  new Browser(ground.url).codeFor(client, parameters);
const newTokens = () => tokensFor(ground.url, app);

/** Every refusal: the three members and no more, ASCII, nothing kept, nothing of what was sent. */
function expectRefusal(answer: HttpAnswer, status: number, error: string, issuer = ground.url): void {
  expect({ status: answer.status, error: answer.json.error }).toEqual({ status, error });
  expect(Object.keys(answer.json)).toEqual(['error', 'error_description', 'error_uri']);
  expect(answer.json.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  expect(answer.json.error_uri).toBe(`${issuer}/oauth2/errors#${error}`);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json;charset=UTF-8',
    'cache-control': 'no-store',
    pragma: 'no-cache',
  });
}

describe('the HTTP side', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])('%s: 405 with Allow', async (method) => {
    const answer = await send(`${ground.url}/oauth2/token`, { method });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    if (method !== 'HEAD') expectRefusal(answer, 405, 'invalid_request');
  });

  it.each([
    '/oauth2/',
    '/oauth2',
    '/oauth2/nothing',
    '/oauth2/token/',
    '/oauth2/%74oken',
    '/%6fauth2/token',
    '/oauth2/../oauth2/no',
  ])('%s: 404 in the same shape', async (path) => {
    expectRefusal(await postToken(ground.url, app, {}, {}, path), 404, 'invalid_request');
  });

  it('an address that cannot be decoded: 400 in the same shape, without an echo', async () => {
    const answer = await send(`${ground.url}/oauth2/%zz`);
    expectRefusal(answer, 400, 'invalid_request');
    expect(await send(`${ground.url}/v2/report/%zz`)).toMatchObject({ status: 400, json: { status: 400 } });
  });

  it.each([
    ['none', undefined],
    ['JSON', 'application/json'],
    ['multipart', 'multipart/form-data; boundary=x'],
    ['text', 'text/plain'],
    ['another charset', 'application/x-www-form-urlencoded; charset=iso-8859-1'],
    ['two charsets', 'application/x-www-form-urlencoded; charset=utf-8; charset=utf-16'],
    ['utf-16', 'application/x-www-form-urlencoded;charset=utf-16'],
    ['a longer name', 'application/x-www-form-urlencodedx'],
    ['nonsense', ';;;'],
  ])('content type %s: 400', async (_, type) => {
    const headers = { authorization: basic(app), ...(type && { 'content-type': type }) };
    const answer = await send(`${ground.url}/oauth2/token`, {
      method: 'POST',
      headers,
      body: '{"grant_type":"refresh_token"}',
    });
    expectRefusal(answer, 400, 'invalid_request');
  });

  it.each([
    'application/x-www-form-urlencoded;charset=UTF-8',
    'application/x-www-form-urlencoded; charset="utf-8"',
    'Application/X-WWW-Form-Urlencoded ; Charset=Utf-8',
  ])('content type %s is fine', async (type) => {
    expectRefusal(await post('grant_type=password', { 'content-type': type }), 400, 'unsupported_grant_type');
  });

  it.each(['gzip', 'br', 'deflate'])('Content-Encoding %s: 400', async (encoding) => {
    expectRefusal(
      await post('grant_type=password', { 'content-encoding': encoding }),
      400,
      'invalid_request',
    );
  });

  it('a body over 64 KiB: 413, announced or in chunks', async () => {
    const body = `grant_type=refresh_token&x=${'x'.repeat(70_000)}`;
    expectRefusal(await post(body), 413, 'invalid_request');
    expectRefusal(await post(body, { 'transfer-encoding': 'chunked' }), 413, 'invalid_request');
  });

  it('a body of 64 KiB is read', async () => {
    expectRefusal(await post(`grant_type=password&x=${'x'.repeat(65_000)}`), 400, 'unsupported_grant_type');
  });
});

describe('the form', () => {
  it.each([
    ['bad percent-encoding', 'grant_type=refresh_token&refresh_token=%zz'],
    ['a cut escape', 'grant_type=refresh_token&refresh_token=%4'],
    ['invalid UTF-8', 'grant_type=refresh_token&refresh_token=%ff%fe'],
    ['an overlong NUL', 'grant_type=refresh_token&refresh_token=%c0%80'],
    ['NUL', 'grant_type=refresh_token&refresh_token=a%00b'],
    ['a line break', 'grant_type=refresh_token&scope=a%0Ab'],
    ['a parameter twice', 'grant_type=refresh_token&grant_type=authorization_code'],
    ['a parameter twice with the same value', 'grant_type=refresh_token&refresh_token=x&refresh_token=x'],
    ['a parameter twice, once encoded', 'grant_type=refresh_token&code=x&%63ode=x'],
    ['a client_id twice', 'grant_type=refresh_token&client_id=a&client_id=a'],
    ['a code over 2048', `grant_type=authorization_code&code=${'x'.repeat(2049)}`],
    ['a refresh_token over 2048', `grant_type=refresh_token&refresh_token=${'x'.repeat(2049)}`],
    [
      'a redirect_uri over 2048',
      `grant_type=authorization_code&code=x&redirect_uri=https://${'x'.repeat(2049)}`,
    ],
    ['a scope over 2048', `grant_type=refresh_token&refresh_token=x&scope=${'x'.repeat(2049)}`],
    ['a client_id over 64', `grant_type=refresh_token&refresh_token=x&client_id=${'x'.repeat(65)}`],
    ['a client_secret over 2048', `grant_type=refresh_token&client_secret=${'x'.repeat(2049)}`],
    ['no grant_type', 'code=x'],
    ['an empty grant_type', 'grant_type=&code=x'],
    ['no code', 'grant_type=authorization_code'],
    ['an empty code', 'grant_type=authorization_code&code='],
    ['no refresh_token', 'grant_type=refresh_token'],
    ['nothing at all', ''],
  ])('with %s: invalid_request', async (_, body) => {
    expectRefusal(await post(body), 400, 'invalid_request');
  });

  it.each([
    'password',
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'REFRESH_TOKEN',
    'constructor',
  ])('with grant_type %s: unsupported_grant_type', async (grant_type) => {
    expectRefusal(await post({ grant_type }), 400, 'unsupported_grant_type');
  });

  it('with a grant_type the client is not registered for: unauthorized_client', async () => {
    const once = await ground.addClient({ grants: ['authorization_code'] });
    expectRefusal(
      await postToken(ground.url, once, { grant_type: 'refresh_token', refresh_token: 'x' }),
      400,
      'unauthorized_client',
    );
    const { json } = await redeem(await newCode({}, once), {}, once);
    expect(json).not.toHaveProperty('refresh_token');
  });

  it('may hold unknown parameters, repeated, bracketed, badly encoded, or named like parts of objects', async () => {
    const { refresh_token: token = '' } = await newTokens();
    const noise = 'x=1&x=2&a[b]=3&__proto__=4&__proto__[x]=5&constructor=6&y=%zz&%zz=7&toString=8&&=';
    const answer = await post(`${noise}&grant_type=refresh_token&refresh_token=${token}&${noise}`);
    expect(answer.status).toBe(200);
  });

  it('is the only place parameters are read from: the query is not', async () => {
    const { refresh_token: token = '' } = await newTokens();
    const query = `?${new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }).toString()}`;
    expectRefusal(await postToken(ground.url, app, '', {}, `/oauth2/token${query}`), 400, 'invalid_request');
    const withCredentials = `/oauth2/token?client_id=${app.id}&client_secret=${app.secret}`;
    expectRefusal(
      await postToken(
        ground.url,
        undefined,
        { grant_type: 'refresh_token', refresh_token: token },
        {},
        withCredentials,
      ),
      401,
      'invalid_client',
    );
  });
});

describe('client authentication', () => {
  const b64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
  const by = (authorization: string | string[], fields: Record<string, string> = {}) =>
    postToken(ground.url, undefined, { grant_type: 'password', ...fields }, { authorization });
  /** With the credentials accepted, the unknown grant is what is refused. */
  const expectAccepted = (answer: HttpAnswer) => expectRefusal(answer, 400, 'unsupported_grant_type');

  it('in two ways at once, or as two clients: invalid_request', async () => {
    expectRefusal(
      await by(basic(app), { client_id: app.id, client_secret: app.secret }),
      400,
      'invalid_request',
    );
    expectRefusal(await by(basic(app), { client_secret: app.secret }), 400, 'invalid_request');
    expectRefusal(await by(basic(app), { client_id: other.id }), 400, 'invalid_request');
    expectRefusal(await by([basic(app), basic(app)]), 400, 'invalid_request');
    expectRefusal(await by([basic(app), 'Bearer x']), 400, 'invalid_request');
  });

  it('by Basic is fine raw, form-encoded, with every - and _ encoded, in any case, and beside an equal client_id', async () => {
    const all = (text: string) =>
      Array.from(text, (c) => (/[-_]/.test(c) ? `%${c.charCodeAt(0).toString(16)}` : c)).join('');
    expectAccepted(await by(basic(app)));
    expectAccepted(await by(`Basic ${b64(`${all(app.id)}:${all(app.secret)}`)}`));
    expectAccepted(await by(`bAsIc ${b64(`${app.id}:${app.secret}`)}`));
    expectAccepted(await by(basic(app), { client_id: app.id }));
    expectAccepted(await by(basic(app), { client_id: app.id, client_secret: '' }));
  });

  it('by the form is fine', async () => {
    expectAccepted(
      await postToken(ground.url, undefined, {
        grant_type: 'password',
        client_id: app.id,
        client_secret: app.secret,
      }),
    );
  });

  it('of a public client is its client_id', async () => {
    expectAccepted(
      await postToken(ground.url, undefined, { grant_type: 'password', client_id: publicApp.id }),
    );
  });

  it.each<[string, () => string]>([
    ['an unknown client', () => `Basic ${b64(`cl_nobody:${app.secret}`)}`],
    ['a wrong secret', () => `Basic ${b64(`${app.id}:ms_${'x'.repeat(43)}`)}`],
    ['another client’s secret', () => `Basic ${b64(`${app.id}:${other.secret}`)}`],
    ['junk after the secret', () => `Basic ${b64(`${app.id}:${app.secret}:junk`)}`],
    ['no colon', () => `Basic ${b64(app.id)}`],
    ['an empty id', () => `Basic ${b64(`:${app.secret}`)}`],
    ['an empty secret', () => `Basic ${b64(`${app.id}:`)}`],
    ['bad percent-encoding', () => `Basic ${b64(`${app.id}:${app.secret}%`)}`],
    ['no UTF-8', () => `Basic ${b64(Buffer.from([0xff, 0x3a, 0xfe]))}`],
    ['garbage in the base64', () => `Basic ${b64(`${app.id}:${app.secret}`)}!!`],
    ['base64 with a break', () => `Basic ${b64(`${app.id}:${app.secret}`).replace(/(.{8})/, '$1 ')}`],
    ['base64 that is not canonical', () => `Basic ${b64(`${app.id}:${app.secret}`).replace(/=*$/, '')}====`],
    ['a scheme that contains Basic', () => basic(app).replace('Basic', 'XBasicY')],
    ['the Bearer scheme', () => basic(app).replace('Basic', 'Bearer')],
    ['a scheme alone', () => 'Basic'],
    ['a secret for a public client', () => `Basic ${b64(`${publicApp.id}:x`)}`],
  ])('with %s: the one invalid_client', async (_, authorization) => {
    const answer = await by(authorization());
    expectRefusal(answer, 401, 'invalid_client');
    expect(answer.headers['www-authenticate']).toBe('Basic realm="oauth2", charset="UTF-8"');
    expect(answer.json.error_description).toBe('Client authentication failed.');
  });

  it.each<[string, () => Record<string, string>]>([
    ['an unknown client', () => ({ client_id: 'nobody', client_secret: app.secret })],
    ['a wrong secret', () => ({ client_id: app.id, client_secret: 'wrong' })],
    ['a client_id alone', () => ({ client_id: app.id })],
    ['a secret alone', () => ({ client_secret: app.secret })],
    ['nothing', () => ({})],
  ])('in the form with %s: the one invalid_client', async (_, fields) => {
    const answer = await postToken(ground.url, undefined, { grant_type: 'password', ...fields() });
    expectRefusal(answer, 401, 'invalid_client');
    expect(answer.headers['www-authenticate']).toBe('Basic realm="oauth2", charset="UTF-8"');
  });

  it('by a rotated secret: the old one for the overlap, then no more; by a disabled client: no more', async () => {
    const client = await ground.addClient();
    const rotated = await ground.muster('client', 'rotate-secret', client.id, '--overlap', '3600');
    const fresh = { id: client.id, secret: String(rotated.client_secret) };
    ground.secrets.push(fresh.secret);
    expectAccepted(await by(basic(client)));
    expectAccepted(await by(basic(fresh)));
    await owner.query(`UPDATE oauth_client SET previous_until = now() WHERE id = $1`, [client.id]);
    expectRefusal(await by(basic(client)), 401, 'invalid_client');
    expectAccepted(await by(basic(fresh)));
    await ground.muster('client', 'disable', client.id);
    expectRefusal(await by(basic(fresh)), 401, 'invalid_client');
  });

  it('that fails too often: 429 for this client here, in every process, and not for another client', async () => {
    const [client, bystander] = await Promise.all([ground.addClient(), ground.addClient()]);
    const limits = { FAILURES_PER_CLIENT: '3' };
    const [one, two] = await Promise.all([ground.start(limits), ground.start(limits)]);
    const attempt = (url: string, secret = client.secret) =>
      postToken(url, { id: client.id, secret }, { grant_type: 'password' });
    for (let failures = 0; failures < 3; failures++)
      expect((await attempt(one.url, 'wrong')).status).toBe(401);
    for (const { url } of [one, two]) {
      const answer = await attempt(url);
      expect(answer).toMatchObject({ status: 429, json: { error: 'temporarily_unavailable' } });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect((await postToken(url, bystander, { grant_type: 'password' })).status).toBe(400);
    }
    await Promise.all([one.kill(), two.kill()]);
  });

  it('that fails too often from one address: 429 for the address, before anything is read', async () => {
    await owner.query('TRUNCATE failure_window');
    const one = await ground.start({ FAILURES_PER_ADDRESS: '3' });
    for (let failures = 0; failures < 3; failures++) {
      await postToken(one.url, { id: `nobody-${failures}`, secret: 'x' }, { grant_type: 'password' });
    }
    expect((await postToken(one.url, app, 'code=%zz')).status).toBe(429);
    await one.kill();
    await owner.query('TRUNCATE failure_window');
  });

  it('is counted by the address that a trusted proxy names, and by nobody else’s word', async () => {
    const limits = { FAILURES_PER_ADDRESS: '2' };
    const [behind, open] = await Promise.all([
      ground.start({ ...limits, TRUSTED_PROXIES: '127.0.0.0/8' }),
      ground.start(limits),
    ]);
    const attempt = (url: string, address: string) =>
      postToken(
        url,
        { id: 'nobody', secret: 'x' },
        { grant_type: 'password' },
        { 'x-forwarded-for': address },
      );
    const statuses = async (url: string, addresses: string[]) => {
      const seen = [];
      for (const address of addresses) seen.push((await attempt(url, address)).status);
      return seen;
    };
    expect(await statuses(behind.url, ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])).toEqual([
      401, 401, 429, 401,
    ]);
    expect(await statuses(open.url, ['192.0.2.3', '192.0.2.4', '192.0.2.5'])).toEqual([401, 401, 429]);
    await Promise.all([behind.kill(), open.kill()]);
    await owner.query('TRUNCATE failure_window');
  });

  it('that fails is in the event store, without what was sent', async () => {
    await by(`Basic ${b64(`${app.id}:tell-nobody`)}`);
    const { rows } = await owner.query(
      `SELECT data::text AS data FROM event WHERE type = 'ClientAuthenticationFailed' AND tenant_id = $1`,
      [`client:${app.id}`],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('tell-nobody');
  });
});

describe('a code', () => {
  it.each<[string, (code: string) => string]>([
    ['unknown', () => `mc_${'x'.repeat(43)}`],
    ['altered', (code) => code.slice(0, -2) + (code.endsWith('AA') ? 'BB' : 'AA')],
    ['in another case', (code) => code.toUpperCase()],
    ['of another kind', (code) => code.replace('mc_', 'mr_')],
    ['nonsense', () => 'x'],
  ])('that is %s: invalid_grant', async (_, change) => {
    expectRefusal(await redeem(change(await newCode())), 400, 'invalid_grant');
  });

  it('that is a refresh token or an access token: invalid_grant', async () => {
    const { refresh_token: refreshToken = '', access_token: accessToken = '' } = await newTokens();
    expectRefusal(await redeem(refreshToken), 400, 'invalid_grant');
    expectRefusal(await redeem(accessToken), 400, 'invalid_grant');
  });

  it('that has expired: invalid_grant', async () => {
    const code = await newCode();
    await owner.query('UPDATE oauth_code SET expires_at = now() WHERE hash = $1', [sha256(code)]);
    expectRefusal(await redeem(code), 400, 'invalid_grant');
  });

  it('used before, by its owner: invalid_grant, and all that came of it ends', async () => {
    const code = await newCode();
    const { json: first } = await redeem(code);
    const { json: second } = await refresh(first.refresh_token);
    expect(await apiStatus(ground.url, second.access_token)).toBe(200);
    expectRefusal(await redeem(code), 400, 'invalid_grant');
    expect(await apiStatus(ground.url, first.access_token)).toBe(401);
    expect(await apiStatus(ground.url, second.access_token)).toBe(401);
    expectRefusal(await refresh(second.refresh_token), 400, 'invalid_grant');
    const { rowCount } = await owner.query(
      `SELECT FROM event WHERE type = 'CodeReplayed' AND tenant_id = $1`,
      [`client:${app.id}`],
    );
    expect(rowCount).toBeGreaterThan(0);
  });

  it('of another client: invalid_grant, and the code is burnt', async () => {
    const code = await newCode();
    expectRefusal(await redeem(code, {}, other), 400, 'invalid_grant');
    expectRefusal(await redeem(code), 400, 'invalid_grant');
  });

  it.each<[string, Record<string, string>]>([
    ['absent though given at authorize', { redirect_uri: '' }],
    ['not identical', { redirect_uri: `${REDIRECT_URI}/` }],
    ['in another case', { redirect_uri: REDIRECT_URI.replace('https', 'HTTPS') }],
    ['no address', { redirect_uri: 'x' }],
  ])('with a redirect_uri that is %s: invalid_grant, and the code is burnt', async (_, change) => {
    const code = await newCode();
    expectRefusal(await redeem(code, change), 400, 'invalid_grant');
    expectRefusal(await redeem(code), 400, 'invalid_grant');
  });

  it('without a redirect_uri at authorize needs none', async () => {
    const back = await new Browser(ground.url).authorize({ response_type: 'code', client_id: app.id });
    const code = back.searchParams.get('code') ?? '';
    expect((await redeem(code, { redirect_uri: '' })).status).toBe(200);
  });

  it('with a challenge needs its verifier; a missing or wrong one burns the code', async () => {
    expect((await redeem(await newCode(CHALLENGE), { code_verifier: VERIFIER })).status).toBe(200);
    for (const wrong of [{}, { code_verifier: 'w'.repeat(43) }]) {
      const code = await newCode(CHALLENGE);
      expectRefusal(await redeem(code, wrong), 400, 'invalid_grant');
      expectRefusal(await redeem(code, { code_verifier: VERIFIER }), 400, 'invalid_grant');
    }
  });

  it.each([
    'v'.repeat(42),
    'v'.repeat(129),
    `${'v'.repeat(42)}+`,
    `${'v'.repeat(42)} `,
    `${'v'.repeat(42)}é`,
  ])('with the verifier %s: invalid_request, and the code stays good', async (code_verifier) => {
    const code = await newCode(CHALLENGE);
    expectRefusal(await redeem(code, { code_verifier }), 400, 'invalid_request');
    expect((await redeem(code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  it('with a verifier nobody asked for: invalid_grant', async () => {
    expectRefusal(await redeem(await newCode(), { code_verifier: VERIFIER }), 400, 'invalid_grant');
  });

  it('of a public client comes with PKCE, and is exchanged by client_id alone', async () => {
    const code = await newCode(CHALLENGE, publicApp);
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      client_id: publicApp.id,
      code_verifier: VERIFIER,
    };
    expect((await postToken(ground.url, undefined, fields)).status).toBe(200);
  });
});

describe('a refresh token', () => {
  it.each<[string, (token: string) => string]>([
    ['unknown', () => `mr_${'x'.repeat(43)}`],
    ['altered', (token) => token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA')],
    ['of another kind', (token) => token.replace('mr_', 'mc_')],
  ])('that is %s: invalid_grant', async (_, change) => {
    const { refresh_token: token = '' } = await newTokens();
    expectRefusal(await refresh(change(token)), 400, 'invalid_grant');
    expect((await refresh(token)).status).toBe(200);
  });

  it('that is an access token: invalid_grant', async () => {
    expectRefusal(await refresh((await newTokens()).access_token), 400, 'invalid_grant');
  });

  it('that has expired: invalid_grant', async () => {
    const { refresh_token: token = '' } = await newTokens();
    await owner.query('UPDATE oauth_refresh SET expires_at = now() WHERE hash = $1', [sha256(token)]);
    expectRefusal(await refresh(token), 400, 'invalid_grant');
  });

  it('that was revoked: invalid_grant', async () => {
    const { refresh_token: token = '' } = await newTokens();
    await postToken(ground.url, app, { token }, {}, '/oauth2/revoke');
    expectRefusal(await refresh(token), 400, 'invalid_grant');
  });

  it('of another client: invalid_grant, not spent', async () => {
    const { refresh_token: token = '' } = await newTokens();
    expectRefusal(await refresh(token, {}, other), 400, 'invalid_grant');
    expect((await refresh(token)).status).toBe(200);
  });

  it('spent, inside the grace, successor unused: the same successor', async () => {
    const { refresh_token: token } = await newTokens();
    const first = await refresh(token);
    const again = await refresh(token);
    expect(again).toMatchObject({ status: 200, json: first.json });
    expect((await refresh(first.json.refresh_token)).status).toBe(200);
  });

  it('spent, its successor used: invalid_grant, and the family ends', async () => {
    const { refresh_token: token } = await newTokens();
    const { json: second } = await refresh(token);
    const { json: third } = await refresh(second.refresh_token);
    expectRefusal(await refresh(token), 400, 'invalid_grant');
    expectRefusal(await refresh(third.refresh_token), 400, 'invalid_grant');
    expect(await apiStatus(ground.url, third.access_token)).toBe(401);
    const { rowCount } = await owner.query(
      `SELECT FROM event WHERE type = 'RefreshTokenReused' AND tenant_id = $1`,
      [`client:${app.id}`],
    );
    expect(rowCount).toBeGreaterThan(0);
  });

  it('spent, the grace over: invalid_grant, and the family ends', async () => {
    const { refresh_token: token = '' } = await newTokens();
    const { json: second } = await refresh(token);
    await owner.query(`UPDATE oauth_refresh SET spent_at = spent_at - interval '11 s' WHERE hash = $1`, [
      sha256(token),
    ]);
    expectRefusal(await refresh(token), 400, 'invalid_grant');
    expectRefusal(await refresh(second.refresh_token), 400, 'invalid_grant');
  });

  it.each(['read:reports everything', 'everything', 'read:reports  write:reports', '"', 'é'])(
    'with the scope %s: invalid_scope, not spent',
    async (scope) => {
      const { refresh_token: token } = await newTokens();
      expectRefusal(await refresh(token, { scope }), 400, 'invalid_scope');
      expect((await refresh(token)).status).toBe(200);
    },
  );

  it('with a scope wider than the grant: invalid_scope, not spent', async () => {
    const { refresh_token: token } = await tokensFor(ground.url, app, { scope: 'read:reports' });
    expectRefusal(await refresh(token, { scope: 'read:reports write:reports' }), 400, 'invalid_scope');
    expect((await refresh(token)).status).toBe(200);
  });

  it('with a narrower scope narrows the access token, and the next refresh has all of the grant again', async () => {
    const { refresh_token: token } = await newTokens();
    const { json: narrowed } = await refresh(token, { scope: 'read:records' });
    expect(narrowed.scope).toBe('read:records');
    expect(await apiStatus(ground.url, narrowed.access_token)).toBe(403);
    const { json: next } = await refresh(narrowed.refresh_token);
    expect(next.scope).toBe('read:reports write:reports read:records write:records');
    expect(await apiStatus(ground.url, next.access_token)).toBe(200);
  });

  it('of a person disabled since: invalid_grant, and access ends at once; a code too', async () => {
    await ground.addPerson('leaver@example.org', ['farm-3']);
    const leave = { email: 'leaver@example.org', farms: ['farm-3'] };
    const request = { response_type: 'code', client_id: app.id, redirect_uri: REDIRECT_URI };
    const codes = [];
    for (let count = 0; count < 2; count++) {
      codes.push((await new Browser(ground.url).authorize(request, leave)).searchParams.get('code') ?? '');
    }
    const { json } = await redeem(codes[0] ?? '');
    expect(await apiStatus(ground.url, json.access_token)).toBe(200);
    await ground.muster('user', 'disable', 'leaver@example.org');
    expect(await apiStatus(ground.url, json.access_token)).toBe(401);
    expectRefusal(await refresh(json.refresh_token), 400, 'invalid_grant');
    expectRefusal(await redeem(codes[1] ?? ''), 400, 'invalid_grant');
  });
});

describe('an access token', () => {
  it('that has expired is 401, never 403', async () => {
    const { access_token: token = '' } = await newTokens();
    await owner.query('UPDATE oauth_access SET expires_at = now() WHERE hash = $1', [sha256(token)]);
    const answer = await send(`${ground.url}/v2/report`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer).toMatchObject({ status: 401, json: { status: 401 } });
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  it('reaches the farms that were chosen, of those the person still has', async () => {
    const { access_token: token = '' } = await newTokens();
    const create = (tenantId: string) =>
      send(`${ground.url}/v2/report`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          type: 'livestock-sale.v1',
          tenantType: 'farm',
          tenantId,
          reportingPeriodStart: 1,
          reportingPeriodEnd: 2,
        }),
      });
    expect((await create('farm-2')).status).toBe(403);
    expect((await create('farm-1')).json.type ?? '').not.toContain('scope');
  });

  it('and an API key together allow what both allow', async () => {
    const { access_token: token = '' } = await newTokens();
    const apiKey = await apiKeyFor(ground.database.url, ['farm-1'], ['read:records']);
    ground.secrets.push(apiKey);
    const headers = { authorization: `Bearer ${token}`, 'x-api-key': apiKey };
    expect((await send(`${ground.url}/v2/report`, { headers })).status).toBe(403);
    expect((await send(`${ground.url}/v2/farms`, { headers })).status).toBe(200);
  });
});

describe('a database that is away', () => {
  it('gives 503 temporarily_unavailable with Retry-After', async () => {
    const { refresh_token: token } = await newTokens();
    const line = await Line.to(ground.database.url);
    const service = await ground.start({ DATABASE_URL: line.url });
    const attempt = () =>
      postToken(service.url, app, { grant_type: 'refresh_token', refresh_token: token ?? '' });
    await line.cut();
    const answer = await attempt();
    expectRefusal(answer, 503, 'temporarily_unavailable', service.url);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    await line.mend();
    expect((await attempt()).status).toBe(200);
    await service.kill();
    await line.cut();
  });
});

describe('a failure that nobody foresaw', () => {
  it('gives 500 server_error and says nothing of its cause, which the log has', async () => {
    const { refresh_token: token } = await newTokens();
    await owner.query('ALTER TABLE oauth_refresh RENAME TO mislaid');
    const answer = await refresh(token);
    await owner.query('ALTER TABLE mislaid RENAME TO oauth_refresh');
    expectRefusal(answer, 500, 'server_error');
    expect(answer.text).not.toMatch(/oauth_|relation|SELECT/);
    await until('the log has the cause', () =>
      ground.service.logs().includes('relation \\"oauth_refresh\\" does not exist'),
    );
    expect((await refresh(token)).status).toBe(200);
  });
});

/** A line to the database that can be cut. */
class Line {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly target: URL) {
    this.server = createServer((near) => {
      const far = connect(Number(this.target.port), this.target.hostname);
      for (const socket of [near, far]) this.sockets.add(socket.on('error', () => undefined));
      near.pipe(far).pipe(near);
    });
  }

  static async to(databaseUrl: string): Promise<Line> {
    const line = new Line(new URL(databaseUrl));
    await line.mend();
    return line;
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  async mend(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (this.server.listening) await once(this.server.close(), 'close');
  }

  private port = 0;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
