import type { Client } from 'pg';

/** Everything the database holds but in the tables of `except`, as text. `owner` may read all of it. */
export async function wholeDatabase(owner: Client, except: readonly string[] = []): Promise<string> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename <> ALL ($1)`,
    [except],
  );
  const contents = [];
  for (const { name } of tables)
    contents.push(JSON.stringify((await owner.query(`SELECT kept::text FROM ${name} AS kept`)).rows));
  return contents.join('\n');
}
