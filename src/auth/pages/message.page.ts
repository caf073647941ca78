import { html } from '../../operations/html.js';
import type { Page } from './page.js';

/** A page that says one thing. */
export function messagePage(title: string, ...paragraphs: string[]): Page {
  return {
    title,
    body: html`<h1>${title}</h1>
      ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}`,
  };
}
