import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { Receiver } from './support/receiver.js';
import { type StartedService, startService } from './support/service.js';
import { until } from './support/until.js';
import { wholeDatabase } from './support/whole-database.js';

const REPORT = {
  type: 'livestock-sale.v1',
  tenantType: 'farm',
  tenantId: 'farm-1',
  reportingPeriodStart: Date.parse('2024-06-30T14:00:00Z'),
  reportingPeriodEnd: Date.parse('2025-06-29T14:00:00Z'),
};

let database: FreshDatabase;
let owner: Client;
let receiver: Receiver;
let service: StartedService;
let farmer: Caller;

beforeAll(async () => {
  database = await freshDatabase();
  owner = new Client(database.ownerUrl);
  await owner.connect();
  receiver = await Receiver.start();
  service = await startService({
    databaseUrl: database.url,
    env: { LOG_LEVEL: 'trace', WEBHOOK_PLAIN_HTTP: 'allow', WEBHOOK_PRIVATE_ADDRESSES: 'allow' },
  });
  farmer = new Caller(service.url, await apiKeyFor(database.url, ['farm-1']));
  await farmer.send('PUT', '/v2/farms/farm-1', { name: 'Home', timeZone: 'Australia/Sydney' });
});

afterAll(async () => {
  receiver?.close();
  await service?.stop();
  await owner?.end();
  await database?.drop();
});

/** The text of an answer that refuses, but for the address asked for, which it names without the query (RFC 9457, 3.1.5). */
async function refused(caller: Caller, ...request: Parameters<Caller['send']>): Promise<string> {
  const { status, text, headers } = await caller.send(...request);
  expect([request[1].slice(0, 30), status >= 400 && status < 500]).toEqual([request[1].slice(0, 30), true]);
  return `${text.replace(/"instance":"[^"]*"/, '')} ${JSON.stringify([...headers])}`;
}

it('API keys, secrets of webhooks and Idempotency-Keys reach no log, event, row or refusal', async () => {
  const endpoint = await farmer.send('POST', '/v2/webhook-endpoints', { url: receiver.url('/hook') });
  expect(endpoint.status).toBe(201);
  const address = `/v2/webhook-endpoints/${endpoint.body.data.id}`;
  const rotated = await farmer.send('POST', `${address}/rotate-secret`, { graceSeconds: 60 });
  const secrets = [farmer.apiKey, endpoint.body.data.secret as string, rotated.body.data.secret as string];
  expect(new Set(secrets.map((secret) => secret.slice(0, 6))).size).toBe(2);
  const key = randomUUID();
  const again = { 'idempotency-key': key };
  const { body, status } = await farmer.createReport(REPORT, again);
  expect(status).toBe(201);
  expect((await farmer.createReport(REPORT, again)).status).toBe(201);
  await farmer.ended(body.data.id);
  await until('the webhook was told', () => receiver.at('/hook').length > 0);

  const spoilt = new Caller(service.url, `${farmer.apiKey}x`);
  const refusals = [
    await refused(farmer, 'POST', '/v2/report', { ...REPORT, reportingPeriodStart: 5 }, again),
    await refused(spoilt, 'POST', '/v2/report', REPORT, again),
    await refused(farmer, 'POST', '/v2/report', REPORT, { 'idempotency-key': `${key}${'y'.repeat(500)}` }),
  ];
  for (const secret of [...secrets, key]) {
    refusals.push(
      await refused(farmer, 'GET', `/v2/report/${secret}`),
      await refused(farmer, 'GET', `/v2/report?limit=${secret}`),
      await refused(farmer, 'GET', `/v2/nowhere/${secret}?x_api_key=${secret}`),
      await refused(farmer, 'PATCH', address, { url: secret }),
      await refused(farmer, 'POST', '/v2/report', { ...REPORT, type: secret, tenantType: secret }),
      await refused(farmer, 'POST', '/v2/report', `{"type":"${secret}`),
    );
  }
  const log = service.logs();
  const places = {
    log,
    database: await wholeDatabase(owner, ['idempotency_key']),
    refusals: refusals.join('\n'),
  };
  expect(log).toContain('"msg":"ready"');
  const found = Object.entries(places).flatMap(([place, text]) =>
    [...secrets, key].flatMap((secret, nth) =>
      text.includes(secret) || text.includes(secret.replace(/^[a-z]+_/, ''))
        ? [`${nth} in the ${place}`]
        : [],
    ),
  );
  expect(found).toEqual([]);
});
