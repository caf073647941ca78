import type { Limits } from './form.js';

/** The parameters of `POST /oauth2/token` with their greatest lengths in characters. */
export const TOKEN_LIMITS = {
  grant_type: 2048,
  code: 2048,
  redirect_uri: 2048,
  code_verifier: 128,
  refresh_token: 2048,
  scope: 2048,
  client_id: 64,
  client_secret: 2048,
} satisfies Limits;

/** Those of `POST /oauth2/revoke` and `/oauth2/introspect`. */
export const STATUS_LIMITS = {
  token: 2048,
  token_type_hint: 2048,
  client_id: 64,
  client_secret: 2048,
} satisfies Limits;
