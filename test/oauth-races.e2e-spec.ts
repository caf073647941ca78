import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Pg } from 'pg';
import {
  apiStatus,
  Ground,
  type HttpAnswer,
  postToken,
  REDIRECT_URI,
  type RegisteredApp,
} from './oauth-ground.js';
import type { StartedService } from './support/service.js';
import { until } from './support/until.js';

const ROUNDS = 60;
const AT_ONCE = 12;

let ground: Ground;
let app: RegisteredApp;
let owner: Pg;
let second: StartedService;

beforeAll(async () => {
  ground = await Ground.prepare({ CREDENTIAL_CACHE_SECONDS: '0' });
  app = await ground.addClient();
  owner = new Pg(ground.database.ownerUrl);
  await owner.connect();
  second = await ground.start();
});

afterAll(async () => {
  await owner.end();
  await ground.end();
});

/** Codes as the consent page would issue them, without the pages. */
async function plantCode(): Promise<string> {
  const code = `mc_${createHash('sha256').update(randomUUID()).digest('base64url')}`;
  await owner.query(
    `INSERT INTO oauth_code (hash, family_id, client_id, person_id, redirect_uri, redirect_given, scopes, farms, expires_at)
     SELECT $1, $2, $3, id, $4, true, ARRAY['read:reports'], ARRAY['farm-1'], now() + interval '1 minute' FROM person`,
    [createHash('sha256').update(code).digest(), randomUUID(), app.id, REDIRECT_URI],
  );
  return code;
}

const redeem = (url: string, code: string) =>
  postToken(url, app, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
const refresh = (url: string, token: string) =>
  postToken(url, app, { grant_type: 'refresh_token', refresh_token: token });
const revoke = (url: string, token: string) => postToken(url, app, { token }, {}, '/oauth2/revoke');
const bothServices = (index: number) => (index % 2 === 0 ? ground.url : second.url);

async function freshToken(): Promise<{ access: string; refresh: string }> {
  const { json } = await redeem(ground.url, await plantCode());
  return { access: String(json.access_token), refresh: String(json.refresh_token) };
}

const statuses = (answers: HttpAnswer[]) => answers.map(({ status }) => status).sort();
const atOnce = (act: (index: number) => Promise<HttpAnswer>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, index) => act(index)));

describe(`of ${AT_ONCE} at once on two processes, ${ROUNDS} times`, () => {
  it('redemptions of one code give one token pair', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const code = await plantCode();
      const answers = await atOnce((index) => redeem(bothServices(index), code));
      expect(statuses(answers)).toEqual([200, ...Array<number>(AT_ONCE - 1).fill(400)]);
    }
    const { rows } = await owner.query<{ pairs: string }>(
      `SELECT count(*) AS pairs FROM oauth_refresh GROUP BY family_id HAVING count(*) <> 1`,
    );
    expect(rows).toEqual([]);
  });

  it('refreshes give the same successor, which is good', async () => {
    let { refresh: token } = await freshToken();
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await atOnce((index) => refresh(bothServices(index), token));
      expect(statuses(answers)).toEqual(Array<number>(AT_ONCE).fill(200));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      token = String(answers[0]?.json.refresh_token);
    }
  });

  it('refreshes against a revocation leave nothing alive', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { access, refresh: token } = await freshToken();
      const [revoked, ...refreshed] = await Promise.all([
        revoke(second.url, token),
        ...Array.from({ length: 3 }, (_, index) => refresh(bothServices(index), token)),
      ]);
      expect(revoked.status).toBe(200);
      const given = refreshed.filter(({ status }) => status === 200).map(({ json }) => json);
      for (const { refresh_token: successor } of given)
        expect((await refresh(ground.url, String(successor))).status).toBe(400);
      for (const alive of [access, ...given.map(({ access_token: issued }) => String(issued))]) {
        expect(await apiStatus(ground.url, alive)).toBe(401);
      }
    }
  });
});

describe('a restart between any two steps', () => {
  it('changes nothing, and a spent token stays spent', async () => {
    const restart = async () => {
      await second.kill();
      second = await ground.start();
    };
    const code = await plantCode();
    await restart();
    const { json: first } = await redeem(second.url, code);
    await restart();
    expect(await apiStatus(second.url, first.access_token)).toBe(200);
    const { json: next } = await refresh(second.url, String(first.refresh_token));
    await restart();
    expect((await refresh(second.url, String(first.refresh_token))).json).toEqual(next);
    expect((await refresh(second.url, String(next.refresh_token))).status).toBe(200);
    await restart();
    expect((await refresh(second.url, String(first.refresh_token))).status).toBe(400);
    expect((await redeem(second.url, code)).status).toBe(400);
  });
});

describe('revoked in one process', () => {
  it('an access token remembered in another is refused within a moment', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => ground.start({ CREDENTIAL_CACHE_SECONDS: '60' })));
    if (!one || !two) throw new Error('no services');
    for (let round = 0; round < 20; round++) {
      const { access, refresh: token } = await freshToken();
      expect([await apiStatus(one.url, access), await apiStatus(two.url, access)]).toEqual([200, 200]);
      await revoke(one.url, token);
      expect(await apiStatus(one.url, access)).toBe(401);
      await until('the other refuses it', async () => (await apiStatus(two.url, access)) === 401, 500);
    }
    await Promise.all([one.kill(), two.kill()]);
  });
});
