import type { Pool } from 'pg';
import type { Transaction } from '../database/database.js';

/** Gives `work` the database as it is at this moment, for as long as it reads; it cannot write. */
export async function inSnapshot<T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work({ client, query: (statement, values) => client.query(statement as string, values) });
  } finally {
    await client.query('ROLLBACK').catch((cause: unknown) => (broken = cause as Error));
    client.release(broken);
  }
}

/** The rows of a query, `span` at a time. */
export async function* pages<Row extends object>(
  tx: Transaction,
  name: string,
  query: string,
  values: unknown[],
  span = 2_000,
): AsyncIterable<Row[]> {
  await tx.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${query}`, values);
  for (let more = true; more;) {
    const { rows } = await tx.query<Row>(`FETCH ${span} FROM ${name}`);
    if (rows.length > 0) yield rows;
    more = rows.length === span;
  }
  await tx.query(`CLOSE ${name}`);
}
