import { type Html, html } from './html.js';

const PART = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** The little of CommonMark that descriptions use: paragraphs, code, strong words, links. */
export function paragraphs(text: string): Html[] {
  return text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

export function inline(text: string): Html[] {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: whole, 1: code, 2: strong, 3: label, 4: target, index } of text.matchAll(PART)) {
    parts.push(html`${text.slice(end, index)}`);
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${strong}</strong>`);
    else parts.push(html`<a href="${target}">${label}</a>`);
    end = index + whole.length;
  }
  return [...parts, html`${text.slice(end)}`];
}
