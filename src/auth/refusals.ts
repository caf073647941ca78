import { Problem } from '../operations/problem.js';
import type { Scope } from './principal.js';

const CHALLENGE = 'Bearer realm="muster"';

/** 401: nothing was sent that says who calls (RFC 6750 3.1: such a challenge names no error). */
export function noCredential(): Problem {
  return unauthorized(
    'unauthenticated',
    'A credential is needed',
    'Send an access token as a Bearer token, or an API key as x-api-key.',
    CHALLENGE,
  );
}

/** 401: what was sent is unknown, expired, revoked or not well-formed. Clients refresh at this. */
export function badCredential(): Problem {
  const challenge = `${CHALLENGE}, error="invalid_token", error_description="The credential is not valid"`;
  return unauthorized(
    'unauthenticated',
    'The credential is not valid',
    'The access token or API key is unknown, expired or revoked.',
    challenge,
  );
}

/** 400: a credential was sent twice. */
export function doubledCredential(): Problem {
  const headers = {
    'WWW-Authenticate': `${CHALLENGE}, error="invalid_request", error_description="A credential was sent twice"`,
  };
  return new Problem(
    'bad-request',
    400,
    'A credential was sent twice',
    'Send one Authorization header and one x-api-key header at most.',
    { headers },
  );
}

/** 403: valid, but not for this. */
export function insufficientScope(scope: Scope): Problem {
  const headers = { 'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` };
  return new Problem(
    'insufficient-scope',
    403,
    'The credential does not allow this',
    `The scope ${scope} is needed.`,
    { headers },
  );
}

function unauthorized(slug: string, title: string, detail: string, challenge: string): Problem {
  return new Problem(slug, 401, title, detail, { headers: { 'WWW-Authenticate': challenge } });
}
