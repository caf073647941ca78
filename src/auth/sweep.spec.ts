import { describe, expect, it } from '@jest/globals';
import { ownDatabase } from '../../test/support/database.js';
import { Config } from '../config.js';
import { bucketOf, EventStore } from '../event-store/index.js';
import { AccessRevoked, CodeReplayed, SecurityLog } from './security-events.js';
import { Sweep } from './sweep.js';

const database = ownDatabase(2);

const names = async (query: string) =>
  (await database().query<{ name: string }>(query)).rows.map(({ name }) => name);

const securityLog = () => new SecurityLog(new EventStore(database()));
const sweep = () => new Sweep(database(), new Config(), securityLog()).sweep();

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

  await sweep();

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

describe('security events', () => {
  const bucket = bucketOf('client:c');

  async function note(event: CodeReplayed | AccessRevoked, daysAgo: number): Promise<void> {
    await database().transaction((tx) => securityLog().note(tx, event));
    await database().transaction(async (tx) => {
      await tx.query('SET LOCAL ROLE none'); // The owner: the service changes no event.
      await tx.query(
        'UPDATE event SET recorded_at = now() - $1::integer * interval $$1 day$$ WHERE type = $2',
        [daysAgo, event.type],
      );
    });
  }

  it('past their days leave their places and nothing else', async () => {
    await note(new CodeReplayed('c', 'family'), 401);
    await note(new AccessRevoked('c', 'p', 'person', ['family']), 399);
    await sweep();
    const { rows } = await database().query(
      `SELECT event.position, event.tenant_id AS tenant, stream.tenant_id AS stream_tenant, type, data, meta
         FROM event JOIN stream USING (bucket, stream_id) WHERE bucket = $1 ORDER BY position`,
      [bucket],
    );
    expect(rows).toEqual([
      { position: '1', tenant: '', stream_tenant: '', type: 'Erased', data: {}, meta: {} },
      expect.objectContaining({ position: '2', tenant: 'client:c', type: 'AccessRevoked' }),
    ]);
  });

  it('of the last 90 days stay, whatever the service asks for', async () => {
    await note(new AccessRevoked('c', 'p', 'person', ['family']), 89);
    const { rows } = await database().query('SELECT forget_security_events($1, 0, 100) AS forgotten', [
      bucket,
    ]);
    expect(rows).toEqual([{ forgotten: 0 }]);
    await expect(database().query(`SELECT empty_streams($1, '{}')`, [bucket])).rejects.toThrow(
      'permission denied for function empty_streams',
    );
  });
});
