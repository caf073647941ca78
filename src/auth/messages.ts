import { Command, Query } from '@nestjs/cqrs';
import type { Principal, Scope } from './principal.js';

export interface IssuedApiKey {
  readonly id: string;
  /** Told this once; only its digest is kept. */
  readonly apiKey: string;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly farms: readonly string[] | 'all';
  readonly createdAt: Date;
  readonly revokedAt?: Date;
}

/** Issues a key to a system. Throws NotAcceptable when it would reach no farm or allow nothing. */
export class CreateApiKey extends Command<IssuedApiKey> {
  constructor(
    readonly name: string,
    readonly scopes: readonly string[],
    readonly farms: readonly string[] | 'all',
  ) {
    super();
  }
}

/** Ends a key at once, in every process. Answers false when there is no such key in force. */
export class RevokeApiKey extends Command<boolean> {
  constructor(readonly id: string) {
    super();
  }
}

/** Every key ever issued, the newest first. */
export class ListApiKeys extends Query<readonly ApiKey[]> {}

/** A command of an operator that makes no sense as it was given; the message says why in plain words. */
export class NotAcceptable extends Error {}

/** A command of an operator that makes sense, but not with what there is. */
export class NotPossible extends Error {}

/** What the form of a token request asked for; `none`: it was refused before its form was read. */
export type RequestedGrant = 'authorization_code' | 'refresh_token' | 'other' | 'none';

/** The token endpoint has answered: `issued`, the reason of a refused grant, or the error. For counting. */
export class TokenRequestAnswered {
  constructor(
    readonly grant: RequestedGrant,
    readonly result: string,
  ) {}
}

/** The names of farms by id, as far as they are known. Asked by the consent page, answered by whoever keeps farms. */
export class NameFarms extends Query<ReadonlyMap<string, string>> {
  constructor(readonly farmIds: readonly string[]) {
    super();
  }
}

export interface CreatedPerson {
  readonly id: string;
  readonly email: string;
  /** Made up here because none was given; told this once. */
  readonly password?: string;
}

/** Lets a person sign in. Throws NotAcceptable for a bad address, a weak password, or no farm, NotPossible when the address is taken. */
export class CreatePerson extends Command<CreatedPerson> {
  constructor(
    readonly email: string,
    readonly farms: readonly string[],
    readonly password?: string,
  ) {
    super();
  }
}

/** Ends a person's sessions and all access in their name at once. Answers false when nobody has this address. */
export class DisablePerson extends Command<boolean> {
  constructor(readonly email: string) {
    super();
  }
}

export interface RegisteredClient {
  readonly clientId: string;
  /** Told this once; a public client has none. */
  readonly clientSecret?: string;
}

/** Registers an application. Throws NotAcceptable for a redirect address that is not safe or a scope there is not. */
export class RegisterClient extends Command<RegisteredClient> {
  constructor(
    readonly name: string,
    readonly redirectUris: readonly string[],
    readonly scopes: readonly string[],
    /** It cannot keep a secret, as an application on a person's own device; it must use PKCE. */
    readonly isPublic: boolean,
    readonly requirePkce: boolean,
    readonly grants: readonly string[] = ['authorization_code', 'refresh_token'],
  ) {
    super();
  }
}

/** Gives a client a new secret. The old one stays valid for a while. Throws NotPossible when there is no such client. */
export class RotateClientSecret extends Command<Required<RegisteredClient>> {
  constructor(
    readonly clientId: string,
    readonly overlapSeconds: number,
  ) {
    super();
  }
}

/** Ends a client and all access it has at once. Answers false when there is no such client in force. */
export class DisableClient extends Command<boolean> {
  constructor(readonly clientId: string) {
    super();
  }
}

/**
 * What the credential that `id` names (a `Principal.id`, or `client:cl_…` for a client with whoever granted it access)
 * allows now of one scope: asked when work is done in its name and nobody presents it. Undefined: it has ended, or lacks
 * the scope.
 */
export class FindPrincipal extends Query<Principal | undefined> {
  constructor(
    readonly id: string,
    readonly scope: Scope,
  ) {
    super();
  }
}

/** Those of some credentials, named as for FindPrincipal, that reach a farm with a scope now. */
export class FindReaching extends Query<ReadonlySet<string>> {
  constructor(
    readonly ids: readonly string[],
    readonly farmId: string,
    readonly scope: Scope,
  ) {
    super();
  }
}
