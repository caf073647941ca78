import { randomUUIDv7 } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { ownDatabase } from '../../test/support/database.js';
import {
  findDelivery,
  insertAttempt,
  insertDelivery,
  listAttempts,
  settle,
  sweepDeliveries,
} from './delivery-rows.js';
import type { WebhookDelivery } from './endpoint.js';
import { findEndpoint, forgetOldSecrets, insertEndpoint, replaceSecret } from './endpoint-rows.js';

const database = ownDatabase(2);
const SETTINGS = { url: 'https://a.example/', description: '', events: [], enabled: true };
const DAY_MS = 86_400_000;

let endpointId: string;

beforeEach(async () => {
  endpointId = `we_${randomUUIDv7()}`;
  await insertEndpoint(database(), 'api-key:ak_1', endpointId, SETTINGS, 'first', 100);
});

async function delivery(daysOld: number, status: 'pending' | 'delivered'): Promise<string> {
  const eventId = randomUUIDv7();
  const made: WebhookDelivery = {
    endpointId,
    eventId,
    event: 'report.completed',
    occurredAt: Date.now(),
    status: 'pending',
    attempts: 0,
  };
  await insertDelivery(database(), made);
  const planned = { endpointId, eventId, turn: 1, tries: 0 };
  if (status === 'delivered') {
    const number = await settle(database(), planned, { status }, true);
    await insertAttempt(database(), planned, { number: number!, at: Date.now(), durationMs: 1, status: 204 });
  }
  await database().query('UPDATE webhook_delivery SET created_at = $2 WHERE event_id = $1', [
    eventId,
    new Date(Date.now() - daysOld * DAY_MS),
  ]);
  return eventId;
}

it('what was settled long ago leaves the log with its attempts, in batches; what waits stays', async () => {
  const [old, older, waiting, recent] = [
    await delivery(31, 'delivered'),
    await delivery(40, 'delivered'),
    await delivery(40, 'pending'),
    await delivery(29, 'delivered'),
  ];
  const before = new Date(Date.now() - 30 * DAY_MS);
  expect(await sweepDeliveries(database(), before, 1)).toBe(1);
  expect(await findDelivery(database(), endpointId, older)).toBeUndefined();
  expect(await sweepDeliveries(database(), before, 10)).toBe(1);
  expect(await listAttempts(database(), endpointId, old)).toEqual([]);
  for (const kept of [waiting, recent])
    expect(await findDelivery(database(), endpointId, kept)).toMatchObject({ eventId: kept });
});

it('an attempt is settled once, by whoever found the delivery as it was planned', async () => {
  const eventId = await delivery(0, 'pending');
  const planned = { endpointId, eventId, turn: 1, tries: 0 };
  expect(await settle(database(), planned, { status: 'pending', afterSeconds: 5 }, true)).toBe(1);
  expect(await settle(database(), planned, { status: 'delivered' }, true)).toBeUndefined();
  expect(await settle(database(), { ...planned, tries: 1 }, { status: 'delivered' }, true)).toBe(2);
  expect(await settle(database(), { ...planned, tries: 2 }, { status: 'failed' }, true)).toBeUndefined();
});

it('a secret that was replaced counts until its grace ends, and is then forgotten', async () => {
  await replaceSecret(database(), undefined, endpointId, 'second', 60);
  expect((await findEndpoint(database(), undefined, endpointId))?.secrets).toEqual(['second', 'first']);
  await database().query(
    `UPDATE webhook_endpoint SET previous_until = now() - interval '1 second' WHERE id = $1`,
    [endpointId],
  );
  expect((await findEndpoint(database(), undefined, endpointId))?.secrets).toEqual(['second']);
  await forgetOldSecrets(database());
  const { rows } = await database().query('SELECT previous_secret FROM webhook_endpoint WHERE id = $1', [
    endpointId,
  ]);
  expect(rows).toEqual([{ previous_secret: null }]);
});
