import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freshDatabase, type FreshDatabase } from './support/database.js';
import { runMuster } from './support/muster.js';

let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.drop());

const muster = (...args: string[]) => runMuster(args, { databaseUrl: database.url });
const json = async (...args: string[]) => {
  const { stdout, stderr, code } = await muster(...args, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
};

it('api-key create prints the key once; list shows all but the key; revoke ends it, once', async () => {
  const scopes = ['read:reports', 'write:reports'];
  const made = await json('api-key', 'create', '--name', 'Ledger', '--farm', '*', '--scope', ...scopes);
  expect(made).toEqual({
    id: expect.stringMatching(/^ak_/),
    apiKey: expect.stringMatching(/^mk_[\w-]{43}$/),
  });
  const listed = await muster('api-key', 'list');
  expect(listed.stdout).toContain(`${String(made['id'])}  Ledger  ${scopes.join(' ')}  every farm`);
  expect(listed.stdout).not.toContain(made['apiKey']);
  const id = String(made['id']);
  expect(await json('api-key', 'revoke', id)).toEqual({ id, revoked: true });
  expect(await muster('api-key', 'revoke', id)).toMatchObject({ code: 1, stdout: '' });
});

it('api-key create takes several scopes as one value too', async () => {
  await json('api-key', 'create', '--name', 'Both', '--farm', 'f', '--scope', 'read:reports,write:reports');
  const { stdout } = await muster('api-key', 'list');
  expect(stdout).toContain('Both  read:reports write:reports  f');
});

it('user create makes a password up when none is given', async () => {
  expect(await json('user', 'create', '--email', 'a@example.org', '--farm', 'f')).toMatchObject({
    email: 'a@example.org',
    password: expect.stringMatching(/^[\w-]{20}$/),
  });
});

it('client create of a public client prints no secret', async () => {
  const options = ['--name', 'App', '--redirect-uri', 'https://app.example/cb', '--scope', 'read:reports'];
  expect(Object.keys(await json('client', 'create', ...options, '--public'))).toEqual(['client_id']);
});

it('what there is not ends with 1 and the reason, what makes no sense with 2', async () => {
  const unsafe = ['--name', 'App', '--redirect-uri', 'http://app.example/cb', '--scope', 'read:reports'];
  const refused = await muster('client', 'create', ...unsafe);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('http://app.example/cb cannot be returned to');
  expect(await muster('client', 'rotate-secret', 'cl_x', '--overlap', 'soon')).toMatchObject({ code: 2 });
  expect(await muster('client', 'rotate-secret', 'cl_x')).toMatchObject({ code: 1, stdout: '' });
  expect(await muster('api-key', 'create', '--name', 'x')).toMatchObject({ code: 2 });
});
