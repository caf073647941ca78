import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../config.js';
import { Anonymous } from '../decorators.js';
import { consentPage } from '../pages/consent.page.js';
import { messagePage } from '../pages/message.page.js';
import { sendPage, sendTo } from '../pages/page.js';
import { FORM_EXPIRED, SESSION_ENDED, type SignInForm, signInPage } from '../pages/sign-in.page.js';
import { FarmNames } from '../people/farm-names.js';
import type { Person } from '../people/people.js';
import { Sessions, type Visit } from '../people/sessions.js';
import { answerRefusedSignIn, SignInDesk } from '../people/sign-in.js';
import { Submission } from '../people/submission.js';
import {
  AUTHORIZE_LIMITS,
  type AuthorizationRequest,
  answerUri,
  type ReadAuthorization,
  readAuthorization,
  type Unsafe,
} from './authorization-request.js';
import { Authorizations } from './authorizations.js';
import { Clients } from './clients.js';
import { parseForm } from './form.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';

const UNSAFE: Record<Unsafe, string> = {
  'unknown-client': 'The application that sent you here is not known to Muster.',
  'unregistered-redirect': 'The application that sent you here did not say a proper address to return to.',
};
const CHOOSE_A_FARM = 'Choose at least one farm.';

/** What a request for authorization is about, once it is known to be in order. */
interface Asking {
  readonly request: AuthorizationRequest;
  /** The address of this request, which its forms are sent to. */
  readonly action: string;
  readonly visit: Visit;
  readonly reply: FastifyReply;
}

/** Where a person allows an application to act for them (oauth.md 4): signs in, chooses farms, allows or not. */
@Controller('oauth2/authorize')
@Anonymous()
@UseFilters(OAuthErrorFilter)
export class AuthorizeController {
  constructor(
    private readonly clients: Clients,
    private readonly authorizations: Authorizations,
    private readonly sessions: Sessions,
    private readonly desk: SignInDesk,
    private readonly farmNames: FarmNames,
    private readonly config: Config,
  ) {}

  @Get()
  async show(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const asking = await this.read(http, reply);
    if (!asking) return;
    const { person } = asking.visit;
    if (!person) return void this.askToSignIn(asking);
    const farms = await this.authorizations.remembered(person, asking.request);
    await (farms ? this.allow(asking, person, farms, false) : this.askForConsent(asking, person));
  }

  @Post()
  async submit(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const asking = await this.read(http, reply);
    if (!asking) return;
    const form = new Submission(http);
    const step = form.get('step');
    const { person } = asking.visit;
    if (step === 'sign-in') return this.signIn(asking, form, http);
    if (!person) return void this.askToSignIn(asking, { notice: SESSION_ENDED });
    if (step !== 'consent' || !form.isGenuine(asking.visit))
      return this.askForConsent(asking, person, FORM_EXPIRED, 403);
    await this.decide(asking, person, form);
  }

  /** Reads and checks the request; one that is not in order is answered here. */
  private async read(http: FastifyRequest, reply: FastifyReply): Promise<Asking | undefined> {
    const query = http.url.slice(http.url.indexOf('?') + 1 || http.url.length);
    const form = parseForm(query, AUTHORIZE_LIMITS);
    const clientId = form.get('client_id');
    const read = readAuthorization(
      form,
      clientId === undefined ? undefined : await this.clients.find(clientId),
    );
    if (read.outcome !== 'ask') return void this.refuse(read, reply);
    return {
      request: read.request,
      action: `/oauth2/authorize?${query}`,
      visit: await this.sessions.visit(http, reply),
      reply,
    };
  }

  private refuse(read: Exclude<ReadAuthorization, { outcome: 'ask' }>, reply: FastifyReply): void {
    if (read.outcome === 'redirect') {
      const { redirectUri, error, state } = read;
      return void sendTo(reply, answerUri(redirectUri, this.config.publicUrl, { error, state }));
    }
    const advice = 'Nothing was shared. Please go back to the application and tell its makers.';
    void sendPage(reply, 400, messagePage('This request cannot be answered', UNSAFE[read.why], advice));
  }

  private askToSignIn(
    { request, action, visit, reply }: Asking,
    more: Partial<SignInForm> = {},
    status = 200,
  ): void {
    const purpose = `to continue to ${request.client.name}`;
    void sendPage(
      reply,
      status,
      signInPage({ action, formKey: visit.formKey, purpose, ...more }),
      request.redirectUri,
    );
  }

  private async signIn(asking: Asking, form: Submission, http: FastifyRequest): Promise<void> {
    if (!form.isGenuine(asking.visit)) return this.askToSignIn(asking, { notice: FORM_EXPIRED }, 403);
    const signIn = await this.desk.signIn(form.get('email'), form.get('password'), http.ip);
    if (signIn.outcome !== 'signed-in') {
      const { status, notice } = answerRefusedSignIn(signIn, asking.reply);
      return this.askToSignIn(asking, { notice, email: form.get('email') }, status);
    }
    await this.sessions.begin(signIn.person, http, asking.reply);
    void sendTo(asking.reply, asking.action);
  }

  private async askForConsent(asking: Asking, person: Person, notice?: string, status = 200): Promise<void> {
    const { request, action, visit, reply } = asking;
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
    void sendPage(reply, status, page, request.redirectUri);
  }

  private async decide(asking: Asking, person: Person, form: Submission): Promise<void> {
    const { request, reply } = asking;
    if (form.get('decision') !== 'allow') {
      const answer = { error: 'access_denied', state: request.state };
      return void sendTo(reply, answerUri(request.redirectUri, this.config.publicUrl, answer));
    }
    const farms = person.farms.filter((farm) => form.all('farm').includes(farm));
    if (farms.length === 0) return this.askForConsent(asking, person, CHOOSE_A_FARM, 400);
    await this.allow(asking, person, farms, true);
  }

  private async allow(
    { request, reply }: Asking,
    person: Person,
    farms: readonly string[],
    asked: boolean,
  ): Promise<void> {
    const code = await this.authorizations.authorize(person, request, farms, asked);
    void sendTo(reply, answerUri(request.redirectUri, this.config.publicUrl, { code, state: request.state }));
  }
}

/** The farm that the application named, or the only one there is; otherwise the person chooses from scratch. */
function preselected({ farms }: Person, { organization }: AuthorizationRequest): ReadonlySet<string> {
  if (farms.length === 1) return new Set(farms);
  return new Set(farms.filter((farm) => farm === organization));
}

function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return host || protocol.slice(0, -1);
}
