import type { INestApplicationContext } from '@nestjs/common';
import { Pool } from 'pg';
import { Config } from '../config.js';
import { Database } from '../database/index.js';

/** Gives `work` the database as the owner of its tables, who may do what the serving role may not. */
export async function withOwner<T>(
  app: INestApplicationContext,
  work: (owner: Database) => Promise<T>,
  connections = 2,
): Promise<T> {
  const pool = new Pool({
    connectionString: app.get(Config).databaseUrl,
    max: connections,
    application_name: 'muster operator',
  });
  pool.on('error', () => undefined);
  try {
    return await work(new Database(pool));
  } finally {
    await pool.end();
  }
}
