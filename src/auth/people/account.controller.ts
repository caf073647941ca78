import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Describe } from '../../operations/describe.js';
import { Anonymous } from '../decorators.js';
import { AccessRevocation } from '../oauth/access-revocation.js';
import { applicationsPage } from '../pages/applications.page.js';
import { PageErrorFilter } from '../pages/page-error.filter.js';
import { showApplications, signIn, signOut, withdrawAccess } from '../pages/pages.description.js';
import { type Page, show, type Shown } from '../pages/page.js';
import { FORM_EXPIRED, SESSION_ENDED, type SignInForm, signInPage } from '../pages/sign-in.page.js';
import { ConnectedApplications } from './connected-applications.js';
import { FarmNames } from './farm-names.js';
import type { Person } from './people.js';
import { Sessions, type Visit } from './sessions.js';
import { refusedSignIn, SignInDesk } from './sign-in.js';
import { Submission } from './submission.js';

const HOME: Shown = { location: '/account/applications' };

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
  @Describe(showApplications)
  async list(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.sessions.visit(http, reply);
    show(reply, { page: visit.person ? await this.overview(visit.person, visit) : askToSignIn(visit) });
  }

  @Post('applications')
  @Describe(withdrawAccess)
  async withdraw(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.sessions.visit(http, reply);
    const form = new Submission(http);
    if (visit.person && form.isGenuine(visit)) {
      await this.revocation.withdraw(visit.person.id, form.get('client_id'));
    }
    show(reply, visit.person ? HOME : { page: askToSignIn(visit, { notice: SESSION_ENDED }) });
  }

  @Post('sign-in')
  @Describe(signIn)
  async signIn(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.sessions.visit(http, reply);
    show(reply, await this.trySignIn(visit, new Submission(http), http, reply));
  }

  @Post('sign-out')
  @Describe(signOut)
  async signOut(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (new Submission(http).isGenuine(await this.sessions.visit(http, reply))) await this.sessions.end(http);
    show(reply, HOME);
  }

  private async overview(person: Person, { formKey }: Visit): Promise<Page> {
    const applications = await this.applications.of(person.id);
    const farms = await this.farmNames.of(applications.flatMap((application) => application.farms));
    return applicationsPage({ person, formKey, applications, farms });
  }

  private async trySignIn(
    visit: Visit,
    form: Submission,
    http: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Shown> {
    if (!form.isGenuine(visit)) return { status: 403, page: askToSignIn(visit, { notice: FORM_EXPIRED }) };
    const email = form.get('email');
    const signIn = await this.desk.signIn(email, form.get('password'), http.ip);
    if (signIn.outcome !== 'signed-in') {
      return refusedSignIn(signIn, (notice) => askToSignIn(visit, { notice, email }));
    }
    await this.sessions.begin(signIn.person, http, reply);
    return HOME;
  }
}

function askToSignIn({ formKey }: Visit, more: Pick<SignInForm, 'notice' | 'email'> = {}): Page {
  const purpose = 'See which applications have access to your farms.';
  return signInPage({ action: '/account/sign-in', formKey, purpose, ...more });
}
