import {
  type Answer,
  type Content,
  EXAMPLE_URL,
  header,
  json,
  type OperationDescription,
  type Parameter,
  queryParameter,
  type RequestBody,
  type Tag,
} from '../../operations/describe.js';
import { NO_STORE, PUBLIC } from '../../operations/described-parts.js';
import { ERROR_PAGES } from '../../operations/operations.description.js';
import { address, flag, list, named, object, optional, text, whole } from '../../operations/schema.js';
import { pageAnswer, seeOther, waitPage } from '../pages/pages.description.js';
import { SCOPES } from '../principal.js';
import { AUTHORIZE_LIMITS } from './authorization-request.js';
import type { Limits } from './form.js';
import { STATUS_LIMITS, TOKEN_LIMITS } from './limits.js';
import type { TokenDescription } from './introspection.js';
import { ERRORS_PATH } from './oauth-answer.js';
import {
  invalidClient,
  invalidGrant,
  invalidRequest,
  type OAuthError,
  serverError,
  tooManyFailures,
  unavailable,
  bodyTooLarge,
} from './oauth-error.js';
import { metadataOf, type ServerMetadata } from './server-metadata.js';
import type { TokenAnswer } from './token-pair.js';

const AUTHORIZATION: Tag = {
  name: 'Authorization',
  description: 'The authorization server (OAuth 2.0): a person allows an application to act for them.',
};

const NO_CACHE = header('NotCached', 'Not to be cached.', { type: 'string', const: 'no-cache' }, 'no-cache');
const KEPT_BY_NOBODY = { 'Cache-Control': NO_STORE, Pragma: NO_CACHE };

interface OAuthRefusal {
  error: string;
  error_description: string;
  error_uri: string;
}

const OAUTH_ERROR = named(
  'OAuthError',
  object<OAuthRefusal>(
    {
      error: text('The kind of error (RFC 6749).', { maxLength: 64 }),
      error_description: text('The same in words.', { maxLength: 200 }),
      error_uri: address('A page about it.'),
    },
    { description: 'Why the authorization server refused.' },
  ),
);

const RETRY_AFTER = header(
  'OAuthRetryAfter',
  'Seconds to wait before the next request.',
  { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
  300,
);

const BASIC_CHALLENGE = header(
  'BasicChallenge',
  'How a client authenticates.',
  { type: 'string', maxLength: 128 },
  'Basic realm="oauth2", charset="UTF-8"',
);

function refusal(description: string, { error, description: words }: OAuthError): Answer {
  return {
    description,
    headers: KEPT_BY_NOBODY,
    content: json(OAUTH_ERROR, {
      error,
      error_description: words,
      error_uri: `${EXAMPLE_URL}${ERRORS_PATH}#${error}`,
    }),
  };
}

const FAILURES: Readonly<Record<number, Answer>> = {
  500: refusal('`server_error`: the service failed; the failure is logged.', serverError()),
  503: {
    ...refusal('`temporarily_unavailable`: nothing was done; try again.', unavailable()),
    headers: { ...KEPT_BY_NOBODY, 'Retry-After': RETRY_AFTER },
  },
};

/** How every endpoint of client applications refuses. */
function refusals(more: Readonly<Record<number, Answer>> = {}): Readonly<Record<number, Answer>> {
  return {
    400: refusal(
      '`invalid_request`: the form is not well-formed.',
      invalidRequest('A parameter is repeated.'),
    ),
    401: {
      ...refusal('`invalid_client`: the client did not authenticate.', invalidClient()),
      headers: { ...KEPT_BY_NOBODY, 'WWW-Authenticate': BASIC_CHALLENGE },
    },
    413: refusal('`invalid_request`: the body is larger than 64 KiB.', bodyTooLarge()),
    429: {
      ...refusal('`temporarily_unavailable`: too many failed attempts.', tooManyFailures(300)),
      headers: { ...KEPT_BY_NOBODY, 'Retry-After': RETRY_AFTER },
    },
    ...FAILURES,
    ...more,
  };
}

/** The schema of a form: unknown parameters are ignored, those of no value are as if absent. */
function form(
  limits: Limits,
  words: Readonly<Record<string, string>>,
  required: readonly string[],
): Content['schema'] {
  return {
    type: 'object',
    description: 'A form in UTF-8; no parameter twice.',
    required,
    properties: Object.fromEntries(
      Object.entries(limits).map(([name, maxLength]) => [name, text(words[name] ?? name, { maxLength })]),
    ),
  };
}

const CLIENT_WORDS = {
  client_id: 'Instead of HTTP Basic: the id of the client. A public client sends it alone.',
  client_secret: 'Instead of HTTP Basic: the secret. Basic is better.',
};

function formBody(schema: Content['schema'], example: object, description: string): RequestBody {
  return {
    description,
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema, example } },
  };
}

const CLIENT_SECURITY = [{ client: [] }, {}];

const TOKENS = named(
  'Tokens',
  object<TokenAnswer>(
    {
      access_token: text('Sent as `Authorization: Bearer …`.', { maxLength: 2048 }),
      token_type: { type: 'string', const: 'Bearer', description: 'How the access token is sent.' },
      expires_in: whole('Seconds that the access token lives.', { format: 'int32' }),
      refresh_token: optional(
        text('Used once for the next tokens; absent when the client may not refresh.', { maxLength: 2048 }),
      ),
      scope: text('What the access token allows, space-separated.', { maxLength: 2048 }),
    },
    { description: 'Fresh tokens.' },
  ),
);

export const requestTokens: OperationDescription = {
  id: 'requestTokens',
  tag: AUTHORIZATION,
  summary: 'Exchange a code or refresh token for tokens',
  description: `With \`grant_type=authorization_code\` the \`code\` that came to the redirect URI is exchanged, once and within 60 seconds. With \`grant_type=refresh_token\` a refresh token is, once: its successor comes with the answer. The same one again within ten seconds gets the same successor; later it ends the whole grant.`,
  security: CLIENT_SECURITY,
  refuses: 'itself',
  body: formBody(
    form(
      TOKEN_LIMITS,
      {
        ...CLIENT_WORDS,
        grant_type: '`authorization_code` or `refresh_token`.',
        code: 'The code, for `authorization_code`.',
        redirect_uri: 'The redirect URI of the authorization request, when one was given there.',
        code_verifier: 'The verifier of the code challenge (RFC 7636).',
        refresh_token: 'The refresh token, for `refresh_token`.',
        scope: 'A part of what was granted, for `refresh_token`.',
      },
      ['grant_type'],
    ),
    { grant_type: 'authorization_code', code: 'mc_…', redirect_uri: 'https://app.example/callback' },
    'The grant.',
  ),
  answers: {
    200: {
      description: 'The tokens.',
      headers: KEPT_BY_NOBODY,
      content: json(TOKENS, {
        access_token: 'ma_…',
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: 'mr_…',
        scope: 'read:reports write:reports',
      }),
    },
    ...refusals({
      400: refusal(
        '`invalid_request`, `invalid_grant`, `invalid_scope`, `unauthorized_client` or `unsupported_grant_type`.',
        invalidGrant('unknown'),
      ),
    }),
  },
};

const TOKEN_FORM = formBody(
  form(
    STATUS_LIMITS,
    {
      ...CLIENT_WORDS,
      token: 'An access or refresh token.',
      token_type_hint: 'Ignored: a token says itself what it is.',
    },
    ['token'],
  ),
  { token: 'mr_…' },
  'The token.',
);

export const revokeToken: OperationDescription = {
  id: 'revokeToken',
  tag: AUTHORIZATION,
  summary: 'Revoke a token',
  description:
    'Ends a token at once (RFC 7009); a refresh token takes its whole grant along. Unknown tokens and those of other clients are left alone, and answered the same.',
  security: CLIENT_SECURITY,
  refuses: 'itself',
  body: TOKEN_FORM,
  answers: {
    200: {
      description: 'The token is not in force.',
      headers: KEPT_BY_NOBODY,
      content: json(object({}, { description: 'Nothing.' }), {}),
    },
    ...refusals(),
  },
};

export const introspectToken: OperationDescription = {
  id: 'introspectToken',
  tag: AUTHORIZATION,
  summary: 'Ask about a token',
  description: 'Whether a token of the client is in force, and what it allows (RFC 7662).',
  security: [{ client: [] }],
  refuses: 'itself',
  body: TOKEN_FORM,
  answers: {
    200: {
      description: 'What the token is; of one that is not in force, `active` alone.',
      headers: KEPT_BY_NOBODY,
      content: json(
        named(
          'TokenDescription',
          object<TokenDescription>(
            {
              active: flag('It is in force.'),
              scope: optional(text('What it allows.', { maxLength: 2048 })),
              client_id: optional(text('The client it was issued to.', { maxLength: 64 })),
              token_type: optional({ type: 'string', const: 'Bearer', description: 'Of an access token.' }),
              sub: optional(text('The person it acts for.', { maxLength: 64 })),
              iss: optional(address('The server that issued it.')),
              exp: optional(whole('When it ends (Unix seconds).')),
              iat: optional(whole('When it was issued (Unix seconds).')),
            },
            { description: 'What a token is.' },
          ),
        ),
        {
          active: true,
          scope: 'read:reports',
          client_id: 'client_…',
          token_type: 'Bearer',
          sub: 'person-1',
          iss: EXAMPLE_URL,
          exp: 1753952400,
          iat: 1753948800,
        },
      ),
    },
    ...refusals(),
  },
};

const AUTHORIZE_WORDS: Readonly<Record<keyof typeof AUTHORIZE_LIMITS, string>> = {
  client_id: 'The client that asks.',
  response_type: 'Only `code`.',
  redirect_uri: 'Where the browser comes back to: one of those registered, to the letter.',
  scope: `What is asked for, space-separated: ${SCOPES.join(', ')}. By default all that the client is registered for.`,
  state: 'Comes back as it is.',
  organization: 'A farm to preselect.',
  code_challenge: 'The code challenge (RFC 7636); public clients must send one.',
  code_challenge_method: 'Only `S256`.',
  response_mode: 'Only `query`.',
};

const AUTHORIZE_EXAMPLES: Readonly<Record<string, string>> = {
  client_id: 'client_…',
  response_type: 'code',
  redirect_uri: 'https://app.example/callback',
  scope: 'read:reports write:reports',
  state: 'xyz',
};

const AUTHORIZE_PARAMETERS: Parameter[] = Object.entries(AUTHORIZE_LIMITS).map(([name, maxLength]) => ({
  ...queryParameter(
    name,
    AUTHORIZE_WORDS[name as keyof typeof AUTHORIZE_LIMITS],
    text(name, { maxLength }),
    AUTHORIZE_EXAMPLES[name],
  ),
  required: name === 'client_id' || name === 'response_type',
}));

const AUTHORIZE_ANSWERS = {
  200: pageAnswer('A page: to sign in, or to choose farms and allow or not.'),
  303: seeOther(
    'Back to the application, with `code` or `error`, `state` and `iss` in the query; or to the next page.',
  ),
  400: pageAnswer('A page that says what is wrong: it is not known where it is safe to send the person.'),
};

export const authorize: OperationDescription = {
  id: 'authorize',
  tag: AUTHORIZATION,
  summary: 'Send a person here to allow access',
  description:
    'Opened in the browser of a person, who signs in, chooses farms and allows the application its scopes, or not. Whoever allowed the same before goes straight back.',
  refuses: 'itself',
  parameters: AUTHORIZE_PARAMETERS,
  answers: { ...AUTHORIZE_ANSWERS, ...FAILURES },
};

export const submitAuthorization: OperationDescription = {
  id: 'submitAuthorization',
  tag: AUTHORIZATION,
  summary: 'Take what a person filled in',
  description: 'The forms of the authorization pages are sent here; applications have no business here.',
  refuses: 'itself',
  parameters: AUTHORIZE_PARAMETERS,
  body: {
    description: 'What the page asked for.',
    required: false,
    content: {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', description: 'The fields of the page.' },
        example: { step: 'consent', farm: 'farm-1', decision: 'allow' },
      },
    },
  },
  answers: {
    ...AUTHORIZE_ANSWERS,
    400: {
      ...AUTHORIZE_ANSWERS[400],
      content: {
        ...AUTHORIZE_ANSWERS[400].content,
        ...refusal('', invalidRequest('The body must be application/x-www-form-urlencoded.')).content,
      },
    },
    401: pageAnswer('The page again: the email address or the password is not right.'),
    403: pageAnswer('The page again: the form was not shown to this browser, or too long ago.'),
    429: waitPage('The page again: too many failed attempts.'),
    ...FAILURES,
  },
};

const words = (description: string) => list(description, text('A name.', { maxLength: 64 }), 20);

const METADATA = named(
  'ServerMetadata',
  object<ServerMetadata>(
    {
      issuer: address('The server.'),
      authorization_endpoint: address('Where a person is sent.'),
      token_endpoint: address('Where codes and refresh tokens are exchanged.'),
      revocation_endpoint: address('Where tokens are revoked.'),
      introspection_endpoint: address('Where tokens are asked about.'),
      service_documentation: address('What its errors mean.'),
      scopes_supported: words('Scopes.'),
      response_types_supported: words('Response types.'),
      response_modes_supported: words('Response modes.'),
      grant_types_supported: words('Grant types.'),
      token_endpoint_auth_methods_supported: words('How a client authenticates at the token endpoint.'),
      revocation_endpoint_auth_methods_supported: words('How a client authenticates to revoke.'),
      introspection_endpoint_auth_methods_supported: words('How a client authenticates to introspect.'),
      code_challenge_methods_supported: words('Methods of the code challenge.'),
      authorization_response_iss_parameter_supported: flag('Answers name the server (RFC 9207).'),
    },
    { description: 'What the authorization server can do (RFC 8414).' },
  ),
);

export const readServerMetadata: OperationDescription = {
  id: 'readServerMetadata',
  tag: AUTHORIZATION,
  summary: 'Read what the authorization server can do',
  description: 'Endpoints and what they support (RFC 8414), as OAuth libraries read it.',
  answers: {
    200: {
      description: 'The metadata.',
      headers: { 'Cache-Control': PUBLIC },
      content: json(METADATA, metadataOf(EXAMPLE_URL)),
    },
  },
};

export const readOAuthErrors: OperationDescription = {
  id: 'readOAuthErrors',
  tag: ERROR_PAGES,
  summary: 'Read about the errors of the authorization server',
  description: 'A page for people, with an anchor for each error.',
  refuses: 'itself',
  answers: {
    200: pageAnswer('The page.'),
    400: refusal(
      '`invalid_request`: the address is not well-formed.',
      invalidRequest('The address is not well-formed.'),
    ),
    ...FAILURES,
  },
};
