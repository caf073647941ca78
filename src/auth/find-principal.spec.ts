import { beforeAll, describe, expect, it } from '@jest/globals';
import { ownDatabase } from '../../test/support/database.js';
import { FindPrincipalHandler, FindReachingHandler } from './find-principal.handler.js';
import { FindPrincipal, FindReaching } from './messages.js';
import type { Scope } from './principal.js';

const database = ownDatabase(4);
const READ = 'read:reports';

const KEYS: [string, string[], string[] | null, boolean][] = [
  ['ak_one', [READ], ['f1', 'f2'], false],
  ['ak_all', [READ], null, false],
  ['ak_records', ['read:records'], ['f1'], false],
  ['ak_revoked', [READ], ['f1'], true],
];

beforeAll(async () => {
  const run = (statement: string, ...values: unknown[]) => database().query(statement, values);
  for (const [id, scopes, farms, revoked] of KEYS)
    await run(
      'INSERT INTO api_key (id, name, hash, scopes, farms, revoked_at) VALUES ($1, $1, sha256(convert_to($1::text, $5)), $2, $3, $4)',
      id,
      scopes,
      farms,
      revoked ? new Date() : null,
      'UTF8',
    );
  for (const id of ['cl_app', 'cl_disabled'])
    await run(
      `INSERT INTO oauth_client (id, name, redirect_uris, scopes, grants, public, require_pkce, disabled_at)
       VALUES ($1, $1, '{}', '{}', '{}', true, true, $2)`,
      id,
      id === 'cl_disabled' ? new Date() : null,
    );
  for (const id of ['person_ann', 'person_bob', 'person_gone'])
    await run(
      'INSERT INTO person (id, email, password_hash, disabled_at) VALUES ($1, $1, $1, $2)',
      id,
      id === 'person_gone' ? new Date() : null,
    );
  await run(
    `INSERT INTO person_farm VALUES ('person_ann', 'f1'), ('person_ann', 'f3'), ('person_bob', 'f2'), ('person_gone', 'f1')`,
  );
});

let families = 0;

/** What a person has granted, with an access token that is in force unless said. */
async function granted(
  person: string,
  farms: string[],
  { client = 'cl_app', scopes = [READ], revoked = false, tokens = '1 hour' } = {},
): Promise<void> {
  const id = `fam_${++families}`;
  await database().query(
    `INSERT INTO oauth_family (id, client_id, person_id, scopes, farms, created_at, expires_at, revoked_at)
     VALUES ($1, $2, $3, $4, $5, now(), now() + interval '1 year', $6)`,
    [id, client, person, scopes, farms, revoked ? new Date() : null],
  );
  await database().query(
    `INSERT INTO oauth_access VALUES (sha256($1::bytea), $2, $3, now(), now() + $4::interval)`,
    [Buffer.from(id), id, scopes, tokens],
  );
}

/** The farms that a credential reaches, in order; undefined when it has ended. */
async function farmsOf(id: string, scope: Scope = READ): Promise<string[] | 'all' | undefined> {
  const found = await new FindPrincipalHandler(database()).execute(new FindPrincipal(id, scope));
  if (!found) return undefined;
  expect(found).toMatchObject({ id, scopes: new Set([scope]) });
  return found.farms === 'all' ? 'all' : [...found.farms].sort();
}

async function reaching(farm: string, ...ids: string[]): Promise<string[]> {
  const query = new FindReaching(ids, farm, READ);
  return [...(await new FindReachingHandler(database()).execute(query))].sort();
}

describe('an API key', () => {
  it.each([
    ['reaches its farms', 'ak_one', ['f1', 'f2']],
    ['reaches every farm when it may', 'ak_all', 'all'],
    ['reaches nothing without the scope', 'ak_records', undefined],
    ['reaches nothing once revoked', 'ak_revoked', undefined],
    ['reaches nothing when there is none', 'ak_none', undefined],
  ])('%s', async (_, key, farms) => {
    expect(await farmsOf(`api-key:${key}`)).toEqual(farms);
  });
});

describe('a grant', () => {
  beforeAll(async () => {
    await granted('person_ann', ['f1', 'f2']);
    await granted('person_ann', ['f3'], { scopes: ['write:reports'] });
    await granted('person_bob', ['f2', 'f1'], { tokens: '-1 hour' });
    await granted('person_gone', ['f1']);
    await granted('person_ann', ['f1'], { client: 'cl_disabled' });
  });

  it('reaches what was consented to and the person still has', async () => {
    expect(await farmsOf('client:cl_app/person:person_ann')).toEqual(['f1']);
  });

  it('reaches with each scope what was granted with it', async () => {
    expect(await farmsOf('client:cl_app/person:person_ann', 'write:reports')).toEqual(['f3']);
  });

  it.each([
    ['a person whose last token has expired', 'client:cl_app/person:person_bob'],
    ['a person who was disabled', 'client:cl_app/person:person_gone'],
    ['a client that was disabled', 'client:cl_disabled/person:person_ann'],
    ['what is no credential', 'command-line'],
    ['what only looks like one', "client:cl_app/person:person_ann' OR true"],
  ])('has ended for %s', async (_, id) => {
    expect(await farmsOf(id)).toBeUndefined();
  });

  it('of everybody to a client is what all of them reach', async () => {
    await granted('person_bob', ['f2']);
    expect(await farmsOf('client:cl_app')).toEqual(['f1', 'f2']);
  });
});

it('two credentials that were sent together reach what both do, while both are in force', async () => {
  const grant = 'client:cl_app/person:person_ann';
  expect(await farmsOf(`${grant}+api-key:ak_one`)).toEqual(['f1']);
  expect(await farmsOf(`${grant}+api-key:ak_all`)).toEqual(['f1']);
  expect(await farmsOf(`${grant}+api-key:ak_revoked`)).toBeUndefined();
});

it('asked about a farm, many credentials are told apart as each alone would be', async () => {
  const ids = [
    ...KEYS.map(([id]) => `api-key:${id}`),
    'client:cl_app',
    'client:cl_app/person:person_ann',
    'client:cl_app/person:person_bob',
    'client:cl_app/person:person_gone',
    'client:cl_disabled/person:person_ann',
    'client:cl_app/person:person_ann+api-key:ak_one',
    'client:cl_app/person:person_ann+api-key:ak_revoked',
    'command-line',
  ];
  for (const farm of ['f1', 'f2', 'f3', 'f4']) {
    const alone: string[] = [];
    for (const id of ids) {
      const farms = await farmsOf(id);
      if (farms === 'all' || farms?.includes(farm)) alone.push(id);
    }
    expect(await reaching(farm, ...ids)).toEqual(alone.sort());
  }
});
