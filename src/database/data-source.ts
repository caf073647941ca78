import { Client, type ClientConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Config } from '../config.js';
import { observed } from './observed-statements.js';
import { GENERATOR_ROLE } from './generation-login.js';

/** Owns nothing and holds only what the migrations grant it. */
const SERVICE_ROLE = 'muster_service';

/** A transaction left open this long, as by a frozen process, is ended by the server so that its locks do not outlive it. */
const NEVER_LEFT_OPEN = '-c idle_in_transaction_session_timeout=60s';

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

/** `url` with the settings every serving connection has. Settings that `url` itself carries win. */
export function servingUrl(url: string): string {
  return withOptions(url, `-c role=${SERVICE_ROLE} ${NEVER_LEFT_OPEN}`);
}

/**
 * Where generators connect: by their own login, which is a member of nothing but their role (migration 140), or else by the
 * service's login in that role.
 */
export function generatingUrl({
  databaseUrl,
  GENERATION_DATABASE_URL: own,
}: Pick<Config, 'databaseUrl' | 'GENERATION_DATABASE_URL'>): string {
  return asGenerator(own ?? databaseUrl);
}

/** As generatingUrl, at the replica that reports read from, if there is one. */
export function replicaUrl({
  DATABASE_REPLICA_URL: url,
}: Pick<Config, 'DATABASE_REPLICA_URL'>): string | undefined {
  return url === undefined ? undefined : asGenerator(url);
}

function asGenerator(url: string): string {
  return withOptions(url, `-c role=${GENERATOR_ROLE} -c search_path=generation ${NEVER_LEFT_OPEN}`);
}

function withOptions(url: string, options: string): string {
  const connecting = new URL(url);
  const own = connecting.searchParams.get('options') ?? '';
  connecting.searchParams.set('options', `${options} ${own}`.trim());
  return connecting.href.replaceAll('+', '%20');
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
