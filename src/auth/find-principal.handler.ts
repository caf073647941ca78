import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Database } from '../database/database.js';
import { FindPrincipal, FindReaching } from './messages.js';
import { intersect, type Principal, type Scope } from './principal.js';

const API_KEY = /^api-key:(ak_[\w-]+)$/;
const GRANT = /^client:(cl_[\w-]+)(?:\/person:(person_[\w-]+))?$/;

/** Grants of a scope ($1) that could still be used: neither ended nor left without a token. */
const GRANTS = `oauth_family family
  JOIN oauth_client client ON client.id = family.client_id AND client.disabled_at IS NULL
  JOIN person ON person.id = family.person_id AND person.disabled_at IS NULL
  LEFT JOIN person_farm ON person_farm.person_id = family.person_id AND person_farm.farm_id = ANY (family.farms)
  WHERE $1 = ANY (family.scopes) AND family.revoked_at IS NULL AND family.expires_at > now()
    AND (EXISTS (SELECT FROM oauth_refresh WHERE family_id = family.id AND spent_at IS NULL AND expires_at > now())
      OR EXISTS (SELECT FROM oauth_access WHERE family_id = family.id AND expires_at > now()))`;

/** What a credential that was noted by its id allows now, when nobody presents it. */
@QueryHandler(FindPrincipal)
export class FindPrincipalHandler implements IQueryHandler<FindPrincipal> {
  constructor(private readonly database: Database) {}

  async execute({ id, scope }: FindPrincipal): Promise<Principal | undefined> {
    const found = await Promise.all(partsOf(id).map((part) => this.find(part, scope)));
    return found.reduce((all, one) => all && one && intersect(all, one));
  }

  private async find(id: string, scope: Scope): Promise<Principal | undefined> {
    const farms = await this.farms(id, scope);
    return farms && { id, scopes: new Set([scope]), farms };
  }

  private async farms(id: string, scope: Scope): Promise<Principal['farms'] | undefined> {
    const key = API_KEY.exec(id)?.[1];
    if (key !== undefined) return this.farmsOfKey(key, scope);
    const [, client, person] = GRANT.exec(id) ?? [];
    return client === undefined ? undefined : this.farmsGranted(client, person, scope);
  }

  private async farmsOfKey(key: string, scope: Scope): Promise<Principal['farms'] | undefined> {
    const { rows } = await this.database.query<{ farms: string[] | null }>({
      name: 'standing-api-key',
      text: 'SELECT farms FROM api_key WHERE id = $1 AND revoked_at IS NULL AND $2 = ANY (scopes)',
      values: [key, scope],
    });
    return rows[0] && (rows[0].farms ? new Set(rows[0].farms) : 'all');
  }

  private async farmsGranted(
    client: string,
    person: string | undefined,
    scope: Scope,
  ): Promise<Principal['farms'] | undefined> {
    const { rows } = await this.database.query<{ farm_id: string | null }>({
      name: 'standing-grant',
      text: `SELECT DISTINCT person_farm.farm_id FROM ${GRANTS}
             AND family.client_id = $2 AND ($3::text IS NULL OR family.person_id = $3)`,
      values: [scope, client, person ?? null],
    });
    if (rows.length === 0) return undefined;
    return new Set(rows.flatMap(({ farm_id }) => farm_id ?? []));
  }
}

/** The same for many credentials and one farm, in two statements. */
@QueryHandler(FindReaching)
export class FindReachingHandler implements IQueryHandler<FindReaching> {
  constructor(private readonly database: Database) {}

  async execute({ ids, farmId, scope }: FindReaching): Promise<ReadonlySet<string>> {
    const parts = [...new Set(ids.flatMap(partsOf))];
    const [keys, grants] = await Promise.all([
      this.keys(parts, farmId, scope),
      this.grants(parts, farmId, scope),
    ]);
    const reaching = keys.union(grants);
    return new Set(ids.filter((id) => partsOf(id).every((part) => reaching.has(part))));
  }

  private async keys(parts: readonly string[], farmId: string, scope: Scope): Promise<Set<string>> {
    const ids = parts.flatMap((part) => API_KEY.exec(part)?.[1] ?? []);
    if (ids.length === 0) return new Set();
    const { rows } = await this.database.query<{ id: string }>({
      name: 'reaching-api-keys',
      text: `SELECT id FROM api_key WHERE id = ANY ($1) AND revoked_at IS NULL AND $2 = ANY (scopes)
               AND (farms IS NULL OR $3 = ANY (farms))`,
      values: [ids, scope, farmId],
    });
    return new Set(rows.map(({ id }) => `api-key:${id}`));
  }

  private async grants(parts: readonly string[], farmId: string, scope: Scope): Promise<Set<string>> {
    const clients = parts.flatMap((part) => GRANT.exec(part)?.[1] ?? []);
    if (clients.length === 0) return new Set();
    const { rows } = await this.database.query<{ client_id: string; person_id: string }>({
      name: 'reaching-grants',
      text: `SELECT family.client_id, family.person_id FROM ${GRANTS}
             AND family.client_id = ANY ($2) AND person_farm.farm_id = $3`,
      values: [scope, clients, farmId],
    });
    return new Set(
      rows.flatMap(({ client_id, person_id }) => [
        `client:${client_id}`,
        `client:${client_id}/person:${person_id}`,
      ]),
    );
  }
}

/** Two credentials sent together are named together. */
function partsOf(id: string): string[] {
  return id.split('+');
}
