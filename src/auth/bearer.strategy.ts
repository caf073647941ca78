import type { IncomingMessage } from 'node:http';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import type { CheckedCredential } from './credential-cache.js';
import { CredentialCache } from './credential-cache.js';
import { badCredential } from './refusals.js';

const LONGEST_TOKEN = 2048;
const BEARER = new RegExp(`^bearer +([A-Za-z0-9\\-._~+/]{1,${LONGEST_TOKEN}}=*)$`, 'i');

/** Finds what an access token allows; undefined unless it is in force. */
export abstract class AccessTokenCheck {
  abstract check(token: string): Promise<CheckedCredential | undefined>;
}

/**
 * `Authorization: Bearer …` (RFC 6750). Of the request the library sees this header alone, in strict syntax: left to
 * itself it would also take a token, or an object, from the query or the body.
 */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  /** Set by passport on each use. */
  declare private readonly fail: (status: number) => void;

  constructor(
    private readonly tokens: AccessTokenCheck,
    private readonly cache: CredentialCache,
  ) {
    super({ realm: 'muster' });
  }

  override authenticate(request: Pick<IncomingMessage, 'headers'>): void {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) this.fail(400);
    else super.authenticate({ headers: { authorization: `Bearer ${token}` } } as never);
  }

  async validate(token: string): Promise<CheckedCredential | false> {
    return (await this.cache.get(token, (presented) => this.tokens.check(presented))) ?? false;
  }
}

/** Runs the strategy; every refusal is the same 401 (the guard of the library would drop its challenge). */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  override handleRequest<Checked>(
    error: unknown,
    found: Checked | false,
    _info: unknown,
    _context: ExecutionContext,
  ): Checked {
    if (error) throw error as Error;
    if (!found) throw badCredential();
    return found;
  }
}
