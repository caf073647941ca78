import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Client as Pg } from 'pg';
import {
  basic,
  Browser,
  Ground,
  PASSWORD,
  postToken,
  REDIRECT_URI,
  type RegisteredApp,
  send,
} from './oauth-ground.js';
import { apiKeyFor } from './support/caller.js';
import { wholeDatabase } from './support/whole-database.js';

let ground: Ground;
let app: RegisteredApp;
let owner: Pg;

beforeAll(async () => {
  ground = await Ground.prepare({ LOG_LEVEL: 'trace' });
  app = await ground.addClient();
  owner = new Pg(ground.database.ownerUrl);
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await ground.end();
});

describe('a run', () => {
  it('leaves none of its secrets in the log, in the database, or in an error', async () => {
    const errors: string[] = [];
    const fail = async (...request: Parameters<typeof postToken>) =>
      errors.push((await postToken(...request)).text);
    const browser = new Browser(ground.url);
    const code = await browser.codeFor(app);
    const redeem = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const { json: first } = await postToken(ground.url, app, redeem);
    const { json: next } = await postToken(ground.url, app, {
      grant_type: 'refresh_token',
      refresh_token: String(first.refresh_token),
    });
    const apiKey = await apiKeyFor(ground.database.url, ['*'], ['read:reports']);
    const issued = [
      code,
      apiKey,
      ...[first, next].flatMap((answer) => [String(answer.access_token), String(answer.refresh_token)]),
    ];

    for (const credential of [`Bearer ${issued[2]}`, `Bearer ${issued[2]}x`, basic(app)]) {
      errors.push(
        (
          await send(`${ground.url}/v2/report/rpt-00-x?access_token=${issued[2]}`, {
            headers: { authorization: credential, 'x-api-key': apiKey },
          })
        ).text,
      );
    }
    await fail(ground.url, app, redeem);
    await fail(ground.url, app, {
      grant_type: String(issued[3]),
      refresh_token: app.secret,
      scope: PASSWORD,
    });
    await fail(ground.url, { id: app.secret, secret: issued[0] ?? '' }, redeem);
    await fail(ground.url, app, { ...redeem, client_secret: app.secret });
    await fail(ground.url, app, `code=${code}&code=${code}&client_secret=%zz${app.secret}`);
    await browser.post('/account/sign-in', [
      ['email', PASSWORD],
      ['password', app.secret],
    ]);
    errors.push((await browser.get(`/oauth2/authorize?client_id=${app.secret}&redirect_uri=${code}`)).text);
    errors.push(
      (
        await browser.get(
          `/oauth2/authorize?client_id=${app.id}&redirect_uri=${REDIRECT_URI}&state=x&scope=${code}`,
        )
      ).text,
    );

    const database = await wholeDatabase(owner);
    const places = { errors: errors.join('\n'), log: ground.service.logs(), database };
    for (const secret of [...ground.secrets, ...issued]) {
      for (const [place, text] of Object.entries(places)) {
        expect({ place, found: text.includes(secret) || text.includes(secret.slice(3)) }).toEqual({
          place,
          found: false,
        });
      }
    }
  });
});

describe('random bytes', () => {
  it('never give the token endpoint a 500, an echo, or a partial effect', async () => {
    const counts = async () =>
      (
        await owner.query(
          'SELECT (SELECT count(*) FROM oauth_family) AS families, (SELECT count(*) FROM oauth_access) AS tokens',
        )
      ).rows;
    const before = await counts();
    const names = fc.constantFrom(
      'grant_type',
      'code',
      'refresh_token',
      'scope',
      'redirect_uri',
      'client_id',
      'client_secret',
      'code_verifier',
      '__proto__',
      'x',
    );
    const values = fc.oneof(
      fc.constantFrom('authorization_code', 'refresh_token', app.id, app.secret),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('%', '%ff', '%00', ''),
    );
    const pairs = fc
      .array(fc.tuple(names, values))
      .map((parts) =>
        parts
          .map(
            ([name, value]) =>
              `${name}=${value.startsWith('%') ? value : encodeURIComponent(value.toWellFormed())}`,
          )
          .join('&'),
      );
    const bodies = fc.oneof(
      pairs.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(bodies, fc.boolean(), async (body, authenticated) => {
        const headers = {
          'content-type': 'application/x-www-form-urlencoded',
          ...(authenticated && { authorization: basic(app) }),
        };
        const answer = await send(`${ground.url}/oauth2/token`, { method: 'POST', headers, body });
        expect([400, 401]).toContain(answer.status);
        expect(Object.keys(answer.json)).toEqual(['error', 'error_description', 'error_uri']);
      }),
      { numRuns: 500 },
    );
    expect(await counts()).toEqual(before);
  });
});
