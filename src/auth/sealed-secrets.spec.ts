import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { ownDatabase } from '../../test/support/database.js';
import { Config } from '../config.js';
import { Peppers } from './peppers.js';
import { SealedSecrets, SealLost } from './sealed-secrets.js';

const database = ownDatabase(2);
const [old, recent] = ['2025', '2026'].map((name) => `${name}:${randomBytes(32).toString('base64')}`);
const sealing = (CLIENT_SECRET_PEPPERS?: string) =>
  new SealedSecrets(
    new Peppers(
      Object.assign(new Config(), CLIENT_SECRET_PEPPERS ? { CLIENT_SECRET_PEPPERS } : {}),
      database(),
    ),
  );

it('a secret is read again by any process, and looks different each time it is sealed', async () => {
  const sealed = await sealing().seal('whsec_geheim', 'we_1');
  expect(sealed).not.toContain('geheim');
  expect(await sealing().open(sealed, 'we_1')).toBe('whsec_geheim');
  expect(await sealing().seal('whsec_geheim', 'we_1')).not.toBe(sealed);
});

it('it opens for its owner only, and not when it was touched', async () => {
  const secrets = sealing(old);
  const sealed = await secrets.seal('whsec_geheim', 'we_1');
  await expect(secrets.open(sealed, 'we_2')).rejects.toThrow();
  const bytes = Buffer.from(sealed.split('.')[1]!, 'base64url');
  for (const at of [0, 14, bytes.length - 1]) {
    const touched = Buffer.from(bytes);
    touched[at]! ^= 1;
    await expect(secrets.open(`2025.${touched.toString('base64url')}`, 'we_1')).rejects.toThrow();
  }
});

it('a pepper is replaced while the old one is still listed, not after', async () => {
  const sealed = await sealing(old).seal('whsec_geheim', 'we_1');
  expect(await sealing(`${recent},${old}`).open(sealed, 'we_1')).toBe('whsec_geheim');
  await expect(sealing(recent).open(sealed, 'we_1')).rejects.toThrow(SealLost);
});
