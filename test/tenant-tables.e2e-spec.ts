import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type FreshDatabase, freshDatabase } from './support/database.js';

let fresh: FreshDatabase;
let owner: Client;

beforeAll(async () => {
  fresh = await freshDatabase();
  owner = new Client(fresh.ownerUrl);
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await fresh.drop();
});

it('every tenant table can be distributed by its bucket', async () => {
  expect(await faults()).toEqual([]);
});

it('the tables of the event store are tenant tables', async () => {
  const tables = ['dead_letter', 'event', 'log_head', 'stream', 'subscription_checkpoint'];
  expect(await tenantTables()).toEqual(expect.arrayContaining(tables));
});

describe('a table that could not be distributed is found:', () => {
  const plain = 'CREATE TABLE planted (bucket smallint, id text, PRIMARY KEY (bucket, id))';

  it.each([
    ['no primary key', 'CREATE TABLE planted (bucket smallint, id text)', ['planted has no primary key']],
    [
      'a primary key that begins with something else',
      'CREATE TABLE planted (bucket smallint, id text, PRIMARY KEY (id, bucket))',
      ['planted_pkey on planted does not begin with bucket'],
    ],
    [
      'a unique key without the bucket',
      `${plain}; ALTER TABLE planted ADD UNIQUE (id)`,
      ['planted_id_key on planted does not begin with bucket'],
    ],
    [
      'a unique index without the bucket',
      `${plain}; CREATE UNIQUE INDEX planted_lower ON planted (lower(id))`,
      ['planted_lower on planted does not begin with bucket'],
    ],
    [
      'a trigger',
      `${plain}; CREATE TRIGGER watched BEFORE UPDATE ON planted EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
      ['planted has the trigger watched'],
    ],
    [
      'a foreign key to a table without a bucket',
      `${plain}; CREATE TABLE lone (id text PRIMARY KEY); ALTER TABLE planted ADD CONSTRAINT out FOREIGN KEY (id) REFERENCES lone`,
      ['out on planted crosses buckets'],
    ],
    [
      'a foreign key from a table without a bucket',
      `${plain}; CREATE TABLE lone (b smallint, id text, CONSTRAINT inward FOREIGN KEY (b, id) REFERENCES planted)`,
      ['inward on lone crosses buckets'],
    ],
    [
      'a foreign key that pairs the bucket with something else',
      `${plain}; ALTER TABLE planted ADD other smallint, ADD CONSTRAINT askew FOREIGN KEY (other, id) REFERENCES planted`,
      ['askew on planted crosses buckets'],
    ],
    [
      'a column filled from a sequence',
      `${plain}; ALTER TABLE planted ADD number bigserial`,
      ['planted.number counts over all buckets'],
    ],
    [
      'an identity column',
      `${plain}; ALTER TABLE planted ADD number bigint GENERATED ALWAYS AS IDENTITY`,
      ['planted.number counts over all buckets'],
    ],
  ])('%s', async (_, statements, found) => {
    await owner.query('BEGIN');
    try {
      await owner.query(statements);
      expect(await faults()).toEqual(found);
    } finally {
      await owner.query('ROLLBACK');
    }
  });

  it('while a sound one is not', async () => {
    await owner.query('BEGIN');
    await owner.query(
      `${plain}; CREATE TABLE part (
         bucket smallint, id text, nth integer, PRIMARY KEY (bucket, id, nth),
         FOREIGN KEY (bucket, id) REFERENCES planted (bucket, id))`,
    );
    expect(await faults()).toEqual([]);
    await owner.query('ROLLBACK');
  });
});

/** Tables of tenants are those with a bucket. */
const TENANT_TABLE = `tenant_table AS (
  SELECT class.oid, class.relname AS name, bucket.attnum AS bucket
  FROM pg_class class JOIN pg_attribute bucket ON bucket.attrelid = class.oid AND bucket.attname = 'bucket' AND NOT bucket.attisdropped
  WHERE class.relkind IN ('r', 'p') AND class.relnamespace = 'public'::regnamespace)`;

async function tenantTables(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(`WITH ${TENANT_TABLE} SELECT name FROM tenant_table`);
  return rows.map(({ name }) => name);
}

/** Whatever a distributed PostgreSQL would refuse of the tenants' tables, in words. */
async function faults(): Promise<string[]> {
  const { rows } = await owner.query<{ fault: string }>(`
    WITH ${TENANT_TABLE}
    SELECT name || ' has no primary key' AS fault
    FROM tenant_table WHERE NOT EXISTS (SELECT FROM pg_index WHERE indrelid = tenant_table.oid AND indisprimary)
    UNION ALL
    SELECT indexrelid::regclass || ' on ' || name || ' does not begin with bucket'
    FROM tenant_table JOIN pg_index ON indrelid = tenant_table.oid
    WHERE (indisunique OR indisexclusion) AND indkey[0] <> bucket
    UNION ALL
    SELECT name || ' has the trigger ' || tgname
    FROM tenant_table JOIN pg_trigger ON tgrelid = tenant_table.oid AND NOT tgisinternal
    UNION ALL
    SELECT conname || ' on ' || conrelid::regclass || ' crosses buckets'
    FROM pg_constraint
      LEFT JOIN tenant_table child ON child.oid = conrelid
      LEFT JOIN tenant_table parent ON parent.oid = confrelid
    WHERE contype = 'f' AND (child.oid IS NOT NULL OR parent.oid IS NOT NULL)
      AND (child.bucket, parent.bucket) IS DISTINCT FROM (conkey[array_position(confkey, parent.bucket)], parent.bucket)
    UNION ALL
    SELECT name || '.' || attname || ' counts over all buckets'
    FROM tenant_table
      JOIN pg_attribute ON attrelid = tenant_table.oid AND NOT attisdropped
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attidentity <> '' OR pg_get_expr(adbin, adrelid) LIKE 'nextval(%'
    ORDER BY fault`);
  return rows.map(({ fault }) => fault);
}
