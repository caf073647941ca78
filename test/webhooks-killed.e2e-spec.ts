import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { Receiver } from './support/receiver.js';
import { type StartedService, startService } from './support/service.js';
import { until } from './support/until.js';

const REPORTS = 12;

let database: FreshDatabase;
let api: StartedService;
let receiver: Receiver;

beforeAll(async () => {
  database = await freshDatabase();
  receiver = await Receiver.start();
  api = await startService({
    databaseUrl: database.url,
    role: 'api',
    env: { WEBHOOK_PLAIN_HTTP: 'allow', WEBHOOK_PRIVATE_ADDRESSES: 'allow' },
  });
});

afterAll(async () => {
  receiver?.close();
  await api?.stop();
  await database?.drop();
});

function startWorker(): Promise<StartedService> {
  return startService({
    databaseUrl: database.url,
    role: 'worker',
    env: { WEBHOOK_PLAIN_HTTP: 'allow', WEBHOOK_PRIVATE_ADDRESSES: 'allow', WEBHOOK_CONCURRENCY: '3' },
  });
}

it('a sender that is killed in the middle loses nothing: every event is told at least once, under its id', async () => {
  const farmer = new Caller(api.url, await apiKeyFor(database.url, ['farm-1']));
  const farm = {
    name: 'Home',
    timeZone: 'Europe/Vienna',
    animalUnit: 'dse',
    areaUnit: 'ha',
    currency: 'EUR',
    financialYearStart: '01-01',
  };
  await farmer.send('PUT', '/v2/farms/farm-1', farm);
  let dead = false;
  // Until the sender is dead, the third message and those after it are heard and never answered.
  receiver.answer('/hook', (nth, response) => {
    if (dead || nth <= 2) response.writeHead(204).end();
  });
  const registered = await farmer.send('POST', '/v2/webhook-endpoints', { url: receiver.url('/hook') });
  const { secret } = registered.body.data;

  const first = await startWorker();
  const ids: string[] = [];
  for (let nth = 0; nth < REPORTS; nth++) {
    const day = Date.parse('2025-01-01T00:00:00Z') + nth * 86_400_000;
    const { body } = await farmer.createReport({
      type: 'livestock-sale.v1',
      tenantType: 'farm',
      tenantId: 'farm-1',
      reportingPeriodStart: day,
      reportingPeriodEnd: day,
    });
    ids.push(body.data.id);
  }
  await until('messages are on their way', () => receiver.messages.length >= 3);
  await first.kill();
  dead = true;
  const second = await startWorker();
  const heard = () => new Set(receiver.messages.map(({ event }) => event.data.id as string));
  await until('every report was told', () => ids.every((id) => heard().has(id)));
  await until('every message is settled', async () => {
    const { id } = registered.body.data;
    const { data } = (await farmer.get(`/v2/webhook-endpoints/${id}/deliveries?status=delivered`)).body;
    return data.length === REPORTS;
  });
  for (const id of ids) {
    const events = (await farmer.get(`/v2/report/${id}/events`)).body.data;
    const completed = events.find((event: any) => event.type === 'ReportCompleted').id;
    const messages = receiver.messages.filter(({ event }) => event.data.id === id);
    expect(new Set(messages.map((message) => message.id))).toEqual(new Set([completed]));
    for (const { body, headers } of messages) new Webhook(secret).verify(body, headers as any);
  }
  await second.stop();
});
