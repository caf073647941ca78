import type { INestApplicationContext } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { FindPrincipal, type Principal, type Scope } from '../auth/index.js';

/** How operators may name a credential. */
export const CREDENTIAL = 'ak_…, client:cl_… or client:cl_…/person:person_…';

/** A credential's id as it is stored, from how an operator names it. */
export function credentialId(named: string): string {
  return named.startsWith('ak_') ? `api-key:${named}` : named;
}

/** What a credential may do now. Throws when it has ended or lacks the scope. */
export async function inTheNameOf(
  app: INestApplicationContext,
  named: string,
  scope: Scope,
): Promise<Principal> {
  const id = credentialId(named);
  const principal = await app.get(QueryBus).execute(new FindPrincipal(id, scope));
  if (!principal) throw new Error(`there is no credential ${id} in force with the scope ${scope}`);
  return principal;
}
