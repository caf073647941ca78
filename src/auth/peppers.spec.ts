import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ownDatabase } from '../../test/support/database.js';
import { Config, loadConfig } from '../config.js';
import { Peppers } from './peppers.js';

const key = () => randomBytes(32).toString('base64');
const production = (CLIENT_SECRET_PEPPERS?: string) =>
  loadConfig({
    NODE_ENV: 'production',
    ROLE: 'api',
    PUBLIC_URL: 'https://muster.example',
    DATABASE_URL: 'postgres://elsewhere/muster',
    ...(CLIENT_SECRET_PEPPERS !== undefined && { CLIENT_SECRET_PEPPERS }),
  });

describe('production', () => {
  it('starts with random peppers of 32 bytes or more', () => {
    expect(production(`2026:${key()},2025:${key()}`).CLIENT_SECRET_PEPPERS).toMatch(/^2026:/);
  });

  it.each([
    ['none', undefined],
    ['a short one', `a:${randomBytes(16).toString('base64')}`],
    ['one without a name', key()],
    ['a single letter repeated', `a:${'A'.repeat(43)}=`],
    ['a pattern', `a:${'abcd'.repeat(11)}`],
    ['a short one behind a good one', `a:${key()},b:short`],
  ])('does not start with %s', (_, peppers) => {
    expect(() => production(peppers)).toThrow(/CLIENT_SECRET_PEPPERS/);
  });
});

describe('a sealed secret', () => {
  const database = ownDatabase(2);

  const peppers = (CLIENT_SECRET_PEPPERS?: string) =>
    new Peppers(
      Object.assign(new Config(), CLIENT_SECRET_PEPPERS ? { CLIENT_SECRET_PEPPERS } : {}),
      database(),
    );

  it('is told by its pepper, which may be followed by a newer one and be missed when it is gone', async () => {
    const [old, young] = [`old:${key()}`, `young:${key()}`];
    const sealed = await peppers(old).seal('secret');
    expect(sealed?.pepper).toBe('old');
    expect(await peppers(`${young},${old}`).seal('secret', 'old')).toEqual(sealed);
    expect((await peppers(`${young},${old}`).seal('secret'))?.pepper).toBe('young');
    expect(await peppers(young).seal('secret', 'old')).toBeUndefined();
  });

  it('is the same in every process over a database of development', async () => {
    const [one, other] = await Promise.all([peppers().seal('secret'), peppers().seal('secret')]);
    expect(one).toEqual(other);
  });
});
