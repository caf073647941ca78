import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { consentPage } from '../pages/consent.page.js';
import { messagePage } from '../pages/message.page.js';
import type { Page, Shown } from '../pages/page.js';
import { type SignInForm, signInPage } from '../pages/sign-in.page.js';
import { FarmNames } from '../people/farm-names.js';
import type { Person } from '../people/people.js';
import type { Visit } from '../people/sessions.js';
import {
  type AuthorizationRequest,
  answerUri,
  type ReadAuthorization,
  type Unsafe,
} from './authorization-request.js';
import { Authorizations } from './authorizations.js';

const UNSAFE: Record<Unsafe, string> = {
  'unknown-client': 'The application that sent you here is not known to Muster.',
  'unregistered-redirect': 'The application that sent you here did not say a proper address to return to.',
};
const CHOOSE_A_FARM = 'Choose at least one farm.';

/** An authorization request that is in order, and who is asked. */
export interface Asking {
  readonly request: AuthorizationRequest;
  /** The address of this request, which its forms are sent to. */
  readonly action: string;
  readonly visit: Visit;
}

type ShownPage = Exclude<Shown, { location: string }>;

/** Asks a person for consent and tells the application what came of it. */
@Injectable()
export class Consenting {
  constructor(
    private readonly authorizations: Authorizations,
    private readonly farmNames: FarmNames,
    private readonly config: Config,
  ) {}

  /** The page that is due, or straight back to the application when the person has allowed all this before. */
  async begin(asking: Asking): Promise<Shown> {
    const { person } = asking.visit;
    if (!person) return this.askToSignIn(asking);
    const farms = await this.authorizations.remembered(person, asking.request);
    return farms ? this.giveCode(asking, person, farms, false) : this.askForConsent(asking, person);
  }

  refuse(read: Exclude<ReadAuthorization, { outcome: 'ask' }>): Shown {
    if (read.outcome === 'redirect')
      return this.back(read.redirectUri, { error: read.error, state: read.state });
    const advice = 'Nothing was shared. Please go back to the application and tell its makers.';
    return { status: 400, page: messagePage('This request cannot be answered', UNSAFE[read.why], advice) };
  }

  askToSignIn(asking: Asking, notice?: string): ShownPage {
    const page = this.signInPage(asking, notice === undefined ? {} : { notice });
    return { page, submitsTo: asking.request.redirectUri };
  }

  signInPage({ request, action, visit }: Asking, more: Pick<SignInForm, 'notice' | 'email'>): Page {
    const purpose = `Continue to ${request.client.name}.`;
    return signInPage({ action, formKey: visit.formKey, purpose, ...more });
  }

  async askForConsent(
    { request, action, visit }: Asking,
    person: Person,
    notice?: string,
  ): Promise<ShownPage> {
    const page = consentPage({
      action,
      formKey: visit.formKey,
      person,
      clientName: request.client.name,
      scopes: request.scopes,
      farms: await this.farmNames.of(person.farms),
      chosen: preselected(person, request),
      destination: destinationOf(request.redirectUri),
      ...(notice !== undefined && { notice }),
    });
    return { page, submitsTo: request.redirectUri };
  }

  deny({ request: { redirectUri, state } }: Asking): Shown {
    return this.back(redirectUri, { error: 'access_denied', state });
  }

  /** Of the farms that were ticked, those that are the person's. */
  async allow(asking: Asking, person: Person, ticked: readonly string[]): Promise<Shown> {
    const farms = person.farms.filter((farm) => ticked.includes(farm));
    if (farms.length > 0) return this.giveCode(asking, person, farms, true);
    return { ...(await this.askForConsent(asking, person, CHOOSE_A_FARM)), status: 400 };
  }

  private async giveCode(
    { request }: Asking,
    person: Person,
    farms: readonly string[],
    asked: boolean,
  ): Promise<Shown> {
    const code = await this.authorizations.authorize(person, request, farms, asked);
    return this.back(request.redirectUri, { code, state: request.state });
  }

  private back(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): Shown {
    return { location: answerUri(redirectUri, this.config.publicUrl, answer) };
  }
}

/** The farm that the application named, or the only one there is; otherwise the person chooses from scratch. */
function preselected({ farms }: Person, { organization }: AuthorizationRequest): ReadonlySet<string> {
  if (farms.length === 1) return new Set(farms);
  return new Set(farms.filter((farm) => farm === organization));
}

function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return host === '' ? protocol.slice(0, -1) : host;
}
