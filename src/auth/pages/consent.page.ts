import type { Person } from '../people/people.js';
import { type Html, html } from '../../operations/html.js';
import type { Page } from './page.js';
import { inPlainWords } from './scope-words.js';

export interface ConsentForm {
  readonly action: string;
  readonly formKey: string;
  readonly person: Person;
  readonly clientName: string;
  readonly scopes: readonly string[];
  /** The person's farms: id and name. */
  readonly farms: ReadonlyMap<string, string>;
  readonly chosen: ReadonlySet<string>;
  /** Host that the browser goes to afterwards. */
  readonly destination: string;
  readonly notice?: string;
}

export function consentPage(form: ConsentForm): Page {
  const { person, formKey } = form;
  return {
    title: `Allow ${form.clientName}?`,
    body: form.farms.size > 0 ? ask(form) : noFarms(form),
    visitor: { person, formKey },
  };
}

function ask({ action, formKey, clientName, scopes, farms, chosen, destination, notice }: ConsentForm): Html {
  return html`<h1>Allow ${clientName}?</h1>
<p class="soft"><strong>${clientName}</strong> asks for access to your farms in Muster.</p>
<form method="post" action="${action}">
<input type="hidden" name="step" value="consent">
<input type="hidden" name="form_key" value="${formKey}">
<h2>It would be able to</h2>
<ul class="scopes">${scopes.map((scope) => html`<li>${inPlainWords(scope)}</li>`)}</ul>
<fieldset${notice === undefined ? undefined : html` aria-describedby="notice"`}>
<legend>On these farms</legend>
${notice === undefined ? undefined : html`<p class="notice" role="alert" id="notice">${notice}</p>`}
${[...farms].map(([id, name]) => choice(id, name, chosen.has(id)))}
</fieldset>
<div class="buttons two">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" class="quiet">Do not allow</button>
</div>
</form>
<p class="soft small after">You will return to ${destination}. You can end this access at any time under connected applications.</p>`;
}

function choice(id: string, name: string, isChosen: boolean): Html {
  const checked = isChosen ? html`checked` : undefined;
  const shownId = name === id ? undefined : html`<small class="soft">${id}</small>`;
  return html`<label class="choice">
    <input type="checkbox" name="farm" value="${id}" ${checked} />
    <span>${name} ${shownId}</span>
  </label>`;
}

function noFarms({ action, formKey, clientName }: ConsentForm): Html {
  return html`<h1>No farm to share</h1>
    <p>
      <strong>${clientName}</strong> asks for access to your farms, but no farm belongs to your account yet.
      Ask whoever runs Muster for you.
    </p>
    <form method="post" action="${action}">
      <input type="hidden" name="step" value="consent" />
      <input type="hidden" name="form_key" value="${formKey}" />
      <div class="buttons">
        <button name="decision" value="deny" class="quiet">Go back to ${clientName}</button>
      </div>
    </form>`;
}
