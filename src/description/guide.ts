import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { EXAMPLE_URL } from '../operations/describe.js';
import { Html, html } from '../operations/html.js';
import { PROBLEM_PAGES } from '../operations/problem-pages.js';
import { GUIDE_STYLE } from './guide-style.js';
import { type Chapter, CHAPTERS } from './guide-text.js';
import { operationArticle, reportTypeEntry } from './guide-reference.js';
import { inline, paragraphs } from '../operations/markdown.js';
import type { OpenApi } from './openapi.js';
import { type Described, operationsByTag, type TypeEntry, typesOf } from './read-openapi.js';

const STYLE_SOURCE = `'sha256-${hash('sha256', GUIDE_STYLE, 'base64')}'`;
/** As one piece: its digest stands in the policy. */
const STYLE_ELEMENT = new Html(`<style>${GUIDE_STYLE}</style>`);
const POLICY = `default-src 'none'; style-src ${STYLE_SOURCE}; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** Sends the guide: a page without script that loads nothing. */
export function sendGuide(reply: FastifyReply, document: OpenApi): void {
  void reply
    .headers({
      'Cache-Control': 'public, max-age=300',
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>\n${guide(document).text}`);
}

function guide(document: OpenApi): Html {
  const { url } = document.servers[0];
  const chapters = CHAPTERS.map((chapter) => chapterSection(chapter, url));
  const types = typesOf(document);
  const tags = operationsByTag(document);
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Muster for integrators</title>
      <link rel="icon" href="data:," />
      ${STYLE_ELEMENT}
    </head>
    <body>
      <header>
        <a class="skip" href="#content">To the text</a>
        <h1>Muster for integrators</h1>
        <p>
          Livestock reports about farms: ask for one, wait for it, download it. For machines:
          <a href="/openapi.json">openapi.json</a>, <a href="/asyncapi.json">asyncapi.json</a>.
        </p>
      </header>
      <nav aria-label="Contents">${contents(tags)}</nav>
      <main id="content">
        ${chapters} ${typesSection(types)} ${problemsSection()} ${tags.map(tagSection)}
      </main>
    </body>
  </html> `;
}

function contents(tags: readonly Described[]): Html {
  const entries = [
    ...CHAPTERS.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`),
    html`<li><a href="#types">Report types</a></li>`,
    html`<li><a href="#problems">Kinds of problems</a></li>`,
    ...tags.map(
      ({ id, name, operations }) =>
        html`<li>
          <a href="#${id}">${name}</a>
          <ul>
            ${operations.map((one) => html`<li><a href="#${one.operationId}">${one.summary}</a></li>`)}
          </ul>
        </li>`,
    ),
  ];
  return html`<ul>
    ${entries}
  </ul>`;
}

function chapterSection({ id, title, parts }: Chapter, url: string): Html {
  const here = (text: string): string => text.replaceAll(EXAMPLE_URL, url);
  return html`<section>
    <h2 id="${id}">${title}</h2>
    ${parts.map((part) =>
      typeof part === 'string' ? paragraphs(here(part)) : html`<pre>${here(part.shell)}</pre>`,
    )}
  </section>`;
}

function typesSection(types: readonly TypeEntry[]): Html {
  return html`<section>
    <h2 id="types">Report types</h2>
    <p>Columns, units and JSON Schema of each are at <code>/v2/report-types</code>.</p>
    <dl>${types.map(reportTypeEntry)}</dl>
  </section>`;
}

function problemsSection(): Html {
  const entries = Object.entries(PROBLEM_PAGES).map(
    ([slug, { status, advice }]) =>
      html`<dt>
          <a href="/problems/${slug}"><code>${slug}</code></a> <span class="soft">${status}</span>
        </dt>
        <dd>${inline(advice)}</dd>`,
  );
  return html`<section>
    <h2 id="problems">Kinds of problems</h2>
    <dl>${entries}</dl>
  </section>`;
}

function tagSection({ id, name, description, operations }: Described): Html {
  return html`<section>
    <h2 id="${id}">${name}</h2>
    ${paragraphs(description)} ${operations.map(operationArticle)}
  </section>`;
}
