import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Database } from '../../database/database.js';
import { hashOf, isSecret } from '../secret.js';

/** Of a token that is not in force, `active` alone (RFC 7662). */
export interface TokenDescription {
  readonly active: boolean;
  readonly scope?: string;
  readonly client_id?: string;
  readonly token_type?: 'Bearer';
  readonly sub?: string;
  readonly iss?: string;
  /** Unix seconds. */
  readonly exp?: number;
  readonly iat?: number;
}

interface TokenRow {
  readonly scopes: string[];
  readonly expires_at: Date;
  readonly issued_at: Date | null;
  readonly person_id: string;
}

const IN_FORCE = `
  JOIN oauth_family family ON family.id = token.family_id AND family.revoked_at IS NULL AND family.client_id = $2
  JOIN person ON person.id = family.person_id AND person.disabled_at IS NULL
  WHERE token.hash = $1 AND token.expires_at > now()`;

const ACCESS = `SELECT token.scopes, token.expires_at, token.issued_at, family.person_id FROM oauth_access token ${IN_FORCE}`;
const REFRESH = `SELECT family.scopes, token.expires_at, NULL AS issued_at, family.person_id FROM oauth_refresh token ${IN_FORCE}
  AND token.spent_at IS NULL`;

/** What RFC 7662 says of a token; of one that is not in force, or not the asking client's, nothing. */
@Injectable()
export class Introspection {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  async describe(clientId: string, token: string): Promise<TokenDescription> {
    const access = isSecret('access-token', token);
    if (!access && !isSecret('refresh-token', token)) return { active: false };
    const { rows } = await this.database.query<TokenRow>(access ? ACCESS : REFRESH, [
      hashOf(token),
      clientId,
    ]);
    const [found] = rows;
    if (!found) return { active: false };
    return {
      active: true,
      scope: found.scopes.join(' '),
      client_id: clientId,
      ...(access && { token_type: 'Bearer' }),
      sub: found.person_id,
      iss: this.config.publicUrl,
      exp: Math.floor(found.expires_at.getTime() / 1000),
      ...(found.issued_at && { iat: Math.floor(found.issued_at.getTime() / 1000) }),
    };
  }
}
