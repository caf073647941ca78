import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** OWASP's first choice for Argon2id: 19 MiB, two passes. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Of no password: checking against it costs what any check costs. */
const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** At most this many checks at once; the others wait. Each takes 19 MiB. */
const MOST_AT_ONCE = 4;
const waiting: (() => void)[] = [];
let running = 0;

/** Argon2id of a password in PHC format. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await inTurn(() =>
    derive('argon2id', { message: prepare(password), nonce, tagLength: 32, ...COST }),
  );
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Whether the password is the one that was hashed. Without a hash the answer is no, after the same work. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, m, t, p, nonce = '', tag = ''] = PHC.exec(stored ?? NOBODY) ?? [];
  const expected = Buffer.from(tag, 'base64');
  const cost = { memory: Number(m), passes: Number(t), parallelism: Number(p) };
  const parameters = {
    message: prepare(password),
    nonce: Buffer.from(nonce, 'base64'),
    tagLength: expected.length,
    ...cost,
  };
  const found = await inTurn(() => derive('argon2id', parameters));
  return timingSafeEqual(found, expected) && stored !== undefined;
}

/** The same letters from any keyboard. */
function prepare(password: string): string {
  return password.normalize('NFKC');
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
