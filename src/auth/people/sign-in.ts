import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { addressSubject, Failures, type Limit, namedSubject } from '../failures.js';
import type { Page, Shown } from '../pages/page.js';
import { TOO_MANY_ATTEMPTS, WRONG_PASSWORD } from '../pages/sign-in.page.js';
import { People, type Person } from './people.js';

const LONGEST_EMAIL = 320;
const LONGEST_PASSWORD = 1024;

/** What came of a password. Somebody unknown and a wrong password are not told apart. */
export type SignIn =
  | { readonly outcome: 'signed-in'; readonly person: Person }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'blocked'; readonly retryAfterSeconds: number };

/** Signs people in, within limits per account and address. */
@Injectable()
export class SignInDesk {
  constructor(
    private readonly people: People,
    private readonly failures: Failures,
    private readonly config: Config,
  ) {}

  async signIn(email: string, password: string, address: string): Promise<SignIn> {
    if (email.length > LONGEST_EMAIL || password.length > LONGEST_PASSWORD) return { outcome: 'refused' };
    const limits: Limit[] = [
      {
        subject: namedSubject('account', email.trim().toLowerCase()),
        failures: this.config.FAILURES_PER_ACCOUNT,
      },
      { subject: addressSubject('sign-in', address), failures: this.config.FAILURES_PER_ADDRESS },
    ];
    const blocked = await this.failures.note(limits); // Before the check, so that guesses at the same time count too.
    if (blocked !== undefined) return { outcome: 'blocked', retryAfterSeconds: blocked };
    const person = await this.people.authenticate(email, password);
    if (!person) return { outcome: 'refused' };
    await this.failures.forgive(limits);
    return { outcome: 'signed-in', person };
  }
}

/** What a person who was not signed in is told. */
export function refusedSignIn(
  signIn: Exclude<SignIn, { outcome: 'signed-in' }>,
  page: (notice: string) => Page,
): Exclude<Shown, { location: string }> {
  if (signIn.outcome === 'refused') return { status: 401, page: page(WRONG_PASSWORD) };
  return { status: 429, page: page(TOO_MANY_ATTEMPTS), retryAfterSeconds: signIn.retryAfterSeconds };
}
