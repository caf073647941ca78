import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

  it('refuses in production what is only good for trying out, all in one message', () => {
    const production = (settings: NodeJS.ProcessEnv) => () =>
      loadConfig({ NODE_ENV: 'production', ROLE: 'api', ...settings });
    expect(production({})).toThrow(/PUBLIC_URL.*DATABASE_URL.*CLIENT_SECRET_PEPPERS/s);
    const DATABASE_URL = 'postgres://muster:muster@db/muster';
    expect(production({ PUBLIC_URL: 'http://muster.example', DATABASE_URL })).toThrow(
      /PUBLIC_URL must be an https.*easy to guess/s,
    );
    expect(
      production({
        PUBLIC_URL: 'https://muster.example',
        DATABASE_URL: 'postgres://muster:q8Zt2mW0x4LrB7@db/muster',
        CLIENT_SECRET_PEPPERS: `main:${randomBytes(32).toString('base64')}`,
      })().publicUrl,
    ).toBe('https://muster.example');
  });

  it('asks of a role what that role needs, whether it is set or chosen', () => {
    const settings = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://muster.example',
      DATABASE_URL: 'postgres://muster:q8Zt2mW0x4LrB7@db/muster',
      CLIENT_SECRET_PEPPERS: `main:${randomBytes(32).toString('base64')}`,
    };
    expect(loadConfig(settings, 'api').ROLE).toBe('api');
    expect(() => loadConfig({ ...settings, ROLE: 'api' }, 'worker')).toThrow(/GENERATION_DATABASE_URL/);
  });

  it('lets reports read a replica as nobody but the generators', () => {
    const settings = {
      NODE_ENV: 'production',
      ROLE: 'worker',
      PUBLIC_URL: 'https://muster.example',
      DATABASE_URL: 'postgres://muster:q8Zt2mW0x4LrB7@db/muster',
      GENERATION_DATABASE_URL: 'postgres://generators:q8Zt2mW0x4LrB7@db/muster',
      CLIENT_SECRET_PEPPERS: `main:${randomBytes(32).toString('base64')}`,
    };
    const replica = (login: string) => () =>
      loadConfig({ ...settings, DATABASE_REPLICA_URL: `postgres://${login}@replica/muster` });
    expect(replica('generators:q8Zt2mW0x4LrB7')().DATABASE_REPLICA_URL).toContain('@replica/');
    expect(replica('muster:q8Zt2mW0x4LrB7')).toThrow(/must name the login of GENERATION_DATABASE_URL/);
    expect(replica('generators:short')).toThrow(/DATABASE_REPLICA_URL must not be easy to guess/);
    expect(() => loadConfig({ DATABASE_REPLICA_URL: 'postgres://replica/muster' })).toThrow(/LOGIN:PASSWORD/);
  });

  it('reads the headers of a collector, which hold secrets', () => {
    const headersOf = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
      loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector', OTEL_EXPORTER_OTLP_HEADERS }).tracing
        ?.headers;
    expect(headersOf('api-key=a%3Db=, tenant = farms')).toEqual({ 'api-key': 'a=b=', tenant: 'farms' });
    expect(headersOf('')).toEqual({});
    expect(() => headersOf('no header')).toThrow(/OTEL_EXPORTER_OTLP_HEADERS must list/);
  });

  it('takes secrets from files', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'muster-config-')), 'url');
    writeFileSync(file, 'postgres://muster:of-a-file@db/muster\n');
    expect(loadConfig({ DATABASE_URL_FILE: file }).DATABASE_URL).toBe(
      'postgres://muster:of-a-file@db/muster',
    );
    expect(() => loadConfig({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://db/x' })).toThrow(
      /not both/,
    );
    expect(() => loadConfig({ DATABASE_URL_FILE: '/nowhere', PORT: 'x' })).toThrow(
      /DATABASE_URL_FILE cannot be read.*PORT/s,
    );
    rmSync(dirname(file), { recursive: true });
  });

  it.each([
    ['PORT', ' '],
    ['PORT', '0x10'],
    ['DRAIN_DELAY_SECONDS', '1e3'],
    ['OTEL_TRACES_SAMPLER_ARG', ' '],
    ['HOST', ' '],
    ['HOST', '[::1]'],
    ['DATABASE_URL', 'postgres://db:99999/muster'],
    ['DATABASE_URL', 'postgres://muster:of%zz@db/muster'],
    ['GENERATION_DATABASE_URL', 'postgres://g:secret@db:99999/muster'],
    ['DATABASE_REPLICA_URL', 'postgres://g:of%zz@db/muster'],
    ['PUBLIC_URL', 'https://user:secret@muster.example'],
    ['PUBLIC_URL', 'https://muster.example?x=1'],
    ['TRUSTED_PROXIES', '1e3'],
    ['TRUSTED_PROXIES', '10.0.0.0/99'],
  ])('refuses %s=%j, which nobody means', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(
      new RegExp(`^Bad configuration: ${name} must [^;]*$`),
    );
  });

  it('says of a bad number in one sentence what it may be', () => {
    expect(() => loadConfig({ PORT: 'x' })).toThrow(
      'Bad configuration: PORT must be a whole number from 0 to 65535',
    );
  });

  it('makes addresses of HOST and PORT that can be followed', () => {
    expect(loadConfig({ HOST: '::1' }).publicUrl).toBe('http://[::1]:3000');
    expect(loadConfig({ PUBLIC_URL: 'https://muster.example/' }).publicUrl).toBe('https://muster.example');
  });

  it('wants peppers that are random, with a name each', () => {
    const peppers = (...keys: string[]) => loadConfig({ CLIENT_SECRET_PEPPERS: keys.join(',') });
    const [one, other] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    expect(peppers(`main:${one}`, `old:${other}`).CLIENT_SECRET_PEPPERS).toContain('old:');
    expect(() => peppers(`main:${one}`, `main:${other}`)).toThrow(/a name of its own/);
    const written = Buffer.from('password'.repeat(4)).toString('base64');
    expect(() => peppers(`main:${written}`)).toThrow(/must be random/);
    expect(() => peppers(`main:CHANGE-ME${'x'.repeat(40)}`)).toThrow(/must be random/);
  });

  it('wants a login for generators that is not the one of the service', () => {
    const DATABASE_URL = 'postgres://muster:q8Zt2mW0x4LrB7@db/muster';
    expect(() => loadConfig({ DATABASE_URL, GENERATION_DATABASE_URL: DATABASE_URL })).toThrow(
      'GENERATION_DATABASE_URL must name another login than DATABASE_URL',
    );
  });

  it('finds a password that can be guessed wherever the address has it', () => {
    const inProduction = (DATABASE_URL: string) => () => loadConfig({ NODE_ENV: 'production', DATABASE_URL });
    expect(inProduction('postgres://muster@db/muster?password=muster')).toThrow(/easy to guess/);
    expect(inProduction('postgres://muster:passwordpassword@db/muster')).toThrow(/easy to guess/);
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
