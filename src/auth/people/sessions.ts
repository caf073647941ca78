import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../config.js';
import { Database } from '../../database/database.js';
import { hashOf, isSecret, makeSecret } from '../secret.js';
import { type Person, PERSON_COLUMNS, type PersonRow, toPerson } from './people.js';

const SESSION_HOURS = 12;

/** A browser at our pages: somebody's session, or nobody's yet. Forms it sends must carry its `formKey` (against CSRF). */
export interface Visit {
  readonly person?: Person;
  readonly formKey: string;
}

/** Who is signed in where. The cookie is the session's only key; what is stored is its digest. */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Who visits. A browser without a cookie is given one, so that the forms shown to it can be told from forged ones. */
  async visit(request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
    const token = this.cookieOf(request);
    if (token === undefined) return { formKey: formKeyOf(this.giveCookie(reply)) };
    const { rows } = await this.database.query<PersonRow>({
      name: 'session-visit',
      text: `SELECT ${PERSON_COLUMNS} FROM person_session session JOIN person ON person.id = session.person_id
             WHERE session.hash = $1 AND session.expires_at > now() AND person.disabled_at IS NULL`,
      values: [hashOf(token)],
    });
    return { ...(rows[0] && { person: toPerson(rows[0]) }), formKey: formKeyOf(token) };
  }

  /** Begins a session under a new cookie, so that one planted in the browser before is worth nothing. */
  async begin(person: Person, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.end(request);
    await this.database.query(
      `INSERT INTO person_session (hash, person_id, expires_at) VALUES ($1, $2, now() + make_interval(hours => $3))`,
      [hashOf(this.giveCookie(reply)), person.id, SESSION_HOURS],
    );
  }

  async end(request: FastifyRequest): Promise<void> {
    const token = this.cookieOf(request);
    if (token !== undefined)
      await this.database.query('DELETE FROM person_session WHERE hash = $1', [hashOf(token)]);
  }

  /** The value of our cookie, if it is one that we gave. */
  private cookieOf({ headers }: FastifyRequest): string | undefined {
    const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
    const [, value = ''] = cookies.find(([name]) => name === this.cookieName) ?? [];
    return isSecret('session', value) ? value : undefined;
  }

  private giveCookie(reply: FastifyReply): string {
    const token = makeSecret('session');
    const secure = this.secure ? '; Secure' : '';
    void reply.header('Set-Cookie', `${this.cookieName}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}`);
    return token;
  }

  private get secure(): boolean {
    return this.config.publicUrl.startsWith('https:');
  }

  /** `__Host-`: browsers take it from this host alone. */
  private get cookieName(): string {
    return this.secure ? '__Host-muster' : 'muster';
  }
}

/** Compares keys of forms in constant time. */
export function isFormKey(sent: string | undefined, { formKey }: Visit): boolean {
  const nonce = randomBytes(16);
  const digest = (text: string) => createHmac('sha256', nonce).update(text).digest();
  return timingSafeEqual(digest(sent ?? ''), digest(formKey));
}

function formKeyOf(token: string): string {
  return createHmac('sha256', token).update('form key').digest('base64url');
}
