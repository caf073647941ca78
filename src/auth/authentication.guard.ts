import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiKeys } from './api-keys.js';
import { BearerGuard } from './bearer.strategy.js';
import { type CheckedCredential, CredentialCache } from './credential-cache.js';
import { ANONYMOUS, type AuthenticatedRequest, REQUIRED_SCOPE } from './decorators.js';
import { headerLines } from './headers.js';
import { intersect, type Principal, type Scope } from './principal.js';
import { badCredential, doubledCredential, insufficientScope, noCredential } from './refusals.js';

/**
 * Stands before every route that is not `@Anonymous()`. Takes a Bearer token, an API key, or both, from headers only;
 * all that is sent must be valid, and the caller may do what all of it allows (http-api 6).
 */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly bearer: BearerGuard,
    private readonly apiKeys: ApiKeys,
    private readonly cache: CredentialCache,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(ANONYMOUS, places)) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const identify = (): Promise<Principal> => this.identify(request, context);
    const principal = await identify();
    const scope = this.reflector.getAllAndOverride<Scope | undefined>(REQUIRED_SCOPE, places);
    if (scope && !principal.scopes.has(scope)) throw insufficientScope(scope);
    Object.assign(request, { principal, identify });
    return true;
  }

  private async identify(request: AuthenticatedRequest, context: ExecutionContext): Promise<Principal> {
    if (['authorization', 'x-api-key'].some((name) => headerLines(request.raw, name).length > 1))
      throw doubledCredential();
    const key = request.headers['x-api-key'];
    const principals = [
      ...(request.headers.authorization ? [await this.checkToken(request, context)] : []),
      ...(typeof key === 'string' && key !== '' ? [await this.checkKey(key)] : []),
    ];
    const [first, second] = principals;
    if (!first) throw noCredential();
    return second ? intersect(first, second) : first;
  }

  private async checkToken(request: AuthenticatedRequest, context: ExecutionContext): Promise<Principal> {
    await this.bearer.canActivate(context);
    return (request as unknown as { user: CheckedCredential }).user.principal;
  }

  private async checkKey(key: string): Promise<Principal> {
    const checked = await this.cache.get(key, (presented) => this.apiKeys.check(presented));
    if (!checked) throw badCredential();
    return checked.principal;
  }
}
