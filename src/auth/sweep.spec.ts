import { expect, it } from '@jest/globals';
import { ownDatabase } from '../../test/support/database.js';
import { Config } from '../config.js';
import { Sweep } from './sweep.js';

const database = ownDatabase(2);

const names = async (query: string) =>
  (await database().query<{ name: string }>(query)).rows.map(({ name }) => name);

it('takes away what has served its time and nothing else', async () => {
  await database().query(`INSERT INTO person (id, email, password_hash) VALUES ('p', 'p@example.org', '')`);
  await database().query(
    `INSERT INTO oauth_client (id, name, redirect_uris, scopes, grants, public, require_pkce)
     VALUES ('c', 'C', '{}', '{}', '{}', true, true)`,
  );
  await database().query(
    `INSERT INTO oauth_family (id, client_id, person_id, scopes, farms, created_at, expires_at) VALUES
       ('alive', 'c', 'p', '{}', '{}', now(), now() + interval '1 day'),
       ('ended lately', 'c', 'p', '{}', '{}', now(), now() - interval '1 day'),
       ('ended long ago', 'c', 'p', '{}', '{}', now(), now() - interval '31 days')`,
  );
  await database().query(
    `INSERT INTO oauth_refresh (hash, id, family_id, expires_at, spent_at, grace_answer) VALUES
       ('in grace', gen_random_uuid(), 'alive', now() + interval '1 day', now(), 'answer'),
       ('spent', gen_random_uuid(), 'alive', now() + interval '1 day', now() - interval '11 s', 'answer'),
       ('gone', gen_random_uuid(), 'ended long ago', now() - interval '31 days', NULL, NULL)`,
  );
  await database().query(
    `INSERT INTO oauth_access (hash, family_id, scopes, issued_at, expires_at) VALUES
       ('good', 'alive', '{}', now(), now() + interval '1 hour'),
       ('old', 'alive', '{}', now(), now() - interval '2 hours'),
       ('older', 'ended long ago', '{}', now(), now() - interval '31 days')`,
  );
  await database().query(
    `INSERT INTO failure_window VALUES ('now', now() + interval '1 minute', 1), ('then', now() - interval '1 minute', 1)`,
  );

  await new Sweep(database(), new Config()).sweep();

  expect(await names(`SELECT id AS name FROM oauth_family ORDER BY 1`)).toEqual(['alive', 'ended lately']);
  expect(await names(`SELECT convert_from(hash, 'UTF8') AS name FROM oauth_refresh ORDER BY 1`)).toEqual([
    'in grace',
    'spent',
  ]);
  expect(
    await names(
      `SELECT convert_from(hash, 'UTF8') AS name FROM oauth_refresh WHERE grace_answer IS NOT NULL`,
    ),
  ).toEqual(['in grace']);
  expect(await names(`SELECT convert_from(hash, 'UTF8') AS name FROM oauth_access`)).toEqual(['good']);
  expect(await names('SELECT subject AS name FROM failure_window')).toEqual(['now']);
});
