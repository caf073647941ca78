import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** A client that has access on behalf of a person. */
export interface ConnectedApplication {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly farms: readonly string[];
  readonly since: Date;
}

interface Row {
  readonly client_id: string;
  readonly name: string;
  readonly scopes: string[];
  readonly farms: string[];
  readonly since: Date;
}

/** What has access at this moment. */
@Injectable()
export class ConnectedApplications {
  constructor(private readonly database: Database) {}

  async of(personId: string): Promise<ConnectedApplication[]> {
    const { rows } = await this.database.query<Row>(
      `SELECT family.client_id, client.name, min(family.created_at) AS since,
              array_agg(DISTINCT scope ORDER BY scope) AS scopes, array_agg(DISTINCT farm ORDER BY farm) AS farms
       FROM oauth_family family
       JOIN oauth_client client ON client.id = family.client_id AND client.disabled_at IS NULL
       CROSS JOIN unnest(family.scopes) AS scope CROSS JOIN unnest(family.farms) AS farm
       WHERE family.person_id = $1 AND family.revoked_at IS NULL AND family.expires_at > now()
         AND (EXISTS (SELECT FROM oauth_access token WHERE token.family_id = family.id AND token.expires_at > now())
           OR EXISTS (SELECT FROM oauth_refresh token
                      WHERE token.family_id = family.id AND token.spent_at IS NULL AND token.expires_at > now()))
       GROUP BY family.client_id, client.name ORDER BY client.name, family.client_id`,
      [personId],
    );
    return rows.map(({ client_id: clientId, ...rest }) => ({ clientId, ...rest }));
  }
}
