import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { plainToInstance, Transform } from 'class-transformer';
import {
  IsIn,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  MinLength,
  ValidateBy,
  ValidateIf,
  validateSync,
} from 'class-validator';
import {
  areDistinct,
  areNetworks,
  areRandom,
  isBaseAddress,
  isDatabaseAddress,
  isGuarded,
  isSafeBase,
  loginOf,
} from './config.rules.js';

/** A whole number from `min` to `max`, which the environment holds as decimal digits. */
function WholeNumber(min: number, max: number): PropertyDecorator {
  const isOne = (value: unknown) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return (target, property) => {
    FromText(/^\d+$/)(target, property);
    Must(isOne, `${String(property)} must be a whole number from ${min} to ${max}`)(target, property);
  };
}

/** A number written as `form` has it; other text is no number at all. */
function FromText(form: RegExp): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (form.test(value) ? Number(value) : NaN) : value,
  );
}

/** A rule of one setting in the company of the others. */
function Must(hold: (value: unknown, config: Config) => boolean, message: string): PropertyDecorator {
  return ValidateBy(
    { name: message, validator: { validate: (value, args) => hold(value, args?.object as Config) } },
    { message },
  );
}

/** Settings that may stand in a file, named by the variable with `_FILE` behind its name: secrets, or what holds one. */
const FROM_FILES = [
  'DATABASE_URL',
  'GENERATION_DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'CLIENT_SECRET_PEPPERS',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

/** Every setting of the service. `loadConfig` is the only reader of the environment. */
export class Config {
  @IsIn(['development', 'test', 'production'])
  readonly NODE_ENV: 'development' | 'test' | 'production' = 'development';

  @Matches(/^[\w.:%-]+$/, { message: 'HOST must be an address or a name to listen on' })
  readonly HOST: string = '127.0.0.1';

  @WholeNumber(0, 65535)
  readonly PORT: number = 3000;

  /** Base of every link and the OAuth issuer, without a trailing slash; by default http://HOST:PORT. */
  @Must(
    (url, { NODE_ENV }) => NODE_ENV !== 'production' || isSafeBase(url),
    'PUBLIC_URL must be an https address in production',
  )
  @Must(isBaseAddress, 'PUBLIC_URL must be an http or https address without user, query or fragment')
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.replace(/\/+$/, '') : value,
  )
  readonly PUBLIC_URL?: string;

  /** What this process does: answer HTTP, generate reports, or both. */
  @IsIn(['all', 'api', 'worker'])
  readonly ROLE: 'all' | 'api' | 'worker' = 'all';

  /** Where health and metrics listen, in every role. Unset: on PORT, metrics for this machine alone and not in production. */
  @IsOptional()
  @WholeNumber(0, 65535)
  readonly OPERATIONS_PORT?: number;

  /** Seconds between the signal to stop and the refusal of new work, for load balancers to notice. */
  @WholeNumber(0, 3600)
  readonly DRAIN_DELAY_SECONDS: number = 0;

  /** PostgreSQL 15 or later. Unset: the embedded server, which is not for production. */
  @ValidateIf(({ NODE_ENV, DATABASE_URL: url }: Config) => NODE_ENV === 'production' || url !== undefined)
  @Must(isGuarded, 'the password in DATABASE_URL must not be easy to guess: 12 characters or more')
  @Matches(/^postgres(ql)?:\/\//, {
    message:
      'DATABASE_URL must begin with postgres:// or postgresql://; the embedded database is not for production',
  })
  @Must(isDatabaseAddress, 'DATABASE_URL must be an address, its parts percent-encoded')
  readonly DATABASE_URL?: string;

  /**
   * The database by the login that generators connect with, a member of muster_generator only; `muster migrate` makes it. Unset: the
   * service's login in that role, which whoever takes a generator's connection over can leave.
   */
  @ValidateIf(
    ({ NODE_ENV, ROLE, GENERATION_DATABASE_URL: url }: Config) =>
      (NODE_ENV === 'production' && ROLE !== 'api') || url !== undefined,
  )
  @Matches(/^postgres(ql)?:\/\/[^/@:]+(:[^/@]*)?@/, {
    message:
      'GENERATION_DATABASE_URL must be the database with a login of its own for generators, postgres://LOGIN:PASSWORD@…',
  })
  @Must(isDatabaseAddress, 'GENERATION_DATABASE_URL must be an address, its parts percent-encoded')
  @Must(isGuarded, 'the password in GENERATION_DATABASE_URL must not be easy to guess: 12 characters or more')
  @Must(
    (url, { DATABASE_URL: service }) => service === undefined || loginOf(url) !== loginOf(service),
    'GENERATION_DATABASE_URL must name another login than DATABASE_URL',
  )
  readonly GENERATION_DATABASE_URL?: string;

  /**
   * A streaming replica of the database, by the login of generators: first attempts at reports read there, as soon as it shows all
   * that was there when the report was asked for. Unset: the primary is read.
   */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/[^/@:]+(:[^/@]*)?@/, {
    message:
      'DATABASE_REPLICA_URL must be a replica with the login of generators, postgres://LOGIN:PASSWORD@…',
  })
  @Must(isDatabaseAddress, 'DATABASE_REPLICA_URL must be an address, its parts percent-encoded')
  @Must(isGuarded, 'the password in DATABASE_REPLICA_URL must not be easy to guess: 12 characters or more')
  @Must(
    (url, { NODE_ENV, GENERATION_DATABASE_URL: own }) =>
      NODE_ENV !== 'production' || own === undefined || loginOf(url) === loginOf(own),
    'DATABASE_REPLICA_URL must name the login of GENERATION_DATABASE_URL',
  )
  readonly DATABASE_REPLICA_URL?: string;

  /** Base address of a collector of traces (OTLP over HTTP). Unset: nothing is traced. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** Headers that the collector asks for, such as `api-key=…,tenant=…`: names and percent-encoded values, as OpenTelemetry has them. */
  @IsOptional()
  @Matches(/^\s*[\w!#$%&'*+.^`|~-]+\s*=\s*[!-+\--~]*\s*(,\s*[\w!#$%&'*+.^`|~-]+\s*=\s*[!-+\--~]*\s*)*$/, {
    message: 'OTEL_EXPORTER_OTLP_HEADERS must list headers, name=value,name=value, values percent-encoded',
  })
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string;

  /** Share of the traces that begin here which are kept. */
  @FromText(/^\d*\.?\d+$/)
  @Must((share) => Number(share) >= 0 && Number(share) <= 1, 'OTEL_TRACES_SAMPLER_ARG must be from 0 to 1')
  readonly OTEL_TRACES_SAMPLER_ARG: number = 1;

  /** Folder of the embedded database. */
  @IsString()
  @MinLength(1)
  readonly MUSTER_DATA_DIR: string = '.data';

  /** Seconds that one statement of a request, an import or upkeep may take. Generators are bounded by GENERATION_TIME_LIMIT. */
  @WholeNumber(1, 86_400)
  readonly DATABASE_STATEMENT_SECONDS: number = 60;

  /** Pieces of work that may wait for a connection before requests are answered 503. */
  @WholeNumber(1, 100_000)
  readonly DATABASE_QUEUE_LIMIT: number = 100;

  /** Connections of one process. */
  @WholeNumber(2, 1000)
  readonly DATABASE_POOL_SIZE: number = 20;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  readonly LOG_LEVEL: string = 'info';

  /** Reports generated at the same time by one process. */
  @WholeNumber(1, 64)
  readonly GENERATION_CONCURRENCY: number = 2;

  /** Seconds one attempt at a report may take. */
  @WholeNumber(1, 86_400)
  readonly GENERATION_TIME_LIMIT: number = 900;

  /** Megabytes of heap one report may take. */
  @WholeNumber(32, 65_536)
  readonly GENERATION_MEMORY_LIMIT: number = 512;

  /** Reports of one farm generated at the same time, over all processes. */
  @WholeNumber(1, 1000)
  readonly GENERATION_FARM_CONCURRENCY: number = 1;

  /** Seconds that running reports may take to finish when the process is told to stop; then they are handed back. */
  @WholeNumber(0, 3600)
  readonly GENERATION_DRAIN_SECONDS: number = 25;

  /** Attempts before a report fails for good. */
  @WholeNumber(1, 20)
  readonly GENERATION_ATTEMPTS: number = 3;

  /** Modules with report types from outside: package names, file URLs or paths, comma-separated. Unset: none. */
  @IsOptional()
  @IsString()
  readonly MUSTER_REPORT_MODULES?: string;

  /** Days the content of a report is kept. */
  @WholeNumber(1, 3650)
  readonly REPORT_RETENTION_DAYS: number = 30;

  /** Seconds for which a credential found in force is not looked up again; revocation ends it at once. 0: never remembered. */
  @WholeNumber(0, 60)
  readonly CREDENTIAL_CACHE_SECONDS: number = 5;

  /**
   * Keys that client secrets are stored under, `name:base64` with at least 32 bytes each, comma-separated, the current one first.
   * Production refuses to start without; elsewhere a random one is kept in the database.
   */
  @ValidateIf(
    ({ NODE_ENV, CLIENT_SECRET_PEPPERS }: Config) =>
      NODE_ENV === 'production' || CLIENT_SECRET_PEPPERS !== undefined,
  )
  @Matches(/^[\w-]+:[A-Za-z0-9+/_-]{43,}={0,2}(,[\w-]+:[A-Za-z0-9+/_-]{43,}={0,2})*$/, {
    message:
      'CLIENT_SECRET_PEPPERS must list name:key pairs, each key at least 32 random bytes in base64 (openssl rand -base64 32)',
  })
  @Must(areRandom, 'CLIENT_SECRET_PEPPERS must be random, not a pattern')
  @Must(areDistinct, 'CLIENT_SECRET_PEPPERS must give every key a name of its own')
  readonly CLIENT_SECRET_PEPPERS?: string;

  /** Proxies whose X-Forwarded-For is believed: addresses or CIDR blocks, comma-separated. Unset: none. */
  @IsOptional()
  @Must(areNetworks, 'TRUSTED_PROXIES must list addresses or CIDR blocks, such as 10.0.0.0/8,::1')
  readonly TRUSTED_PROXIES?: string;

  /** Failed authentications in five minutes after which a client is refused at an address. */
  @WholeNumber(1, 1_000_000)
  readonly FAILURES_PER_CLIENT: number = 30;

  /** Failed authentications, of clients or of people, in five minutes after which an address is refused. */
  @WholeNumber(1, 1_000_000)
  readonly FAILURES_PER_ADDRESS: number = 200;

  /** Failed passwords in five minutes after which an account is refused. */
  @WholeNumber(1, 1_000_000)
  readonly FAILURES_PER_ACCOUNT: number = 10;

  /** Seconds of the window in which the requests of a credential are counted. */
  @WholeNumber(1, 3600)
  readonly RATE_LIMIT_SECONDS: number = 60;

  /** Requests that read, of one credential in a window, over all processes. */
  @WholeNumber(1, 1_000_000_000)
  readonly RATE_LIMIT_READS: number = 60_000;

  /** Requests that change something: creates and cancellations of reports above all. */
  @WholeNumber(1, 1_000_000_000)
  readonly RATE_LIMIT_WRITES: number = 6_000;

  /** Requests that change farms and their records. */
  @WholeNumber(1, 1_000_000_000)
  readonly RATE_LIMIT_IMPORTS: number = 6_000;

  /** Requests of an authenticated client to the token endpoint. */
  @WholeNumber(1, 1_000_000_000)
  readonly RATE_LIMIT_TOKENS: number = 6_000;

  /** Seconds after which a silent stream of events gives a sign of life. */
  @WholeNumber(1, 300)
  readonly EVENT_STREAM_HEARTBEAT_SECONDS: number = 15;

  /** Streams of events that one process holds open. */
  @WholeNumber(1, 100_000)
  readonly EVENT_STREAMS: number = 10_000;

  /** Of those, how many one credential may have. */
  @WholeNumber(1, 100_000)
  readonly EVENT_STREAMS_PER_CREDENTIAL: number = 2_500;

  /** Webhooks to http:// addresses too, whose messages anybody on the way can read. */
  @IsIn(['refuse', 'allow'])
  readonly WEBHOOK_PLAIN_HTTP: 'refuse' | 'allow' = 'refuse';

  /** Webhooks to addresses that are not public too: private, loopback, link-local, shared, multicast, reserved. */
  @IsIn(['refuse', 'allow'])
  readonly WEBHOOK_PRIVATE_ADDRESSES: 'refuse' | 'allow' = 'refuse';

  /** Seconds to wait after the first failed attempt at a message, the second…; after the last the message has failed. */
  @Matches(/^\d{1,6}(\.\d{1,3})?(,\d{1,6}(\.\d{1,3})?){0,29}$/, {
    message: 'WEBHOOK_RETRY_SECONDS must list up to 30 numbers of seconds, such as 5,300,1800',
  })
  readonly WEBHOOK_RETRY_SECONDS: string = '5,300,1800,7200,18000,36000,50400,72000,86400';

  /** Seconds a receiver has to answer. */
  @WholeNumber(1, 60)
  readonly WEBHOOK_TIMEOUT_SECONDS: number = 20;

  /** Messages sent at the same time by one process; as many again to endpoints that failed before. */
  @WholeNumber(1, 64)
  readonly WEBHOOK_CONCURRENCY: number = 6;

  /** Days a message and its attempts stay in the delivery log, and can be replayed. */
  @WholeNumber(1, 3650)
  readonly WEBHOOK_LOG_DAYS: number = 30;

  /** Days a security event is kept; afterwards only its place in the log is. */
  @WholeNumber(90, 36500)
  readonly SECURITY_EVENT_DAYS: number = 400;

  /** Base of every link: PUBLIC_URL, or where the process listens. */
  get publicUrl(): string {
    return this.PUBLIC_URL ?? `http://${this.address}:${this.listeningPort ?? this.PORT}`;
  }

  /** Where operators find health and metrics when they have a port of their own. */
  get operationsUrl(): string | undefined {
    const port = this.listeningOperationsPort ?? this.OPERATIONS_PORT;
    return port === undefined ? undefined : `http://${this.address}:${port}`;
  }

  /** HOST as it stands in an address. */
  private get address(): string {
    return isIPv6(this.HOST) ? `[${this.HOST}]` : this.HOST;
  }

  /** What MUSTER_REPORT_MODULES names, one by one. */
  get reportModules(): string[] {
    return (this.MUSTER_REPORT_MODULES ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  }

  /** DATABASE_URL; once the embedded server runs, its address stands there. */
  get databaseUrl(): string {
    if (!this.DATABASE_URL)
      throw new InvalidConfiguration('DATABASE_URL is not set and no embedded PostgreSQL was started');
    return this.DATABASE_URL;
  }

  /** How this process traces; undefined where nothing is traced. */
  get tracing():
    { endpoint: string; headers: Record<string, string>; role: string; ratio: number } | undefined {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio, ROLE: role } = this;
    const headers = readHeaders(this.OTEL_EXPORTER_OTLP_HEADERS ?? '');
    return endpoint === undefined ? undefined : { endpoint, headers, role, ratio };
  }

  /** The port that was given for PORT=0; set once the process listens. */
  listeningPort?: number;

  /** As listeningPort, for OPERATIONS_PORT. */
  listeningOperationsPort?: number;
}

/** `name=value,name=value`, values percent-encoded; one that is not is taken as it stands. */
function readHeaders(list: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [, name, value] of list.matchAll(/([^=,\s]+)\s*=\s*([^,]*)/g))
    if (name !== undefined && value !== undefined) headers[name] = decoded(value.trim());
  return headers;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

export class InvalidConfiguration extends Error {}

/** Reads and checks the environment, in the role that was `chosen` if one was. Throws InvalidConfiguration naming every bad variable at once. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env, chosen?: Config['ROLE']): Config {
  const known = Object.keys(new Config()).filter((name) => name === name.toUpperCase());
  const files = readFiles(env);
  const given = Object.fromEntries(
    known.filter((name) => env[name] !== undefined && env[name] !== '').map((name) => [name, env[name]]),
  );
  const config = plainToInstance(
    Config,
    { ...given, ...files.read, ...(chosen && { ROLE: chosen }) },
    { exposeDefaultValues: true },
  );
  const found = validateSync(config).flatMap((error) => Object.values(error.constraints ?? {}));
  const problems = [...files.problems, ...found];
  if (problems.length > 0) throw new InvalidConfiguration(`Bad configuration: ${problems.join('; ')}`);
  return config;
}

/** What stands in the files that NAME_FILE names, without the end of its last line. */
function readFiles(env: NodeJS.ProcessEnv): { read: Record<string, string>; problems: string[] } {
  const read: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of FROM_FILES) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) problems.push(`${name} and ${name}_FILE must not both be set`);
    try {
      read[name] = readFileSync(file, 'utf8').trimEnd();
    } catch (error) {
      problems.push(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    }
  }
  return { read, problems };
}
