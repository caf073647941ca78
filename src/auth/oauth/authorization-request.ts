import { isChallenge } from '../grants/pkce.js';
import { isRegistered } from '../grants/redirect-uri.js';
import { narrow } from '../grants/scope.js';
import type { Client } from './clients.js';
import type { Form } from './form.js';

/** The parameters of `GET /oauth2/authorize` with their greatest lengths in characters. */
export const AUTHORIZE_LIMITS = {
  client_id: 64,
  response_type: 2048,
  redirect_uri: 2048,
  scope: 2048,
  state: 2048,
  organization: 64,
  code_challenge: 2048,
  code_challenge_method: 2048,
  response_mode: 2048,
};

/** What a client asks a person for. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  /** Named in the request, so that it must be named at the token endpoint again. */
  readonly redirectGiven: boolean;
  readonly scopes: readonly string[];
  readonly state?: string;
  /** Farm to preselect. */
  readonly organization?: string;
  readonly challenge?: string;
}

/** Why a person is told, and no one redirected: nothing says where it is safe to send them. */
export type Unsafe = 'unknown-client' | 'unregistered-redirect';

type AuthorizeError =
  'invalid_request' | 'unauthorized_client' | 'unsupported_response_type' | 'invalid_scope' | 'access_denied';

export type ReadAuthorization =
  | { readonly outcome: 'ask'; readonly request: AuthorizationRequest }
  | { readonly outcome: 'unsafe'; readonly why: Unsafe }
  | {
      readonly outcome: 'redirect';
      readonly redirectUri: string;
      readonly error: AuthorizeError;
      readonly state?: string;
    };

/** Reads an authorization request of a registered client (RFC 6749 4.1.1, RFC 7636, RFC 9700). */
export function readAuthorization(form: Form, client: Client | undefined): ReadAuthorization {
  if (!client) return { outcome: 'unsafe', why: 'unknown-client' };
  const given = form.get('redirect_uri');
  const redirectUri = given ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : undefined);
  if (
    redirectUri === undefined ||
    form.faults.has('redirect_uri') ||
    !isRegistered(redirectUri, client.redirectUris)
  ) {
    return { outcome: 'unsafe', why: 'unregistered-redirect' };
  }
  const state = form.get('state');
  const error = findError(form, client);
  if (error) return { outcome: 'redirect', redirectUri, error, ...(state && { state }) };
  const [organization, challenge] = [form.get('organization'), form.get('code_challenge')];
  const request = {
    client,
    redirectUri,
    redirectGiven: given !== undefined,
    scopes: narrow(client.scopes, form.get('scope')) ?? [],
    ...(state && { state }),
    ...(organization && { organization }),
    ...(challenge && { challenge }),
  };
  return { outcome: 'ask', request };
}

function findError(form: Form, client: Client): AuthorizeError | undefined {
  const responseType = form.get('response_type');
  if (form.faults.size > 0 || responseType === undefined) return 'invalid_request';
  if (responseType !== 'code') return 'unsupported_response_type';
  if (!client.grants.includes('authorization_code')) return 'unauthorized_client';
  if ((form.get('response_mode') ?? 'query') !== 'query' || !isProofSound(form, client))
    return 'invalid_request';
  return narrow(client.scopes, form.get('scope')) ? undefined : 'invalid_scope';
}

/** S256 or nothing; and not nothing for a public client or one that was registered so. */
function isProofSound(form: Form, client: Client): boolean {
  const [challenge, method] = [form.get('code_challenge'), form.get('code_challenge_method')];
  if (challenge === undefined) return method === undefined && !client.public && !client.requirePkce;
  return method === 'S256' && isChallenge(challenge);
}

/** The redirect_uri with the answer added to its query, `iss` always among it (RFC 9207). */
export function answerUri(
  redirectUri: string,
  issuer: string,
  answer: Readonly<Record<string, string | undefined>>,
): string {
  const told = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams([...told, ['iss', issuer]]).toString();
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}
