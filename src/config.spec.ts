import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Config, InvalidConfiguration, loadConfig } from './config.js';

describe('the configuration', () => {
  it('has working defaults', () => {
    expect(loadConfig({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      publicUrl: 'http://127.0.0.1:3000',
    });
  });

  it('names every bad variable in one message', () => {
    const load = () =>
      loadConfig({ PORT: 'x', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x', GENERATION_ATTEMPTS: '0' });
    expect(load).toThrow(InvalidConfiguration);
    expect(load).toThrow(/PORT.*DATABASE_URL.*LOG_LEVEL.*GENERATION_ATTEMPTS/s);
  });

  it('takes an empty variable for an absent one', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' }).PORT).toBe(3000);
  });

  it('is listed in the README, whole', () => {
    const table = readFileSync('README.md', 'utf8').split('\n## Configuration')[1]?.split('\n## ')[0] ?? '';
    const listed = new Set([...table.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name));
    const settings = Object.keys(new Config()).filter((name) => name === name.toUpperCase());
    expect(settings.filter((name) => !listed.has(name))).toEqual([]);
  });
});
