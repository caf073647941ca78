import type { ConnectedApplication } from '../people/connected-applications.js';
import type { Person } from '../people/people.js';
import { type Html, html } from '../../operations/html.js';
import type { Page } from './page.js';
import { inPlainWords } from './scope-words.js';

export interface ApplicationsView {
  readonly person: Person;
  readonly formKey: string;
  readonly applications: readonly ConnectedApplication[];
  /** Names of the farms by id. */
  readonly farms: ReadonlyMap<string, string>;
}

export function applicationsPage({ person, formKey, applications, farms }: ApplicationsView): Page {
  const none = html`<p>No application has access to your farms.</p>`;
  return {
    title: 'Connected applications',
    wide: true,
    visitor: { person, formKey },
    body: html`<h1>Connected applications</h1>
      <p class="soft">These applications may act on your farms. What you withdraw ends at once.</p>
      ${applications.length > 0 ? applications.map((application) => entry(application, formKey, farms)) : none}`,
  };
}

function entry(
  { clientId, name, scopes, farms, since }: ConnectedApplication,
  formKey: string,
  names: ReadonlyMap<string, string>,
): Html {
  const day = since.toLocaleDateString('en-GB', { dateStyle: 'long' });
  return html`<article>
    <h2 id="${clientId}">${name}</h2>
    <dl class="facts">
      <dt>Can</dt>
      <dd>${scopes.map(inPlainWords).join('; ')}</dd>
      <dt>On</dt>
      <dd>${farms.map((farm) => names.get(farm) ?? farm).join(', ')}</dd>
      <dt>Since</dt>
      <dd><time datetime="${since.toISOString()}">${day}</time></dd>
    </dl>
    <form method="post" action="/account/applications">
      <input type="hidden" name="form_key" value="${formKey}" />
      <button class="quiet small" name="client_id" value="${clientId}" aria-describedby="${clientId}">
        Withdraw access
      </button>
    </form>
  </article>`;
}
