import type { RefusalReason } from '../grants/refusal.js';

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'server_error';

/** A refusal on its way to a client application. The texts are fixed and plain ASCII: nothing a caller sent comes back. */
export class OAuthError extends Error {
  constructor(
    readonly error: OAuthErrorCode,
    readonly description: string,
    readonly status = 400,
    readonly headers: Readonly<Record<string, string>> = {},
    /** The exact reason, for counts; never told to the caller. */
    readonly reason: string = error,
  ) {
    super(description);
  }
}

export const invalidRequest = (description: string) => new OAuthError('invalid_request', description);

export const bodyTooLarge = () => new OAuthError('invalid_request', 'The body is larger than 64 KiB.', 413);

export const nothingHere = () => new OAuthError('invalid_request', 'There is nothing at this address.', 404);

export const wrongMethod = (Allow: string) =>
  new OAuthError('invalid_request', 'The method is not allowed here.', 405, { Allow });

/** The same words for a client nobody registered and for a secret that is wrong. */
export const invalidClient = () =>
  new OAuthError('invalid_client', 'Client authentication failed.', 401, {
    'WWW-Authenticate': 'Basic realm="oauth2", charset="UTF-8"',
  });

export const invalidGrant = (reason: RefusalReason) =>
  new OAuthError(
    'invalid_grant',
    'The code or refresh token is unknown, expired, used, revoked or not for this client.',
    400,
    {},
    reason,
  );

export const invalidScope = (reason: RefusalReason) =>
  new OAuthError(
    'invalid_scope',
    'The scope is malformed, unknown or wider than what was granted.',
    400,
    {},
    reason,
  );

export const tooManyFailures = (retryAfterSeconds: number) =>
  new OAuthError('temporarily_unavailable', 'Too many failed attempts; wait before the next one.', 429, {
    'Retry-After': String(retryAfterSeconds),
  });

export const tooManyRequests = (retryAfterSeconds: number) =>
  new OAuthError(
    'temporarily_unavailable',
    'Too many requests of this client; wait before the next one.',
    429,
    {
      'Retry-After': String(retryAfterSeconds),
    },
  );

export const unavailable = () =>
  new OAuthError('temporarily_unavailable', 'The service cannot answer just now; try again.', 503, {
    'Retry-After': '5',
  });

export const serverError = () =>
  new OAuthError('server_error', 'The service failed to answer; the failure has been logged.', 500);
