import { hash, randomBytes } from 'node:crypto';

/** What a credential is, told by how it begins, so that a leaked one is recognised and one kind never serves as another. */
const PREFIX = {
  'api-key': 'mk_',
  code: 'mc_',
  'access-token': 'ma_',
  'refresh-token': 'mr_',
  'client-secret': 'ms_',
  session: 'mn_',
} as const;

export type SecretKind = keyof typeof PREFIX;

/** 32 random bytes behind the prefix of their kind, all of `[A-Za-z0-9_-]`: raw and form-encoded read alike. */
export function makeSecret(kind: SecretKind): string {
  return PREFIX[kind] + randomBytes(32).toString('base64url');
}

/** Whether a string could be a credential of this kind at all. */
export function isSecret(kind: SecretKind, text: string): boolean {
  return text.startsWith(PREFIX[kind]) && /^[\w-]{43}$/.test(text.slice(PREFIX[kind].length));
}

/** What is stored of a credential, and what it is found by. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** An identifier that is no secret, such as `ak_…`. */
export function makeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('base64url')}`;
}
