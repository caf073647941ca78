import { Command, Query } from '@nestjs/cqrs';
import type { Scope } from './principal.js';

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

/** A command of an operator that cannot be done as it was asked; the message says why in plain words. */
export class NotAcceptable extends Error {}
