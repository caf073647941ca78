import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { type Allowance, type Budget, rateLimitFields, RateLimits } from '../limits/index.js';
import { Problem } from '../operations/problem.js';
import { type AuthenticatedRequest, REQUIRED_SCOPE } from './decorators.js';
import type { Scope } from './principal.js';

/** Stands behind the AuthenticationGuard: takes every request from the budget of whoever sent it, and says what is left. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimits,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    if (!request.principal) return true;
    const reply = http.getResponse<FastifyReply>();
    const spent = this.limits.spend(request.principal.id, this.budgetOf(request, context));
    return spent instanceof Promise
      ? spent.then((allowance) => admit(allowance, reply))
      : admit(spent, reply);
  }

  private budgetOf({ method }: AuthenticatedRequest, context: ExecutionContext): Budget {
    if (method === 'GET' || method === 'HEAD') return 'reads';
    const places = [context.getHandler(), context.getClass()];
    const scope = this.reflector.getAllAndOverride<Scope | undefined>(REQUIRED_SCOPE, places);
    return scope === 'write:records' ? 'imports' : 'writes';
  }
}

function admit(allowance: Allowance, reply: FastifyReply): boolean {
  void reply.headers(rateLimitFields(allowance));
  if (allowance.allowed) return true;
  const { resetSeconds, quota, windowSeconds, budget } = allowance;
  throw new Problem(
    'too-many-requests',
    `No more than ${quota} ${budget} in ${windowSeconds} seconds; the next in ${resetSeconds} seconds.`,
    { headers: { 'Retry-After': String(resetSeconds) } },
  );
}
