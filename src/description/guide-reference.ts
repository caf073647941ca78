import { type Html, html } from '../operations/html.js';
import { inline, paragraphs } from '../operations/markdown.js';
import type { AnswerEntry, ContentEntry, OperationEntry, ParameterEntry, TypeEntry } from './read-openapi.js';

/** Everything about one operation. */
export function operationArticle(operation: OperationEntry): Html {
  const { method, path, operationId, summary, description, scopes, parameters, body, answers } = operation;
  return html`<article aria-labelledby="${operationId}">
    <h3 id="${operationId}">${summary}</h3>
    <p>
      <code><span class="method">${method}</span> ${path}</code>
    </p>
    ${paragraphs(description)}
    ${scopes.length > 0 ? html`<p class="soft">Scope: <code>${scopes.join(' ')}</code></p>` : undefined}
    ${
      parameters.length > 0
        ? html`<h4>Parameters</h4>
            <dl>${parameters.map(parameterEntry)}</dl>`
        : undefined
    }
    ${
      body
        ? html`<h4>Body</h4>
            ${Object.entries(body).map(contentExample)}`
        : undefined
    }
    <h4>Answers</h4>
    ${answers.map(answerEntry)}
  </article>`;
}

export function reportTypeEntry({ const: type, title, description, deprecated }: TypeEntry): Html {
  return html`<dt>
      <code>${type}</code> ${title} ${deprecated ? html`<span class="old">deprecated</span>` : undefined}
    </dt>
    <dd>${inline(description)}</dd>`;
}

function parameterEntry({ name, in: place, required, description }: ParameterEntry): Html {
  return html`<dt><code>${name}</code> <span class="soft">${place}${required ? ', required' : ''}</span></dt>
    <dd>${inline(description)}</dd>`;
}

function answerEntry([status, { description, headers = {}, content = {} }]: readonly [
  string,
  AnswerEntry,
]): Html {
  const names = Object.keys(headers);
  const shown = Object.entries(content).filter(([, { example }]) => example !== undefined);
  return html`<details>
    <summary>${status}${status < '300' ? '' : ` ${Object.keys(content).join(', ')}`}</summary>
    ${paragraphs(description)}
    ${names.length > 0 ? html`<p class="soft">Headers: <code>${names.join(', ')}</code></p>` : undefined}
    ${shown.map(contentExample)}
  </details>`;
}

function contentExample([type, { example }]: readonly [string, ContentEntry]): Html {
  if (example === undefined) return html`<p class="soft"><code>${type}</code></p>`;
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return html`<p class="soft"><code>${type}</code></p>
    <pre>${text}</pre>`;
}
