import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Person } from '../people/people.js';
import { ApplicationAuthorized, SecurityLog } from '../security-events.js';
import { hashOf, makeSecret } from '../secret.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { CODE_LIFETIME_MS } from './token-pair.js';

/** People's consent and the codes that carry it. */
@Injectable()
export class Authorizations {
  constructor(
    private readonly database: Database,
    private readonly log: SecurityLog,
  ) {}

  /**
   * Farms that the person allowed this client before, for all that it asks now: nobody needs to be asked again. Never of a
   * public client, which anybody can impersonate.
   */
  async remembered(
    person: Person,
    { client, scopes, organization }: AuthorizationRequest,
  ): Promise<readonly string[] | undefined> {
    if (client.public) return undefined;
    const { rows } = await this.database.query<{ farms: string[] }>(
      'SELECT farms FROM consent WHERE person_id = $1 AND client_id = $2 AND scopes @> $3',
      [person.id, client.id, scopes],
    );
    const farms = rows[0]?.farms.filter((farm) => person.farms.includes(farm)) ?? [];
    const enough = organization === undefined || farms.includes(organization);
    return farms.length > 0 && enough ? farms : undefined;
  }

  /** Answers a code, good for a minute, for a consent; one that was asked for just now is remembered. */
  async authorize(
    person: Person,
    request: AuthorizationRequest,
    farms: readonly string[],
    asked: boolean,
  ): Promise<string> {
    const { client, redirectUri, redirectGiven, scopes, challenge } = request;
    const code = makeSecret('code');
    const familyId = randomUUID();
    await this.database.transaction(async (tx) => {
      await tx.query({
        name: 'code-issue',
        text: `INSERT INTO oauth_code
                 (hash, family_id, client_id, person_id, redirect_uri, redirect_given, scopes, farms, challenge, expires_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10))`,
        values: [
          hashOf(code),
          familyId,
          client.id,
          person.id,
          redirectUri,
          redirectGiven,
          scopes,
          farms,
          challenge ?? null,
          CODE_LIFETIME_MS / 1000,
        ],
      });
      if (asked && !client.public) {
        await tx.query(
          `INSERT INTO consent (person_id, client_id, scopes, farms) VALUES ($1, $2, $3, $4)
           ON CONFLICT (person_id, client_id) DO UPDATE SET scopes = excluded.scopes, farms = excluded.farms, created_at = now()`,
          [person.id, client.id, scopes, farms],
        );
      }
      await this.log.note(tx, new ApplicationAuthorized(client.id, person.id, familyId, scopes, farms));
    });
    return code;
  }
}
