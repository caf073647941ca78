import { Controller, HttpCode, Post, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Describe } from '../../operations/describe.js';
import { Anonymous } from '../decorators.js';
import { AccessRevocation } from './access-revocation.js';
import { CallingClient, ClientGuard } from './client-authentication.js';
import type { Client } from './clients.js';
import type { Form } from './form.js';
import { FormGuard, SentForm } from './form.guard.js';
import { Introspection } from './introspection.js';
import { STATUS_LIMITS } from './limits.js';
import { introspectToken, revokeToken } from './oauth.description.js';
import { sendJson } from './oauth-answer.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';
import { invalidClient, invalidRequest } from './oauth-error.js';

/** What a client may do about a token it holds: end it (RFC 7009), ask about it (RFC 7662). */
@Controller('oauth2')
@Anonymous()
@UseFilters(OAuthErrorFilter)
@UseGuards(FormGuard(STATUS_LIMITS), ClientGuard)
export class TokenStatusController {
  constructor(
    private readonly revocation: AccessRevocation,
    private readonly introspection: Introspection,
  ) {}

  @Post('revoke')
  @HttpCode(200)
  @Describe(revokeToken)
  async revoke(
    @CallingClient() client: Client,
    @SentForm() form: Form,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.revocation.revokeToken(client.id, tokenOf(form));
    void sendJson(reply, '{}');
  }

  @Post('introspect')
  @HttpCode(200)
  @Describe(introspectToken)
  async introspect(
    @CallingClient() client: Client,
    @SentForm() form: Form,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (client.public) throw invalidClient(); // Naming itself, which anybody can, does not authenticate it.
    void sendJson(reply, JSON.stringify(await this.introspection.describe(client.id, tokenOf(form))));
  }
}

function tokenOf(form: Form): string {
  const token = form.get('token');
  if (token === undefined) throw invalidRequest('The parameter token is missing.');
  return token;
}
