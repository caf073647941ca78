import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Database } from '../database/database.js';
import type { CheckedCredential } from './credential-cache.js';
import {
  type ApiKey,
  CreateApiKey,
  type IssuedApiKey,
  ListApiKeys,
  NotAcceptable,
  RevokeApiKey,
} from './messages.js';
import type { Scope } from './principal.js';
import { announce } from './revocations.js';
import { readScopes } from './scopes.js';
import { hashOf, isSecret, makeId, makeSecret } from './secret.js';

interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: Scope[];
  readonly farms: string[] | null;
  readonly created_at: Date;
  readonly revoked_at: Date | null;
}

/** What a key in force allows; undefined for anything else. */
@Injectable()
export class ApiKeys {
  constructor(private readonly database: Database) {}

  async check(key: string): Promise<CheckedCredential | undefined> {
    if (!isSecret('api-key', key)) return undefined;
    const { rows } = await this.database.query<ApiKeyRow>({
      name: 'api-key-check',
      text: 'SELECT id, scopes, farms FROM api_key WHERE hash = $1 AND revoked_at IS NULL',
      values: [hashOf(key)],
    });
    const row = rows[0];
    if (!row) return undefined;
    const name = `api-key:${row.id}`;
    const principal = {
      id: name,
      scopes: new Set(row.scopes),
      farms: row.farms ? new Set(row.farms) : ('all' as const),
    };
    return { principal, endedBy: [name] };
  }
}

@CommandHandler(CreateApiKey)
export class CreateApiKeyHandler implements ICommandHandler<CreateApiKey> {
  constructor(private readonly database: Database) {}

  async execute({ name, scopes, farms }: CreateApiKey): Promise<IssuedApiKey> {
    if (name.trim() === '') throw new NotAcceptable('a key needs a name');
    if (farms !== 'all' && (farms.length === 0 || farms.includes('')))
      throw new NotAcceptable('a key needs a farm that it reaches');
    const issued = { id: makeId('ak'), apiKey: makeSecret('api-key') };
    await this.database.query(
      'INSERT INTO api_key (id, name, hash, scopes, farms) VALUES ($1, $2, $3, $4, $5)',
      [
        issued.id,
        name,
        hashOf(issued.apiKey),
        readScopes(scopes),
        farms === 'all' ? null : [...new Set(farms)],
      ],
    );
    return issued;
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(private readonly database: Database) {}

  execute({ id }: RevokeApiKey): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const { rowCount } = await tx.query(
        'UPDATE api_key SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL',
        [id],
      );
      await announce(tx, `api-key:${id}`);
      return rowCount === 1;
    });
  }
}

@QueryHandler(ListApiKeys)
export class ListApiKeysHandler implements IQueryHandler<ListApiKeys> {
  constructor(private readonly database: Database) {}

  async execute(): Promise<readonly ApiKey[]> {
    const { rows } = await this.database.query<ApiKeyRow>(
      'SELECT id, name, scopes, farms, created_at, revoked_at FROM api_key ORDER BY created_at DESC, id',
    );
    return rows.map(({ id, name, scopes, farms, created_at: createdAt, revoked_at: revokedAt }) => ({
      id,
      name,
      scopes,
      farms: farms ?? 'all',
      createdAt,
      ...(revokedAt && { revokedAt }),
    }));
  }
}
