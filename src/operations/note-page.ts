import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Html, html } from './html.js';
import { PAGE_STYLE } from './page-style.js';

const STYLE = `${PAGE_STYLE}body{max-width:46rem;margin:0 auto;padding:2.5rem 1rem 4rem}`;
/** As one piece: its digest stands in the policy. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

interface Note {
  readonly title: string;
  readonly text: Html;
  /** Seconds for which anybody may keep it. */
  readonly maxAge: number;
}

/** Sends a short page for people, without script, that loads nothing. */
export function sendNote(reply: FastifyReply, { title, text, maxAge }: Note): void {
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} · Muster</title>
      <link rel="icon" href="data:," />
      ${STYLE_ELEMENT}
    </head>
    <body>
      <main>
        <h1>${title}</h1>
        ${text}
        <p><a href="/docs">Muster for integrators</a></p>
      </main>
    </body>
  </html> `;
  void reply
    .headers({ 'Cache-Control': `public, max-age=${maxAge}`, 'Content-Security-Policy': POLICY })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>\n${page.text}`);
}
