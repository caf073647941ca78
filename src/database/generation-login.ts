import { hash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';

/** What generators' connections act as (migration 140). */
export const GENERATOR_ROLE = 'muster_generator';

/**
 * Makes the login that `generationUrl` names, with its password: one that is a member of the generators' role and of nothing else,
 * so that whoever takes its connection over cannot take on the service's role. `owner` may create roles.
 */
export async function makeGenerationLogin(owner: Client, generationUrl: string): Promise<void> {
  const { username, password } = new URL(generationUrl);
  const login = decodeURIComponent(username);
  if (login === owner.user) throw new Error(`GENERATION_DATABASE_URL must name a login other than ${login}`);
  const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [login]);
  if (rowCount === 0) await owner.query(`CREATE ROLE ${escapeIdentifier(login)}`);
  const verifier = escapeLiteral(scramVerifier(decodeURIComponent(password)));
  await owner.query(`ALTER ROLE ${escapeIdentifier(login)} LOGIN PASSWORD ${verifier}`);
  await owner.query(`GRANT ${GENERATOR_ROLE} TO ${escapeIdentifier(login)}`);
}

/** The generators' login at the embedded server, its password derived from the owner's: there is nothing more to keep. */
export function embeddedGenerationUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.password = createHmac('sha256', url.password).update('generation').digest('hex');
  url.username = 'muster_generation';
  return url.href;
}

/** As PostgreSQL stores a password (RFC 5803), so that the password itself reaches no statement and no log of the server. */
function scramVerifier(password: string): string {
  const [salt, iterations] = [randomBytes(16), 4096];
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = hash('sha256', keyed('Client Key'), 'base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}
