import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts an answer so that only whoever presents this refresh token again can read it: AES-256-GCM under HKDF-SHA256. */
export function sealAnswer(answer: string, refreshToken: string, salt: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(refreshToken, salt), nonce);
  return Buffer.concat([nonce, cipher.update(answer, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when it was not sealed with this token and salt. */
export function openAnswer(sealed: Buffer, refreshToken: string, salt: string): string {
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyOf(refreshToken, salt),
    sealed.subarray(0, NONCE_BYTES),
  );
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

function keyOf(refreshToken: string, salt: string): Buffer {
  return Buffer.from(hkdfSync('sha256', refreshToken, salt, 'muster grace answer', 32));
}
