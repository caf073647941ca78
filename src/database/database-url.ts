import type { Config } from '../config.js';
import { EmbeddedPostgres } from './embedded/index.js';
import { embeddedGenerationUrl } from './generation-login.js';
import { migrate } from './migrations.js';

/** A database and the way to leave it. */
export interface FoundDatabase {
  readonly url: string;
  /** The login of its own that generators have there, if any. */
  readonly generationUrl?: string;
  leave(): Promise<void>;
}

/** The database of DATABASE_URL; without one the embedded server, started when need be. Its schema may be of any age. */
export async function findDatabase(config: Config): Promise<FoundDatabase> {
  const { DATABASE_URL: url, GENERATION_DATABASE_URL: generationUrl } = config;
  if (url) return { url, ...(generationUrl && { generationUrl }), leave: () => Promise.resolve() };
  const embedded = await EmbeddedPostgres.join(config);
  return {
    url: embedded.url,
    generationUrl: embeddedGenerationUrl(embedded.url),
    leave: () => embedded.leave(),
  };
}

/** As findDatabase. The embedded database is brought to the newest schema; one of DATABASE_URL is left to `muster migrate`. */
export async function findMigratedDatabase(config: Config): Promise<FoundDatabase> {
  const found = await findDatabase(config);
  try {
    if (!config.DATABASE_URL) await migrate(found.url, found.generationUrl);
    return found;
  } catch (error) {
    await found.leave();
    throw error;
  }
}
