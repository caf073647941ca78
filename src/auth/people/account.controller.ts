import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Anonymous } from '../decorators.js';
import { AccessRevocation } from '../oauth/access-revocation.js';
import { applicationsPage } from '../pages/applications.page.js';
import { PageErrorFilter } from '../pages/page-error.filter.js';
import { sendPage, sendTo } from '../pages/page.js';
import { FORM_EXPIRED, SESSION_ENDED, type SignInForm, signInPage } from '../pages/sign-in.page.js';
import { ConnectedApplications } from './connected-applications.js';
import { FarmNames } from './farm-names.js';
import { Sessions, type Visit } from './sessions.js';
import { answerRefusedSignIn, SignInDesk } from './sign-in.js';
import { Submission } from './submission.js';

const HOME = '/account/applications';

/** Where a person sees what has access to their farms, and ends it. */
@Controller('account')
@Anonymous()
@UseFilters(PageErrorFilter)
export class AccountController {
  constructor(
    private readonly sessions: Sessions,
    private readonly desk: SignInDesk,
    private readonly applications: ConnectedApplications,
    private readonly revocation: AccessRevocation,
    private readonly farmNames: FarmNames,
  ) {}

  @Get('applications')
  async show(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { person, formKey } = await this.sessions.visit(http, reply);
    if (!person) return askToSignIn(reply, { formKey });
    const applications = await this.applications.of(person.id);
    const farms = await this.farmNames.of(applications.flatMap((application) => application.farms));
    void sendPage(reply, 200, applicationsPage({ person, formKey, applications, farms }));
  }

  @Post('applications')
  async withdraw(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.sessions.visit(http, reply);
    const form = new Submission(http);
    if (!visit.person) return askToSignIn(reply, visit, { notice: SESSION_ENDED });
    if (form.isGenuine(visit)) await this.revocation.withdraw(visit.person.id, form.get('client_id'));
    void sendTo(reply, HOME);
  }

  @Post('sign-in')
  async signIn(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.sessions.visit(http, reply);
    const form = new Submission(http);
    if (!form.isGenuine(visit)) return askToSignIn(reply, visit, { notice: FORM_EXPIRED }, 403);
    const signIn = await this.desk.signIn(form.get('email'), form.get('password'), http.ip);
    if (signIn.outcome !== 'signed-in') {
      const { status, notice } = answerRefusedSignIn(signIn, reply);
      return askToSignIn(reply, visit, { notice, email: form.get('email') }, status);
    }
    await this.sessions.begin(signIn.person, http, reply);
    void sendTo(reply, HOME);
  }

  @Post('sign-out')
  async signOut(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (new Submission(http).isGenuine(await this.sessions.visit(http, reply))) await this.sessions.end(http);
    void sendTo(reply, HOME);
  }
}

function askToSignIn(
  reply: FastifyReply,
  { formKey }: Visit,
  more: Partial<SignInForm> = {},
  status = 200,
): void {
  const purpose = 'to see which applications have access to your farms';
  void sendPage(reply, status, signInPage({ action: '/account/sign-in', formKey, purpose, ...more }));
}
