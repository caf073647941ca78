import type { Config } from '../config.js';
import { EmbeddedPostgres } from './embedded/index.js';
import { migrate } from './migrations.js';

/** A database and the way to leave it. */
export interface FoundDatabase {
  readonly url: string;
  leave(): Promise<void>;
}

/** The database of DATABASE_URL; without one the embedded server, started when need be. Its schema may be of any age. */
export async function findDatabase(config: Config): Promise<FoundDatabase> {
  return config.DATABASE_URL
    ? { url: config.DATABASE_URL, leave: () => Promise.resolve() }
    : EmbeddedPostgres.join(config);
}

/** As findDatabase. The embedded database is brought to the newest schema; one of DATABASE_URL is left to `muster migrate`. */
export async function findMigratedDatabase(config: Config): Promise<FoundDatabase> {
  const found = await findDatabase(config);
  try {
    if (!config.DATABASE_URL) await migrate(found.url);
    return found;
  } catch (error) {
    await found.leave();
    throw error;
  }
}
