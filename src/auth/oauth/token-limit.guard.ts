import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { rateLimitFields, RateLimits } from '../../limits/index.js';
import type { FormRequest } from './client-authentication.js';
import { tooManyRequests } from './oauth-error.js';

/** Stands behind the ClientGuard: takes every request from the budget of the client, which nobody else can use up. */
@Injectable()
export class TokenLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { user: client } = http.getRequest<FormRequest>();
    if (!client) return false;
    const allowance = await this.limits.spend(`client:${client.id}`, 'tokens');
    void http.getResponse<FastifyReply>().headers(rateLimitFields(allowance));
    if (!allowance.allowed) throw tooManyRequests(allowance.resetSeconds);
    return true;
  }
}
