import { invalidRequest } from './oauth-error.js';
import { decode, type Form } from './form.js';

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** What a client says it is. A client that is public has no secret. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly secret?: string;
}

/**
 * Finds a client's credentials: HTTP Basic, or `client_id` and `client_secret` in the form. Basic with an equal client_id
 * in the form is fine. Throws invalid_request for two mechanisms or two identities. Answers undefined when what was sent
 * cannot be credentials.
 */
export function readClientCredentials(
  authorization: readonly string[],
  form: Form,
): ClientCredentials | undefined {
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')];
  if (authorization.length > 1) throw invalidRequest('Authorization was sent more than once.');
  const [header] = authorization;
  if (header === undefined)
    return clientId === undefined ? undefined : { clientId, ...(secret && { secret }) };
  if (secret !== undefined && /^basic\b/i.test(header)) throw twoMechanisms();
  const basic = parseBasic(header);
  if (basic && clientId !== undefined && clientId !== basic.clientId)
    throw invalidRequest('Two different clients are named.');
  return basic;
}

/** `Basic` with strict base64 of `id:secret`, both perhaps form-encoded (RFC 6749 2.3.1) and in UTF-8. */
function parseBasic(header: string): Required<ClientCredentials> | undefined {
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return undefined;
  const pair = bytes.toString('latin1');
  const colon = pair.indexOf(':');
  const [clientId, secret] = colon < 0 ? [] : [decode(pair.slice(0, colon)), decode(pair.slice(colon + 1))];
  return clientId && secret ? { clientId, secret } : undefined;
}

function twoMechanisms() {
  return invalidRequest('The client authenticates in two ways at once.');
}
