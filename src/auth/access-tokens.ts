import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { AccessTokenCheck } from './bearer.strategy.js';
import type { CheckedCredential } from './credential-cache.js';
import type { Scope } from './principal.js';
import { hashOf, isSecret } from './secret.js';

interface AccessRow {
  readonly scopes: Scope[];
  readonly expires_at: Date;
  readonly family_id: string;
  readonly client_id: string;
  readonly person_id: string;
  readonly farms: string[];
}

/** In force: neither the token nor its family, client or person has ended; of the farms consented to, those the person still has. */
const CHECK = `
  SELECT access.scopes, access.expires_at, family.id AS family_id, family.client_id, family.person_id,
         ARRAY(SELECT person_farm.farm_id FROM person_farm
               WHERE person_farm.person_id = family.person_id AND person_farm.farm_id = ANY (family.farms)) AS farms
  FROM oauth_access access
  JOIN oauth_family family ON family.id = access.family_id AND family.revoked_at IS NULL
  JOIN oauth_client client ON client.id = family.client_id AND client.disabled_at IS NULL
  JOIN person ON person.id = family.person_id AND person.disabled_at IS NULL
  WHERE access.hash = $1 AND access.expires_at > now()`;

/** What access tokens allow: a person's grant to a client. */
@Injectable()
export class AccessTokens implements AccessTokenCheck {
  constructor(private readonly database: Database) {}

  async check(token: string): Promise<CheckedCredential | undefined> {
    if (!isSecret('access-token', token)) return undefined;
    const hash = hashOf(token);
    const { rows } = await this.database.query<AccessRow>({
      name: 'access-token-check',
      text: CHECK,
      values: [hash],
    });
    const row = rows[0];
    return row && credentialOf(row, hash);
  }
}

function credentialOf(
  { scopes, farms, expires_at, family_id, client_id, person_id }: AccessRow,
  hash: Buffer,
): CheckedCredential {
  return {
    principal: {
      id: `client:${client_id}/person:${person_id}`,
      scopes: new Set(scopes),
      farms: new Set(farms),
    },
    endedBy: [
      `access:${hash.toString('hex')}`,
      `family:${family_id}`,
      `client:${client_id}`,
      `person:${person_id}`,
    ],
    expiresAt: expires_at.getTime(),
  };
}
