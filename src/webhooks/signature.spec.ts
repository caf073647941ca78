import { expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newSigningSecret, signedHeaders } from './signature.js';

const body = '{"type":"report.completed","name":"Þórsmörk"}';

it('what is signed is what the library of the specification verifies', () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const headers = signedHeaders('0190-1', Date.now(), body, [secret]);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow('No matching signature');
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
});

it('agrees with the library for an instant and secret of long ago', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const at = 1_614_265_330_999;
  const { 'webhook-signature': signature } = signedHeaders('msg_1', at, body, [secret]);
  expect(signature).toBe(new Webhook(secret).sign('msg_1', new Date(at), body));
});

it('while one secret replaces another, holders of either can verify', () => {
  const [current, previous] = [newSigningSecret(), newSigningSecret()];
  const headers = signedHeaders('0190-1', Date.now(), body, [current, previous]);
  for (const secret of [current, previous])
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});
