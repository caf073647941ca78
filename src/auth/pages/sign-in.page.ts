import { html } from '../../operations/html.js';
import type { Page } from './page.js';

export interface SignInForm {
  /** Where the form is sent. */
  readonly action: string;
  readonly formKey: string;
  /** What the person signs in for, as a sentence. */
  readonly purpose: string;
  readonly email?: string;
  readonly notice?: string;
}

export const WRONG_PASSWORD = 'The email address or the password is not right.';
export const SESSION_ENDED = 'Your session has ended. Please sign in again.';
export const FORM_EXPIRED = 'This page had been open for too long. Please try again.';
export const TOO_MANY_ATTEMPTS = 'There were too many attempts. Please wait a few minutes and try again.';

export function signInPage({ action, formKey, purpose, email, notice }: SignInForm): Page {
  return {
    title: 'Sign in',
    body: html`<h1>Sign in</h1>
      <p class="soft">${purpose}</p>
      ${notice === undefined ? undefined : html`<p class="notice" role="alert">${notice}</p>`}
      <form method="post" action="${action}">
        <input type="hidden" name="step" value="sign-in" />
        <input type="hidden" name="form_key" value="${formKey}" />
        <label class="field" for="email">Email address</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          maxlength="320"
          value="${email}"
          ${email ? undefined : html` autofocus`}
        />
        <label class="field" for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          maxlength="1024"
          ${email ? html` autofocus` : undefined}
        />
        <div class="buttons"><button>Sign in</button></div>
      </form>`,
  };
}
