import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Database } from '../../database/database.js';
import { mayRegister } from '../grants/redirect-uri.js';
import {
  DisableClient,
  NotAcceptable,
  NotPossible,
  RegisterClient,
  type RegisteredClient,
  RotateClientSecret,
} from '../messages.js';
import { type PepperedSecret, Peppers } from '../peppers.js';
import { announce } from '../revocations.js';
import { readScopes } from '../scopes.js';
import { makeId, makeSecret } from '../secret.js';

const GRANTS = ['authorization_code', 'refresh_token'];

@CommandHandler(RegisterClient)
export class RegisterClientHandler implements ICommandHandler<RegisterClient> {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
  ) {}

  async execute(command: RegisterClient): Promise<RegisteredClient> {
    check(command);
    const { name, redirectUris, scopes, grants, isPublic, requirePkce } = command;
    const clientId = makeId('cl');
    const clientSecret = isPublic ? undefined : makeSecret('client-secret');
    const sealed = clientSecret === undefined ? undefined : await seal(this.peppers, clientSecret);
    await this.database.query(
      `INSERT INTO oauth_client (id, name, redirect_uris, scopes, grants, public, require_pkce, secret_hmac, secret_pepper)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        clientId,
        name,
        redirectUris,
        readScopes(scopes),
        grants,
        isPublic,
        requirePkce || isPublic,
        sealed?.hmac,
        sealed?.pepper,
      ],
    );
    return { clientId, ...(clientSecret && { clientSecret }) };
  }
}

@CommandHandler(RotateClientSecret)
export class RotateClientSecretHandler implements ICommandHandler<RotateClientSecret> {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
  ) {}

  async execute({ clientId, overlapSeconds }: RotateClientSecret): Promise<Required<RegisteredClient>> {
    const clientSecret = makeSecret('client-secret');
    const { hmac, pepper } = await seal(this.peppers, clientSecret);
    const { rowCount } = await this.database.query(
      `UPDATE oauth_client SET previous_hmac = secret_hmac, previous_pepper = secret_pepper,
              previous_until = now() + make_interval(secs => $2), secret_hmac = $3, secret_pepper = $4
       WHERE id = $1 AND NOT public AND disabled_at IS NULL`,
      [clientId, overlapSeconds, hmac, pepper],
    );
    if (rowCount === 0) throw new NotPossible(`there is no client ${clientId} with a secret`);
    return { clientId, clientSecret };
  }
}

@CommandHandler(DisableClient)
export class DisableClientHandler implements ICommandHandler<DisableClient> {
  constructor(private readonly database: Database) {}

  execute({ clientId }: DisableClient): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const { rowCount } = await tx.query(
        'UPDATE oauth_client SET disabled_at = now() WHERE id = $1 AND disabled_at IS NULL',
        [clientId],
      );
      await announce(tx, `client:${clientId}`);
      return rowCount === 1;
    });
  }
}

function check({ name, redirectUris, grants }: RegisterClient): void {
  if (name.trim() === '' || name.length > 100)
    throw new NotAcceptable('a client needs a name of up to 100 characters');
  if (redirectUris.length === 0) throw new NotAcceptable('a client needs an address to return to');
  const unsafe = redirectUris.find((uri) => !mayRegister(uri));
  if (unsafe !== undefined) {
    throw new NotAcceptable(
      `${unsafe} cannot be returned to: use https, http on loopback, or a scheme such as au.example.app:/, without a fragment`,
    );
  }
  const unknown = grants.find((grant) => !GRANTS.includes(grant));
  if (unknown !== undefined || grants.length === 0)
    throw new NotAcceptable(`the grants are ${GRANTS.join(' and ')}`);
}

async function seal(peppers: Peppers, secret: string): Promise<PepperedSecret> {
  const sealed = await peppers.seal(secret);
  if (!sealed) throw new Error('there is no pepper');
  return sealed;
}
