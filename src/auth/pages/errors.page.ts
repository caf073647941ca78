import { html } from '../../operations/html.js';
import type { Page } from './page.js';

const ERRORS: Readonly<Record<string, string>> = {
  invalid_request:
    'The request is not well-formed: a parameter is missing, repeated, too long or badly encoded, the content type is not application/x-www-form-urlencoded in UTF-8, or the client authenticates in two ways at once. Correct the request; sending it again as it is does not help.',
  invalid_client:
    'The client did not authenticate: it is unknown or disabled, its secret is wrong or has expired, or nothing was sent. Send HTTP Basic with the client id and the secret.',
  invalid_grant:
    'The code or refresh token cannot be exchanged: it is unknown, expired, used before, revoked, or was issued to another client, redirect_uri or code challenge. Send the person through the authorization page again.',
  unauthorized_client: 'The client is not registered for this grant type.',
  unsupported_grant_type: 'The grant types are authorization_code and refresh_token.',
  unsupported_response_type: 'The one response type is code.',
  invalid_scope:
    'The scope is malformed, unknown, or goes beyond what the client is registered for or what was granted.',
  access_denied: 'The person did not allow the access.',
  temporarily_unavailable:
    'The service cannot answer just now, or there were too many failed attempts. Wait for the seconds in Retry-After, then try again.',
  server_error: 'The service failed to answer. The failure has been logged; trying again later may help.',
};

/** What `error_uri` points to. */
export function errorsPage(): Page {
  const entries = Object.entries(ERRORS);
  return {
    title: 'OAuth errors',
    wide: true,
    body: html`<h1>OAuth errors</h1>
      <p class="soft">
        What the error codes of the authorization server mean for an application, and what to do.
      </p>
      ${entries.map(
        ([error, text]) =>
          html`<article id="${error}">
            <h2><code>${error}</code></h2>
            <p>${text}</p>
          </article>`,
      )}`,
  };
}
