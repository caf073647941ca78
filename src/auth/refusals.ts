import { Problem } from '../operations/problem.js';
import type { ProblemSlug } from '../operations/problem-pages.js';
import type { Principal, Scope } from './principal.js';

const CHALLENGE = 'Bearer realm="muster"';

/** 401: nothing was sent that says who calls (RFC 6750 3.1: such a challenge names no error). */
export function noCredential(): Problem {
  return refusal(
    'no-credential',
    'Send an access token as a Bearer token, or an API key as x-api-key.',
    CHALLENGE,
  );
}

/** 401: what was sent is unknown, expired, revoked or not well-formed. Clients refresh at this. */
export function badCredential(): Problem {
  return refusal(
    'invalid-credential',
    'The access token or API key is unknown, expired or revoked.',
    `${CHALLENGE}, error="invalid_token", error_description="The credential is not valid"`,
  );
}

/** 400: a credential was sent twice. */
export function doubledCredential(): Problem {
  return refusal(
    'doubled-credential',
    'Send one Authorization header and one x-api-key header at most.',
    `${CHALLENGE}, error="invalid_request", error_description="A credential was sent twice"`,
  );
}

/** 403: valid, but not for this. */
export function insufficientScope(scope: Scope): Problem {
  return refusal(
    'insufficient-scope',
    `The scope ${scope} is needed.`,
    `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`,
  );
}

function refusal(slug: ProblemSlug, detail: string, challenge: string): Problem {
  return new Problem(slug, detail, { headers: { 'WWW-Authenticate': challenge } });
}

/** For an operation that needs a second scope: refuses a caller without it. */
export function requireScope({ scopes }: Principal, scope: Scope): void {
  if (!scopes.has(scope)) throw insufficientScope(scope);
}
