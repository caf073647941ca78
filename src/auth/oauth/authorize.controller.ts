import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Describe } from '../../operations/describe.js';
import { Anonymous } from '../decorators.js';
import { show, type Shown } from '../pages/page.js';
import { FORM_EXPIRED, SESSION_ENDED } from '../pages/sign-in.page.js';
import { Sessions } from '../people/sessions.js';
import { refusedSignIn, SignInDesk } from '../people/sign-in.js';
import { Submission } from '../people/submission.js';
import { AUTHORIZE_LIMITS, readAuthorization } from './authorization-request.js';
import { type Asking, Consenting } from './consenting.js';
import { Clients } from './clients.js';
import { authorize, submitAuthorization } from './oauth.description.js';
import { parseForm } from './form.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';

/** Where a person allows an application to act for them (oauth.md 4): signs in, chooses farms, allows or not. */
@Controller('oauth2/authorize')
@Anonymous()
@UseFilters(OAuthErrorFilter)
export class AuthorizeController {
  constructor(
    private readonly clients: Clients,
    private readonly sessions: Sessions,
    private readonly desk: SignInDesk,
    private readonly consenting: Consenting,
  ) {}

  @Get()
  @Describe(authorize)
  async ask(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    show(reply, await this.answer(http, reply, (asking) => this.consenting.begin(asking)));
  }

  @Post()
  @Describe(submitAuthorization)
  async submit(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = new Submission(http);
    const take = (asking: Asking) =>
      form.get('step') === 'sign-in' ? this.signIn(asking, form, http, reply) : this.decide(asking, form);
    show(reply, await this.answer(http, reply, take));
  }

  /** Reads and checks the request, and goes on with one that is in order. */
  private async answer(
    http: FastifyRequest,
    reply: FastifyReply,
    go: (asking: Asking) => Promise<Shown>,
  ): Promise<Shown> {
    const query = http.url.includes('?') ? http.url.slice(http.url.indexOf('?') + 1) : '';
    const form = parseForm(query, AUTHORIZE_LIMITS);
    const clientId = form.get('client_id');
    const client = clientId === undefined ? undefined : await this.clients.find(clientId);
    const read = readAuthorization(form, client);
    if (read.outcome !== 'ask') return this.consenting.refuse(read);
    const visit = await this.sessions.visit(http, reply);
    return go({ request: read.request, action: `/oauth2/authorize?${query}`, visit });
  }

  private async signIn(
    asking: Asking,
    form: Submission,
    http: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Shown> {
    const { request, visit, action } = asking;
    const again = this.consenting.signInPage.bind(this.consenting, asking);
    const submitsTo = request.redirectUri;
    if (!form.isGenuine(visit)) return { status: 403, page: again({ notice: FORM_EXPIRED }), submitsTo };
    const email = form.get('email');
    const signIn = await this.desk.signIn(email, form.get('password'), http.ip);
    if (signIn.outcome !== 'signed-in') {
      return { ...refusedSignIn(signIn, (notice) => again({ notice, email })), submitsTo };
    }
    await this.sessions.begin(signIn.person, http, reply);
    return { location: action };
  }

  private async decide(asking: Asking, form: Submission): Promise<Shown> {
    const { person } = asking.visit;
    if (!person) return this.consenting.askToSignIn(asking, SESSION_ENDED);
    if (!form.isGenuine(asking.visit)) {
      return { ...(await this.consenting.askForConsent(asking, person, FORM_EXPIRED)), status: 403 };
    }
    if (form.get('decision') !== 'allow') return this.consenting.deny(asking);
    return this.consenting.allow(asking, person, form.all('farm'));
  }
}
