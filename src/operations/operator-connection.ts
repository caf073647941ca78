import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { Config } from '../config.js';
import { servingUrl, type Sql } from '../database/index.js';

/** Milliseconds within which a question of an operator is answered or given up. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * Connections beside the pool, for health and metrics: they answer while the pool is exhausted, and give up after two
 * seconds while the database is away.
 */
@Injectable()
export class OperatorConnection implements Sql, OnApplicationShutdown {
  private readonly pool: Pool;

  constructor(config: Config) {
    this.pool = new Pool({
      connectionString: servingUrl(config.databaseUrl),
      application_name: `muster ${config.ROLE} operations`,
      // Two, so that a count that waits for a lock keeps nobody from learning that the database is there.
      max: 2,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      statement_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
      idleTimeoutMillis: 30_000,
    });
    // A connection that broke is replaced at the next question, which tells whether the database is there.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  query<Row extends QueryResultRow = QueryResultRow>(
    statement: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>> {
    return this.pool.query<Row>(statement as string, values);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
