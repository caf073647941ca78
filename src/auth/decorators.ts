import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal, Scope } from './principal.js';

export const ANONYMOUS = 'auth:anonymous';
export const REQUIRED_SCOPE = 'auth:required-scope';

/** A request that the guard let in. */
export type AuthenticatedRequest = FastifyRequest & {
  principal?: Principal;
  identify?: () => Promise<Principal>;
};

/** Opens a route, or all routes of a controller, to everybody. */
export const Anonymous = () => SetMetadata(ANONYMOUS, true);

/** Closes a route, or all routes of a controller, to credentials without this scope: 403. */
export const RequireScope = (scope: Scope) => SetMetadata(REQUIRED_SCOPE, scope);

/** The `Principal` that calls. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!principal) throw new Error('@Caller() on a route that is @Anonymous()');
  return principal;
});

/** Looks again at the credentials that a request came with, for answers that take long; throws their refusal. */
export const Identify = createParamDecorator(
  (_: unknown, context: ExecutionContext): (() => Promise<Principal>) => {
    const { identify } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!identify) throw new Error('@Identify() on a route that is @Anonymous()');
    return identify;
  },
);
