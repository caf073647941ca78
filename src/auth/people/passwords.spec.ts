import { expect, it } from '@jest/globals';
import { hashPassword, verifyPassword } from './passwords.js';

it('knows a password again, and no other', async () => {
  const stored = await hashPassword('correct horse battery staple');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await verifyPassword('correct horse battery staple', stored)).toBe(true);
  expect(await verifyPassword('Correct horse battery staple', stored)).toBe(false);
  expect(await verifyPassword('', stored)).toBe(false);
});

it('knows letters however a keyboard composes them', async () => {
  expect(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9'))).toBe(true);
});

it('says no to nobody’s password, even the one of the stand-in', async () => {
  expect(await verifyPassword('anything', undefined)).toBe(false);
});

it('salts: the same password is stored differently', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
});

it('checks many at once, in turn', async () => {
  const stored = await hashPassword('same');
  const checks = await Promise.all(Array.from({ length: 20 }, () => verifyPassword('same', stored)));
  expect(new Set(checks)).toEqual(new Set([true]));
});
