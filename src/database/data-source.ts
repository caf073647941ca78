import { Client, type ClientConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { servingUrl } from './connection-urls.js';
import { observed } from './observed-statements.js';

/** What an answer may take to arrive after the server has ended its statement. */
const LATE_MS = 2_000;

/** A connection may break while a transaction holds it. Its next statement fails; the bare event must not end the process. */
class SteadyClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    observed(this);
  }
}

export interface ServingOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName: string;
  /** After which the server ends a statement, and soon after that nobody waits for its answer any more. */
  readonly statementSeconds: number;
  /** Told of connections that broke while nobody used them. The pool replaces them by itself. */
  readonly onIdleError: (error: Error) => void;
}

/** The data source of a serving process: acts as the service's role and can read but never change the schema. */
export function servingOptions({
  url,
  poolSize,
  applicationName,
  statementSeconds,
  onIdleError,
}: ServingOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url: servingUrl(url),
    applicationName,
    poolSize,
    poolErrorHandler: onIdleError,
    connectTimeoutMS: 5_000,
    installExtensions: false,
    extra: {
      Client: SteadyClient,
      keepAlive: true,
      idleTimeoutMillis: 30_000,
      statement_timeout: statementSeconds * 1000,
      // A connection that was cut without a word would otherwise be waited for until the system gives it up.
      query_timeout: statementSeconds * 1000 + LATE_MS,
    },
  };
}

/** The data source that changes the schema, as the owner. */
export function owningDataSource(url: string, migrations: DataSourceOptions['migrations'] = []): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    applicationName: 'muster migrate',
    poolSize: 2,
    installExtensions: false,
    migrations,
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'each',
    extra: { Client: SteadyClient },
  });
}
