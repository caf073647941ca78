import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { blockedSeconds, type Limit } from '../failures.js';
import { Peppers } from '../peppers.js';

/** A registered application. */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly grants: readonly string[];
  readonly public: boolean;
  readonly requirePkce: boolean;
}

interface SecretSlots {
  readonly secret_hmac: Buffer | null;
  readonly secret_pepper: string | null;
  readonly previous_hmac: Buffer | null;
  readonly previous_pepper: string | null;
}

interface ClientRow extends SecretSlots {
  readonly id: string | null;
  readonly name: string;
  readonly redirect_uris: string[];
  readonly scopes: string[];
  readonly grants: string[];
  readonly public: boolean;
  readonly require_pkce: boolean;
  readonly blocked: number | null;
}

const COLUMNS = `client.id, client.name, client.redirect_uris, client.scopes, client.grants, client.public, client.require_pkce,
  client.secret_hmac, client.secret_pepper,
  CASE WHEN client.previous_until > now() THEN client.previous_hmac END AS previous_hmac, client.previous_pepper`;

const NO_SECRET = Buffer.alloc(32);

export interface Authentication {
  /** Seconds for which one of the limits still blocks; the secret was not looked at. */
  readonly blocked?: number;
  /** Who authenticated. */
  readonly client?: Client;
  /** There is such a client, whether or not the secret was right. */
  readonly known: boolean;
}

/** The registered applications that are not disabled. */
@Injectable()
export class Clients {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
  ) {}

  async find(id: string): Promise<Client | undefined> {
    const { rows } = await this.database.query<ClientRow>({
      name: 'client-find',
      text: `SELECT ${COLUMNS} FROM oauth_client client WHERE client.id = $1 AND client.disabled_at IS NULL`,
      values: [id],
    });
    return rows[0] && toClient(rows[0]);
  }

  /** Checks a client's secret, or that it is public and has none. A client nobody registered costs the same work. */
  async authenticate(
    id: string,
    secret: string | undefined,
    limits: readonly Limit[],
  ): Promise<Authentication> {
    const { rows } = await this.database.query<ClientRow>({
      name: 'client-authenticate',
      text: `SELECT ${blockedSeconds('$2', '$3')} AS blocked, ${COLUMNS}
             FROM (SELECT) AS always LEFT JOIN oauth_client client ON client.id = $1 AND client.disabled_at IS NULL`,
      values: [id, limits.map(({ subject }) => subject), limits.map(({ failures }) => failures)],
    });
    const row = rows[0];
    if (row && row.blocked !== null) return { known: row.id !== null, blocked: row.blocked };
    const registered = row && row.id !== null ? row : undefined;
    const proven = await this.proves(registered, secret);
    const right = registered?.public ? secret === undefined : proven;
    return { known: registered !== undefined, ...(registered && right && { client: toClient(registered) }) };
  }

  private async proves(slots: SecretSlots | undefined, secret: string | undefined): Promise<boolean> {
    const [current, previous] = await Promise.all([
      this.equals(slots?.secret_hmac, slots?.secret_pepper, secret),
      this.equals(slots?.previous_hmac, slots?.previous_pepper, secret),
    ]);
    return current || previous;
  }

  private async equals(
    hmac: Buffer | null | undefined,
    pepper: string | null | undefined,
    secret = '',
  ): Promise<boolean> {
    const presented = await this.peppers.seal(secret, pepper ?? undefined);
    return (
      timingSafeEqual(presented?.hmac ?? NO_SECRET, hmac ?? NO_SECRET) &&
      presented !== undefined &&
      hmac != null
    );
  }
}

function toClient(row: ClientRow): Client {
  return {
    id: row.id ?? '',
    name: row.name,
    redirectUris: row.redirect_uris,
    scopes: row.scopes,
    grants: row.grants,
    public: row.public,
    requirePkce: row.require_pkce,
  };
}
