import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database/database.js';
import { announce } from '../revocations.js';
import { AccessRevoked, SecurityLog } from '../security-events.js';
import { hashOf, isSecret } from '../secret.js';

interface FamilyRow {
  readonly id: string;
  readonly client_id: string;
  readonly person_id: string;
}

/** Ends access before its time: in this process when it returns, in the others within a moment. */
@Injectable()
export class AccessRevocation {
  constructor(
    private readonly database: Database,
    private readonly log: SecurityLog,
  ) {}

  /** By the client (RFC 7009): an access token alone, a refresh token with its family. Another client's token is left alone. */
  async revokeToken(clientId: string, token: string): Promise<void> {
    if (isSecret('access-token', token)) await this.revokeAccessToken(clientId, hashOf(token));
    if (isSecret('refresh-token', token)) await this.revokeFamilyOf(clientId, hashOf(token));
  }

  /** By the person: everything that a client holds of theirs, codes on their way included, and the memory of their consent. */
  async withdraw(personId: string, clientId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query('DELETE FROM consent WHERE person_id = $1 AND client_id = $2', [personId, clientId]);
      await tx.query(
        'UPDATE oauth_code SET consumed_at = now() WHERE person_id = $1 AND client_id = $2 AND consumed_at IS NULL',
        [personId, clientId],
      );
      const { rows } = await tx.query<FamilyRow>(
        `SELECT id FROM oauth_family WHERE person_id = $1 AND client_id = $2 AND revoked_at IS NULL ORDER BY id FOR UPDATE`,
        [personId, clientId],
      );
      const families = rows.map(({ id }) => id);
      await revokeFamilies(tx, families);
      if (families.length > 0)
        await this.log.note(tx, new AccessRevoked(clientId, personId, 'person', families));
    });
  }

  private async revokeAccessToken(clientId: string, hash: Buffer): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { rows } = await tx.query<FamilyRow>(
        `DELETE FROM oauth_access USING oauth_family family
         WHERE hash = $1 AND family.id = family_id AND family.client_id = $2
         RETURNING family.id, family.client_id, family.person_id`,
        [hash, clientId],
      );
      if (!rows[0]) return;
      await announce(tx, `access:${hash.toString('hex')}`);
      await this.log.note(tx, new AccessRevoked(clientId, rows[0].person_id, 'client', []));
    });
  }

  private async revokeFamilyOf(clientId: string, hash: Buffer): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { rows } = await tx.query<FamilyRow>(
        `SELECT id, client_id, person_id FROM oauth_family
         WHERE id = (SELECT family_id FROM oauth_refresh WHERE hash = $1) AND client_id = $2 AND revoked_at IS NULL FOR UPDATE`,
        [hash, clientId],
      );
      const [found] = rows;
      if (!found) return;
      await revokeFamilies(tx, [found.id]);
      await this.log.note(tx, new AccessRevoked(clientId, found.person_id, 'client', [found.id]));
    });
  }
}

async function revokeFamilies(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query('UPDATE oauth_family SET revoked_at = now() WHERE id = ANY ($1)', [ids]);
  for (const id of ids) await announce(tx, `family:${id}`);
}
