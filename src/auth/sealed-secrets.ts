import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Peppers } from './peppers.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The pepper that a secret was sealed under is configured no longer. */
export class SealLost extends Error {}

/**
 * Keeps secrets that must be read again, such as those that sign webhooks, so that a dump of the database alone does not
 * give them away: AES-256-GCM under a key derived from the current pepper, bound to what they belong to. The sealed form is
 * text: the pepper's name, a dot, base64url.
 */
@Injectable()
export class SealedSecrets {
  constructor(private readonly peppers: Peppers) {}

  /** `owner` is what the secret belongs to; sealed for one owner it opens for no other. */
  async seal(secret: string, owner: string): Promise<string> {
    const { name, key } = await this.peppers.current();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, sealingKey(key), nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${name}.${sealed.toString('base64url')}`;
  }

  /** Throws SealLost when its pepper is gone, and an Error when it was sealed for another owner or changed. */
  async open(sealed: string, owner: string): Promise<string> {
    const [name = '', text = ''] = sealed.split('.');
    const key = await this.peppers.find(name);
    if (!key) throw new SealLost(`the pepper ${name} is not configured any more`);
    const bytes = Buffer.from(text, 'base64url');
    const decipher = createDecipheriv(ALGORITHM, sealingKey(key), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    }).setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }
}

/** Not the pepper itself, which keys HMACs. */
function sealingKey(pepper: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', 'muster sealed secret', 32));
}
