import type { Config } from '../config.js';
import { EmbeddedPostgres } from './embedded/index.js';
import { migrate } from './migrations.js';

/** A database and the way to leave it. */
export interface FoundDatabase {
  readonly url: string;
  leave(): Promise<void>;
}

/** The database of DATABASE_URL; without one the embedded server, started when need be and brought to the newest schema. */
export async function findDatabase(config: Config): Promise<FoundDatabase> {
  if (config.DATABASE_URL) return { url: config.DATABASE_URL, leave: async () => undefined };
  const embedded = await EmbeddedPostgres.join(config);
  try {
    await migrate(embedded.url);
    return embedded;
  } catch (error) {
    await embedded.leave();
    throw error;
  }
}
