import { describe, expect, it } from '@jest/globals';
import { ownDatabase } from '../../test/support/database.js';
import { Config } from '../config.js';
import { CreateApiKeyHandler } from './api-keys.js';
import { CreateApiKey, CreatePerson, NotAcceptable, NotPossible, RegisterClient } from './messages.js';
import {
  DisableClientHandler,
  RegisterClientHandler,
  RotateClientSecretHandler,
} from './oauth/client.handlers.js';
import { DisableClient, DisablePerson, RotateClientSecret } from './messages.js';
import { CreatePersonHandler, DisablePersonHandler } from './people/person.handlers.js';
import { Peppers } from './peppers.js';

const database = ownDatabase(2);

const SAFE = ['https://app.example/cb'];
const READ = ['read:reports'];
const peppers = () => new Peppers(new Config(), database());

describe('refused is', () => {
  it.each([
    ['an API key without a name', new CreateApiKey(' ', READ, ['f'])],
    ['an API key without a farm', new CreateApiKey('x', READ, [])],
    ['an API key with a farm that has no id', new CreateApiKey('x', READ, [''])],
    ['an API key without a scope', new CreateApiKey('x', [], ['f'])],
    ['an API key with an unknown scope', new CreateApiKey('x', ['everything'], ['f'])],
  ])('%s', async (_, command) => {
    await expect(new CreateApiKeyHandler(database()).execute(command)).rejects.toThrow(NotAcceptable);
  });

  it.each([
    ['a client without a name', new RegisterClient('', SAFE, READ, false, false)],
    ['a client without an address', new RegisterClient('x', [], READ, false, false)],
    ['a client on plain http', new RegisterClient('x', ['http://app.example/cb'], READ, false, false)],
    [
      'a client with a script for an address',
      new RegisterClient('x', ['javascript:alert(1)'], READ, false, false),
    ],
    [
      'a client with one unsafe address among safe ones',
      new RegisterClient('x', [...SAFE, 'data:,x'], READ, false, false),
    ],
    ['a client with an unknown scope', new RegisterClient('x', SAFE, ['everything'], false, false)],
    ['a client with an unknown grant', new RegisterClient('x', SAFE, READ, false, false, ['password'])],
    ['a client without a grant', new RegisterClient('x', SAFE, READ, false, false, [])],
  ])('%s', async (_, command) => {
    await expect(new RegisterClientHandler(database(), peppers()).execute(command)).rejects.toThrow(
      NotAcceptable,
    );
  });

  it.each([
    ['a person without an address', new CreatePerson('nobody', ['f'])],
    ['a person without a farm', new CreatePerson('x@example.org', [])],
    ['a person with every farm there is', new CreatePerson('x@example.org', ['*'])],
    ['a short password', new CreatePerson('x@example.org', ['f'], 'short')],
    ['an endless password', new CreatePerson('x@example.org', ['f'], 'x'.repeat(1025))],
  ])('%s', async (_, command) => {
    await expect(new CreatePersonHandler(database()).execute(command)).rejects.toThrow(NotAcceptable);
  });

  it('a second person of one address, in any case, and nothing is left of the attempt', async () => {
    await new CreatePersonHandler(database()).execute(new CreatePerson('a@example.org', ['f']));
    const again = new CreatePersonHandler(database()).execute(new CreatePerson('A@Example.org', ['g']));
    await expect(again).rejects.toThrow(NotPossible);
    expect((await database().query(`SELECT FROM person_farm WHERE farm_id = 'g'`)).rowCount).toBe(0);
  });

  it('a new secret for nobody, for a public client, for a disabled one', async () => {
    const register = new RegisterClientHandler(database(), peppers());
    const open = await register.execute(new RegisterClient('x', SAFE, READ, true, false));
    const ended = await register.execute(new RegisterClient('x', SAFE, READ, false, false));
    expect(await new DisableClientHandler(database()).execute(new DisableClient(ended.clientId))).toBe(true);
    for (const id of ['cl_nobody', open.clientId, ended.clientId]) {
      const rotated = new RotateClientSecretHandler(database(), peppers()).execute(
        new RotateClientSecret(id, 60),
      );
      await expect(rotated).rejects.toThrow(NotPossible);
    }
  });
});

it('what has ended cannot be ended again', async () => {
  expect(await new DisableClientHandler(database()).execute(new DisableClient('cl_nobody'))).toBe(false);
  expect(await new DisablePersonHandler(database()).execute(new DisablePerson('nobody@example.org'))).toBe(
    false,
  );
});
