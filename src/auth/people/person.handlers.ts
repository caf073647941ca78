import { randomBytes } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Database } from '../../database/database.js';
import { type CreatedPerson, CreatePerson, DisablePerson, NotAcceptable, NotPossible } from '../messages.js';
import { announce } from '../revocations.js';
import { makeId } from '../secret.js';
import { hashPassword } from './passwords.js';

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 1024;
const TAKEN = '23505';

@CommandHandler(CreatePerson)
export class CreatePersonHandler implements ICommandHandler<CreatePerson> {
  constructor(private readonly database: Database) {}

  async execute({ email, farms, password }: CreatePerson): Promise<CreatedPerson> {
    if (!EMAIL.test(email)) throw new NotAcceptable(`${email} is no email address`);
    if (farms.length === 0) throw new NotAcceptable('a person needs a farm');
    if (farms.includes('*')) throw new NotAcceptable('people are given farms by name, not all of them');
    if (password !== undefined) checkPassword(password);
    const made = password ?? randomBytes(15).toString('base64url');
    const id = makeId('person');
    await this.store(id, email, await hashPassword(made), farms);
    return { id, email, ...(password === undefined && { password: made }) };
  }

  private store(id: string, email: string, hash: string, farms: readonly string[]): Promise<void> {
    return this.database.transaction(async (tx) => {
      await tx
        .query('INSERT INTO person (id, email, password_hash) VALUES ($1, $2, $3)', [id, email, hash])
        .catch((error: unknown) => {
          throw (error as { code?: string }).code === TAKEN
            ? new NotPossible(`there is a person ${email} already`)
            : error;
        });
      await tx.query('INSERT INTO person_farm (person_id, farm_id) SELECT DISTINCT $1, unnest($2::text[])', [
        id,
        farms,
      ]);
    });
  }
}

@CommandHandler(DisablePerson)
export class DisablePersonHandler implements ICommandHandler<DisablePerson> {
  constructor(private readonly database: Database) {}

  execute({ email }: DisablePerson): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const { rows } = await tx.query<{ id: string }>(
        'UPDATE person SET disabled_at = now() WHERE lower(email) = lower($1) AND disabled_at IS NULL RETURNING id',
        [email],
      );
      const [person] = rows;
      if (!person) return false;
      await tx.query('DELETE FROM person_session WHERE person_id = $1', [person.id]);
      await announce(tx, `person:${person.id}`);
      return true;
    });
  }
}

function checkPassword(password: string): void {
  if (Array.from(password).length < SHORTEST_PASSWORD)
    throw new NotAcceptable(`a password has at least ${SHORTEST_PASSWORD} characters`);
  if (password.length > LONGEST_PASSWORD)
    throw new NotAcceptable(`a password has at most ${LONGEST_PASSWORD} characters`);
}
