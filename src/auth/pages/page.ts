import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Person } from '../people/people.js';
import { Html, html } from '../../operations/html.js';
import { STYLE } from './style.js';

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** Whoever is signed in, to be named at the foot of the page. */
  readonly visitor?: { readonly person: Person; readonly formKey: string };
  readonly wide?: boolean;
}

const STYLE_SOURCE = `'sha256-${hash('sha256', STYLE, 'base64')}'`;

const MARK = html`<svg
  viewBox="0 0 28 28"
  fill="none"
  stroke="currentColor"
  stroke-width="2"
  stroke-linecap="round"
  aria-hidden="true"
>
  <circle cx="14" cy="9" r="4.5" />
  <path d="M3 15.5h22M3 21h22M7 12.5v12M14 15.5v9M21 12.5v12" />
</svg>`;

/** What a browser is answered: a page, or another address. */
export type Shown =
  | {
      readonly page: Page;
      readonly status?: number;
      /** Where its forms lead in the end beside the service itself: browsers apply form-action to redirects too. */
      readonly submitsTo?: string;
      readonly retryAfterSeconds?: number;
    }
  | { readonly location: string };

/** Sends a page that holds no script, loads nothing and may not be framed; or 303, so that going back submits nothing again. */
export function show(reply: FastifyReply, shown: Shown): void {
  void reply.headers(PRIVATE);
  if ('location' in shown) {
    void reply.status(303).header('Location', shown.location).send('');
    return;
  }
  const { page, status = 200, submitsTo, retryAfterSeconds } = shown;
  if (retryAfterSeconds !== undefined) void reply.header('Retry-After', String(retryAfterSeconds));
  void reply
    .status(status)
    .header('Content-Security-Policy', policy(submitsTo))
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>\n${render(page).text}`);
}

const PRIVATE = {
  'Cache-Control': 'no-store',
};

function policy(submitsTo: string | undefined): string {
  const target = submitsTo === undefined ? '' : ` ${sourceOf(submitsTo)}`;
  return [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    'img-src data:',
    `form-action 'self'${target}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** The origin of an address as a policy may name it: a scheme of an application's own has none, nor has an IPv6 host. */
function sourceOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return /^https?:$/.test(protocol) && !host.startsWith('[') ? `${protocol}//${host}` : protocol;
}

function render({ title, body, visitor, wide }: Page): Html {
  return html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Muster</title>
<link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style>
</head>
<body${wide ? html` class="wide"` : undefined}>
<header>${MARK}<span>Muster</span></header>
<main>
${body}
</main>
${visitor ? footer(visitor) : undefined}
</body>
</html>
`;
}

function footer({ person, formKey }: { person: Person; formKey: string }): Html {
  return html`<footer>
    <span>Signed in as ${person.email}</span>
    <form method="post" action="/account/sign-out">
      <input type="hidden" name="form_key" value="${formKey}" /><button class="link">Sign out</button>
    </form>
  </footer>`;
}
