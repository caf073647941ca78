import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { verifyPassword } from './passwords.js';

/** Somebody who is signed in or about to be. */
export interface Person {
  readonly id: string;
  readonly email: string;
  /** Farms they own or work on, in order of their ids. */
  readonly farms: readonly string[];
}

export interface PersonRow {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string;
  readonly farms: string[];
}

export const PERSON_COLUMNS = `person.id, person.email, person.password_hash,
  ARRAY(SELECT farm_id FROM person_farm WHERE person_id = person.id ORDER BY farm_id) AS farms`;

/** The people who can sign in. */
@Injectable()
export class People {
  constructor(private readonly database: Database) {}

  /** The person of this address and password; somebody unknown or disabled costs the same work as a wrong password. */
  async authenticate(email: string, password: string): Promise<Person | undefined> {
    const { rows } = await this.database.query<PersonRow>({
      name: 'person-by-email',
      text: `SELECT ${PERSON_COLUMNS} FROM person WHERE lower(email) = lower($1) AND disabled_at IS NULL`,
      values: [email.trim()],
    });
    const [row] = rows;
    return (await verifyPassword(password, row?.password_hash)) && row ? toPerson(row) : undefined;
  }
}

export function toPerson({ id, email, farms }: PersonRow): Person {
  return { id, email, farms };
}
