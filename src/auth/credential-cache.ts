import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../config.js';
import type { Principal } from './principal.js';
import { Revocations } from './revocations.js';
import { hashOf } from './secret.js';

const MOST_CREDENTIALS = 10_000;

/** A credential found in force. */
export interface CheckedCredential {
  readonly principal: Principal;
  /** What it rests on: when any of this is revoked it ends. */
  readonly endedBy: readonly string[];
  /** Unix milliseconds. */
  readonly expiresAt?: number;
}

/**
 * Remembers for a few seconds which credentials were found in force, and forgets them at a notice of revocation from any
 * process. A process that cannot hear notices remembers nothing. Refusals are not remembered.
 */
@Injectable()
export class CredentialCache implements OnModuleInit {
  private readonly known: LRUCache<string, CheckedCredential> | undefined;
  private notices = 0;

  constructor(
    private readonly revocations: Revocations,
    { CREDENTIAL_CACHE_SECONDS: seconds, ROLE }: Config,
  ) {
    if (seconds > 0 && ROLE !== 'worker')
      this.known = new LRUCache({ max: MOST_CREDENTIALS, ttl: seconds * 1000 });
  }

  onModuleInit(): void {
    if (this.known)
      this.revocations.listen(
        (ended) => this.forget(ended),
        () => this.forgetAll(),
      );
  }

  /** The credential as remembered, or as `check` finds it now. */
  async get(
    secret: string,
    check: (secret: string) => Promise<CheckedCredential | undefined>,
  ): Promise<CheckedCredential | undefined> {
    if (!this.known || !this.revocations.listening) return check(secret);
    const key = hashOf(secret).toString('base64');
    const remembered = this.known.get(key);
    if (remembered) return stillValid(remembered);
    const before = this.notices;
    const found = await check(secret);
    // What was read before a notice may be what the notice ended.
    if (found && this.notices === before) this.known.set(key, found);
    return found;
  }

  private forget(ended: string): void {
    this.notices++;
    for (const [key, { endedBy }] of this.known?.entries() ?? [])
      if (endedBy.includes(ended)) this.known?.delete(key);
  }

  private forgetAll(): void {
    this.notices++;
    this.known?.clear();
  }
}

function stillValid(credential: CheckedCredential): CheckedCredential | undefined {
  return credential.expiresAt === undefined || credential.expiresAt > Date.now() ? credential : undefined;
}
