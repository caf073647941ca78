import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Client } from '@badgateway/oauth2-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import OAuth2Strategy from 'passport-oauth2';
import { AuthorizationCode } from 'simple-oauth2';
import { Browser, Ground, REDIRECT_URI, type RegisteredApp, send } from './oauth-ground.js';

let ground: Ground;
let app: RegisteredApp;
let strict: RegisteredApp;
let publicApp: RegisteredApp;

beforeAll(async () => {
  ground = await Ground.prepare();
  [app, strict, publicApp] = await Promise.all([
    ground.addClient(),
    ground.addClient({ requirePkce: true }),
    ground.addClient({ isPublic: true }),
  ]);
});

afterAll(() => ground.end());

/** The person's part: goes where the application sends them, and comes back. */
async function visit(address: URL | string): Promise<URL> {
  return new Browser(ground.url).authorize(Object.fromEntries(new URL(address).searchParams));
}

async function expectAccess(token: string | undefined, allowed = true): Promise<void> {
  const { status } = await send(`${ground.url}/v2/report`, { headers: { authorization: `Bearer ${token}` } });
  expect(status).toBe(allowed ? 200 : 401);
}

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const discover = async () => {
    const issuer = new URL(ground.url);
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    return oauth.processDiscoveryResponse(issuer, response);
  };
  const kinds: [string, () => RegisteredApp, (client: RegisteredApp) => oauth.ClientAuth][] = [
    ['by Basic', () => strict, ({ secret }) => oauth.ClientSecretBasic(secret)],
    ['by the form', () => strict, ({ secret }) => oauth.ClientSecretPost(secret)],
    ['as a public client', () => publicApp, () => oauth.None()],
  ];

  it.each(kinds)('%s, found by discovery, with PKCE and iss', async (_, clientOf, authBy) => {
    const server = await discover();
    const client: oauth.Client = { client_id: clientOf().id };
    const auth = authBy(clientOf());
    const verifier = oauth.generateRandomCodeVerifier();
    const address = new URL(server.authorization_endpoint ?? '');
    const request = {
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: REDIRECT_URI,
      scope: 'read:reports',
      state: 'a state',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(request)) address.searchParams.set(name, value);

    const parameters = oauth.validateAuthResponse(server, client, await visit(address), 'a state');
    const exchanged = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      parameters,
      REDIRECT_URI,
      verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
    await expectAccess(tokens.access_token);

    const answer = await oauth.refreshTokenGrantRequest(
      server,
      client,
      auth,
      tokens.refresh_token ?? '',
      insecure,
    );
    const refreshed = await oauth.processRefreshTokenResponse(server, client, answer);
    await expectAccess(refreshed.access_token);
    const revoked = await oauth.revocationRequest(
      server,
      client,
      auth,
      refreshed.refresh_token ?? '',
      insecure,
    );
    await oauth.processRevocationResponse(revoked);
    await expectAccess(refreshed.access_token, false);
  });

  it('asks about tokens, and is told of a refusal in its own words', async () => {
    const server = await discover();
    const client = { client_id: app.id };
    const auth = oauth.ClientSecretBasic(app.secret);
    const answer = await oauth.introspectionRequest(server, client, auth, 'nonsense', insecure);
    expect(await oauth.processIntrospectionResponse(server, client, answer)).toEqual({ active: false });
    const refused = await oauth.refreshTokenGrantRequest(server, client, auth, 'nonsense', insecure);
    await expect(oauth.processRefreshTokenResponse(server, client, refused)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const wrong = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic('x'),
      'x',
      insecure,
    );
    await expect(oauth.processRefreshTokenResponse(server, client, wrong)).rejects.toThrow(
      /WWW-Authenticate/,
    );
  });
});

describe('openid-client', () => {
  it('by discovery: authorizes, exchanges, calls, refreshes, asks, revokes', async () => {
    const config = await openid.discovery(new URL(ground.url), strict.id, strict.secret, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'read:reports write:reports',
      state: 'x',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const tokens = await openid.authorizationCodeGrant(config, await visit(address), {
      pkceCodeVerifier,
      expectedState: 'x',
    });
    const listed = await openid.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL('/v2/report', ground.url),
      'GET',
    );
    expect(listed.status).toBe(200);
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', {
      scope: 'read:reports',
    });
    expect(refreshed.scope).toBe('read:reports');
    expect(await openid.tokenIntrospection(config, refreshed.access_token)).toMatchObject({ active: true });
    await openid.tokenRevocation(config, refreshed.refresh_token ?? '');
    await expectAccess(refreshed.access_token, false);
  });
});

describe('simple-oauth2', () => {
  it.each<['header' | 'body', 'strict' | 'loose']>([
    ['header', 'strict'],
    ['header', 'loose'],
    ['body', 'strict'],
    ['body', 'loose'],
  ])('credentials in the %s, encoded %s', async (authorizationMethod, credentialsEncodingMode) => {
    const client = new AuthorizationCode({
      client: { id: app.id, secret: app.secret },
      auth: {
        tokenHost: ground.url,
        tokenPath: '/oauth2/token',
        authorizePath: '/oauth2/authorize',
        revokePath: '/oauth2/revoke',
      },
      options: { authorizationMethod, credentialsEncodingMode },
    });
    const back = await visit(
      client.authorizeURL({ redirect_uri: REDIRECT_URI, scope: 'read:reports', state: 'x' }),
    );
    const tokens = await client.getToken({
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT_URI,
    });
    await expectAccess(String(tokens.token.access_token));
    const refreshed = await tokens.refresh();
    await expectAccess(String(refreshed.token.access_token));
    await refreshed.revokeAll();
    await expectAccess(String(refreshed.token.access_token), false);
  });
});

describe('@badgateway/oauth2-client', () => {
  it('discovers, authorizes with PKCE, refreshes, asks', async () => {
    const client = new OAuth2Client({
      server: ground.url,
      discoveryEndpoint: '/.well-known/oauth-authorization-server',
      clientId: strict.id,
      clientSecret: strict.secret,
    });
    const codeVerifier = 'verifier-of-an-application-that-is-long-enough-';
    const address = await client.authorizationCode.getAuthorizeUri({
      redirectUri: REDIRECT_URI,
      state: 'x',
      codeVerifier,
      scope: ['read:reports'],
    });
    const back = await visit(address);
    const tokens = await client.authorizationCode.getTokenFromCodeRedirect(back, {
      redirectUri: REDIRECT_URI,
      state: 'x',
      codeVerifier,
    });
    await expectAccess(tokens.accessToken);
    const refreshed = await client.refreshToken(tokens);
    await expectAccess(refreshed.accessToken);
    expect(await client.introspect(refreshed)).toMatchObject({ active: true });
  });
});

describe('passport-oauth2', () => {
  it.each([true, false])('signs a person in to a web application, PKCE %s', async (pkce) => {
    const relying = await startRelyingParty(pkce);
    const begun = await send(`${relying.url}/login`);
    const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] ?? '';
    const back = await visit(String(begun.headers.location));
    const ended = await send(`${relying.url}/callback${back.search}`, { headers: { cookie } });
    expect(ended.status).toBe(200);
    await expectAccess(String(ended.json.accessToken));
    relying.server.close();
  });
});

/** A web application that uses the strategy without a framework: sessions by cookie, answers in JSON. */
async function startRelyingParty(pkce: boolean): Promise<{ url: string; server: Server }> {
  const client = pkce ? strict : app;
  const strategy = new OAuth2Strategy(
    {
      authorizationURL: `${ground.url}/oauth2/authorize`,
      tokenURL: `${ground.url}/oauth2/token`,
      clientID: client.id,
      clientSecret: client.secret,
      callbackURL: REDIRECT_URI,
      scope: ['read:reports'],
      state: true,
      pkce,
    },
    (
      accessToken: string,
      _refresh: string,
      _profile: unknown,
      done: (error: unknown, user: unknown) => void,
    ) => done(null, { accessToken }),
  );
  const session = {};
  const server = createServer((request, response) => {
    const attempt = Object.create(strategy) as Record<string, unknown> & OAuth2Strategy;
    attempt.redirect = (location: string) =>
      response.writeHead(302, { location, 'set-cookie': 'rp=1' }).end();
    attempt.success = (user: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(user));
    attempt.fail = (why: unknown) => response.writeHead(401).end(String(why));
    attempt.error = (why: unknown) => response.writeHead(500).end(String(why));
    const query = Object.fromEntries(new URL(request.url ?? '/', 'http://relying').searchParams);
    attempt.authenticate(Object.assign(request, { query, session }) as never, {});
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
