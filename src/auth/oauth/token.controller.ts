import { Controller, HttpCode, Post, Res, UseFilters, UseGuards } from '@nestjs/common';
import { EventBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Describe } from '../../operations/describe.js';
import { Anonymous } from '../decorators.js';
import { isVerifier } from '../grants/pkce.js';
import { TokenRequestAnswered } from '../messages.js';
import { CallingClient, ClientGuard } from './client-authentication.js';
import type { Client } from './clients.js';
import { CodeExchange, type Exchanged } from './code-exchange.js';
import type { Form } from './form.js';
import { FormGuard, SentForm } from './form.guard.js';
import { TOKEN_LIMITS } from './limits.js';
import { requestTokens } from './oauth.description.js';
import { sendJson } from './oauth-answer.js';
import { TokenLimitGuard } from './token-limit.guard.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';
import { invalidGrant, invalidRequest, invalidScope, OAuthError } from './oauth-error.js';
import { RefreshExchange } from './refresh-exchange.js';

/** `POST /oauth2/token` (oauth.md 1 to 3). The gate has looked at the request, the guards at the form and the client. */
@Controller('oauth2')
@Anonymous()
@UseFilters(OAuthErrorFilter)
export class TokenController {
  constructor(
    private readonly codes: CodeExchange,
    private readonly refreshes: RefreshExchange,
    private readonly events: EventBus,
  ) {}

  @Post('token')
  @HttpCode(200)
  @UseGuards(FormGuard(TOKEN_LIMITS), ClientGuard, TokenLimitGuard)
  @Describe(requestTokens)
  async token(
    @CallingClient() client: Client,
    @SentForm() form: Form,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const grant = readGrantType(form, client);
    const exchanged = await (grant === 'refresh_token'
      ? this.refresh(client, form)
      : this.redeem(client, form));
    if (exchanged.outcome === 'refused')
      throw exchanged.error === 'invalid_scope'
        ? invalidScope(exchanged.reason)
        : invalidGrant(exchanged.reason);
    this.events.publish(new TokenRequestAnswered(grant, 'issued'));
    void sendJson(reply, exchanged.answer);
  }

  private redeem(client: Client, form: Form): Promise<Exchanged> {
    const code = required(form, 'code');
    const [redirectUri, verifier] = [form.get('redirect_uri'), form.get('code_verifier')];
    if (verifier !== undefined && !isVerifier(verifier)) {
      throw invalidRequest('code_verifier must be 43 to 128 unreserved characters.');
    }
    return this.codes.redeem(client, {
      code,
      ...(redirectUri && { redirectUri }),
      ...(verifier && { verifier }),
    });
  }

  private refresh(client: Client, form: Form): Promise<Exchanged> {
    const refreshToken = required(form, 'refresh_token');
    const scope = form.get('scope');
    return this.refreshes.refresh(client, { refreshToken, ...(scope && { scope }) });
  }
}

function readGrantType(form: Form, client: Client): 'authorization_code' | 'refresh_token' {
  const grant = required(form, 'grant_type');
  if (grant !== 'authorization_code' && grant !== 'refresh_token') {
    throw new OAuthError('unsupported_grant_type', 'The grant type is not supported.');
  }
  if (!client.grants.includes(grant)) {
    throw new OAuthError('unauthorized_client', 'The client may not use this grant type.');
  }
  return grant;
}

function required(form: Form, name: 'grant_type' | 'code' | 'refresh_token'): string {
  const value = form.get(name);
  if (value === undefined) throw invalidRequest(`The parameter ${name} is missing.`);
  return value;
}
