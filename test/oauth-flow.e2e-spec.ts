import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser, Ground, postToken, REDIRECT_URI, type RegisteredApp, send } from './oauth-ground.js';

let ground: Ground;
let app: RegisteredApp;

beforeAll(async () => {
  ground = await Ground.prepare();
  app = await ground.addClient();
});

afterAll(() => ground.end());

describe('the flow', () => {
  it('leads from sign-in and consent to a code, to tokens, to the API, to fresh tokens', async () => {
    const browser = new Browser(ground.url);
    const request = {
      response_type: 'code',
      client_id: app.id,
      redirect_uri: REDIRECT_URI,
      scope: 'read:reports',
      state: 's&1',
    };
    const back = await browser.authorize(request);
    expect(back.origin + back.pathname).toBe(REDIRECT_URI);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 's&1', iss: ground.url });

    const code = back.searchParams.get('code') ?? '';
    const answer = await postToken(ground.url, app, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    });
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/json;charset=UTF-8',
        'cache-control': 'no-store',
        pragma: 'no-cache',
      },
      json: { token_type: 'Bearer', expires_in: 3600, scope: 'read:reports' },
    });
    expect(Object.keys(answer.json).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);

    const listed = await send(`${ground.url}/v2/report`, {
      headers: { authorization: `Bearer ${answer.json.access_token}` },
    });
    expect(listed).toMatchObject({ status: 200, json: { data: [] } });

    const refreshed = await postToken(ground.url, app, {
      grant_type: 'refresh_token',
      refresh_token: answer.json.refresh_token,
    });
    expect(refreshed.status).toBe(200);
    expect(refreshed.json.refresh_token).not.toBe(answer.json.refresh_token);
  });
});
