import type { Config } from '../config.js';
import { GENERATOR_ROLE } from './generation-login.js';

/** Owns nothing and holds only what the migrations grant it. */
const SERVICE_ROLE = 'muster_service';

/** A transaction left open this long, as by a frozen process, is ended by the server so that its locks do not outlive it. */
const NEVER_LEFT_OPEN = '-c idle_in_transaction_session_timeout=60s';

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
