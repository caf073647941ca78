import {
  type Answer,
  header,
  type OperationDescription,
  type RequestBody,
  type Tag,
} from '../../operations/describe.js';
import { NO_STORE } from '../../operations/described-parts.js';
import { PAGE_HTML } from '../../operations/operations.description.js';

const ACCOUNT: Tag = {
  name: 'Account pages',
  description:
    'Where a person sees which applications have access to their farms, and ends it. Used by browsers.',
};

const POLICY = header(
  'PagePolicy',
  'The page holds no script, loads nothing and may not be framed.',
  { type: 'string', maxLength: 8192 },
  "default-src 'none'; style-src 'sha256-…'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);

const RETRY_AFTER = header(
  'PageRetryAfter',
  'Seconds to wait before trying again.',
  { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
  5,
);

export function pageAnswer(description: string): Answer {
  return {
    description,
    headers: { 'Cache-Control': NO_STORE, 'Content-Security-Policy': POLICY },
    content: PAGE_HTML,
  };
}

/** A page that asks to wait. */
export function waitPage(description: string): Answer {
  const page = pageAnswer(description);
  return { ...page, headers: { ...page.headers, 'Retry-After': RETRY_AFTER } };
}

const SEE_OTHER = header(
  'SeeOther',
  'Where to go on.',
  { type: 'string', format: 'uri-reference', maxLength: 65_536 },
  'https://app.example/callback?code=mc_3f9c&state=xyz',
);

export function seeOther(description: string): Answer {
  return { description, headers: { 'Cache-Control': NO_STORE, Location: SEE_OTHER } };
}

const FAILED = {
  500: pageAnswer('A page that says that something went wrong.'),
  503: waitPage('A page that asks to try again in a moment.'),
};

const SUBMITTED: RequestBody = {
  description: 'What the page asked for.',
  required: false,
  content: {
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', description: 'The fields of the page.' },
      example: { form_key: '…' },
    },
  },
};

const BACK = seeOther('Back to the applications.');

export const showApplications: OperationDescription = {
  id: 'showApplications',
  tag: ACCOUNT,
  summary: 'Show which applications have access',
  description: 'The page of the person who is signed in, or the one to sign in on.',
  answers: { 200: pageAnswer('The page.'), ...FAILED },
};

export const withdrawAccess: OperationDescription = {
  id: 'withdrawAccess',
  tag: ACCOUNT,
  summary: 'Withdraw an application’s access',
  description: 'Its tokens end at once.',
  body: SUBMITTED,
  answers: { 200: pageAnswer('The page to sign in on: the session has ended.'), 303: BACK, ...FAILED },
};

export const signIn: OperationDescription = {
  id: 'signIn',
  tag: ACCOUNT,
  summary: 'Sign in',
  description: 'With email address and password.',
  body: SUBMITTED,
  answers: {
    303: BACK,
    401: pageAnswer('The page again: the email address or the password is not right.'),
    403: pageAnswer('The page again: the form was not shown to this browser, or too long ago.'),
    429: waitPage('The page again: too many failed attempts.'),
    ...FAILED,
  },
};

export const signOut: OperationDescription = {
  id: 'signOut',
  tag: ACCOUNT,
  summary: 'Sign out',
  description: 'Ends the session of this browser.',
  body: SUBMITTED,
  answers: { 303: BACK, ...FAILED },
};
