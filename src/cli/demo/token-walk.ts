import { hash, randomBytes } from 'node:crypto';
import { Browser } from './browser.js';
import { Refused } from './refused.js';
import { quoted } from './curl.js';
import { SAMPLE_FARM_ID } from './sample-farm.js';
import type { Tell } from './tell.js';

/** A person who may sign in, and an application that is registered. */
export interface SampleGrant {
  readonly email: string;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Where the application would wait for the browser to come back; nothing listens there. */
export const REDIRECT_URI = 'http://127.0.0.1/callback';
export const SAMPLE_SCOPES = ['read:reports', 'write:reports'];

interface Server {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
}

/**
 * What an application and a person's browser do so that the application may act for the person: authorize, sign in, consent,
 * exchange the code, refresh. Answers the access token.
 */
export async function walkTheGrant(url: string, grant: SampleGrant, tell: Tell): Promise<string> {
  const server = (await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()) as Server;
  const verifier = randomBytes(32).toString('base64url');
  const code = await authorize(server, grant, verifier);
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  };
  const first = await ask(server, grant, exchange);
  const tokens = await ask(server, grant, {
    grant_type: 'refresh_token',
    refresh_token: first.refresh_token,
  });
  tell(
    { event: 'authorized', client: grant.clientId, scope: tokens.scope, expiresInSeconds: tokens.expires_in },
    wordsOf(url, server, grant, tokens),
  );
  return tokens.access_token;
}

/** The browser's part: the person signs in and allows the application its scopes on the sample farm. Answers the code. */
async function authorize(server: Server, grant: SampleGrant, verifier: string): Promise<string> {
  const state = randomBytes(16).toString('base64url');
  const asked = new URL(server.authorization_endpoint);
  asked.search = new URLSearchParams({
    response_type: 'code',
    client_id: grant.clientId,
    redirect_uri: REDIRECT_URI,
    scope: SAMPLE_SCOPES.join(' '),
    state,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const browser = new Browser();
  const signIn = await browser.open(asked);
  const consent = await browser.submit(signIn, { email: grant.email, password: grant.password });
  const { url: back } = await browser.submit(consent, { farm: SAMPLE_FARM_ID, decision: 'allow' });
  const code = back.searchParams.get('code');
  if (code === null) throw new Refused(`authorize: ${back.searchParams.get('error') ?? 'no code came back'}`);
  if (back.searchParams.get('state') !== state || back.searchParams.get('iss') !== server.issuer)
    throw new Refused('authorize: the answer is not for this request');
  return code;
}

/** The application's part: an exchange at the token endpoint. */
async function ask(
  { token_endpoint }: Server,
  { clientId, clientSecret }: SampleGrant,
  form: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const response = await fetch(token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams(form),
  });
  const answer = (await response.json()) as Tokens & { error?: string };
  if (!response.ok) throw new Refused(`${String(form.grant_type)}: ${response.status} ${answer.error ?? ''}`);
  return answer;
}

function wordsOf(url: string, server: Server, grant: SampleGrant, tokens: Tokens): string {
  const { clientId, clientSecret, email, password } = grant;
  const refresh = `-d grant_type=refresh_token -d refresh_token=${tokens.refresh_token}`;
  return [
    '## An application acts for a person',
    '',
    'The sample application sent the browser to authorize; the person signed in and allowed it this farm; the code that came back',
    `was exchanged for tokens, and these were refreshed once. It may now ${tokens.scope} for ${tokens.expires_in} s. Refresh again:`,
    '',
    `  curl -s ${quoted(server.token_endpoint)} -u ${quoted(`${clientId}:${clientSecret}`)} ${refresh}`,
    '',
    `Or be the person in a browser, and withdraw it: ${url}/account/applications (${email}, password ${password})`,
    '',
  ].join('\n');
}
