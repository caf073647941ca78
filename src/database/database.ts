import { isObserved } from './observed-statements.js';
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/** What runs a statement: the pool, or one transaction. Statements on hot paths carry a `name` and are prepared once a connection. */
export interface Sql {
  query<Row extends QueryResultRow = QueryResultRow>(
    statement: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
}

/** An open READ COMMITTED transaction. It commits when the work that was given it returns, and rolls back when the work throws. */
export type Transaction = Sql & { readonly client: PoolClient };

/** The service's connections to PostgreSQL. */
export class Database implements Sql {
  constructor(readonly pool: Pool) {}

  query<Row extends QueryResultRow = QueryResultRow>(
    statement: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>> {
    return isObserved()
      ? this.queryHere<Row>(statement, values)
      : this.pool.query<Row>(statement as string, values);
  }

  /** The pool would run a statement that waited for a connection as part of the work that gave one back. */
  private async queryHere<Row extends QueryResultRow>(
    statement: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>> {
    const client = await this.pool.connect();
    let failure: Error | undefined;
    try {
      return await client.query<Row>(statement as string, values);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work({
        client,
        query: (statement, values) => client.query(statement as string, values),
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((cause: unknown) => {
        broken = cause as Error;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
