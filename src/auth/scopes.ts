import { NotAcceptable } from './messages.js';
import { type Scope, SCOPES } from './principal.js';

/** The scopes of an operator's command. Throws NotAcceptable naming what there is. */
export function readScopes(given: readonly string[]): Scope[] {
  const known = SCOPES.filter((scope) => given.includes(scope));
  const unknown = given.filter((scope) => !SCOPES.includes(scope as Scope));
  if (unknown.length > 0) {
    throw new NotAcceptable(`there is no scope ${unknown.join(', ')}; there are ${SCOPES.join(', ')}`);
  }
  if (known.length === 0) throw new NotAcceptable(`at least one scope is needed: ${SCOPES.join(', ')}`);
  return known;
}
