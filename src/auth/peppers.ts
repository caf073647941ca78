import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config.js';
import { Database } from '../database/database.js';

/** An HMAC of a client secret and the name of the pepper it was made with. */
export interface PepperedSecret {
  readonly hmac: Buffer;
  readonly pepper: string;
}

/**
 * The keys that client secrets, and secrets that must be read again, are stored under. CLIENT_SECRET_PEPPERS lists them, the current one first; without it, outside
 * production, a random one is kept in the database so that every process finds the same.
 */
@Injectable()
export class Peppers {
  private keys: Promise<ReadonlyMap<string, Buffer>> | undefined;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {}

  /** Under the pepper that is named, or under the current one. Answers undefined when there is no such pepper any more. */
  async seal(secret: string, pepper?: string): Promise<PepperedSecret | undefined> {
    const name = pepper ?? (await this.current()).name;
    const key = await this.find(name);
    return key && { hmac: createHmac('sha256', key).update(secret).digest(), pepper: name };
  }

  /** The one that new secrets are stored under. */
  async current(): Promise<{ readonly name: string; readonly key: Buffer }> {
    for (const [name, key] of await this.load()) return { name, key };
    throw new Error('there is no pepper');
  }

  async find(name: string): Promise<Buffer | undefined> {
    return (await this.load()).get(name);
  }

  private load(): Promise<ReadonlyMap<string, Buffer>> {
    this.keys ??= this.read().catch((error: unknown) => {
      this.keys = undefined;
      throw error;
    });
    return this.keys;
  }

  private async read(): Promise<ReadonlyMap<string, Buffer>> {
    const configured = this.config.CLIENT_SECRET_PEPPERS;
    if (configured !== undefined) return parsePeppers(configured);
    await this.database.query(
      `INSERT INTO development_pepper (id, pepper) VALUES ('development', $1) ON CONFLICT (id) DO NOTHING`,
      [randomBytes(32)],
    );
    const { rows } = await this.database.query<{ id: string; pepper: Buffer }>(
      'SELECT id, pepper FROM development_pepper',
    );
    return new Map(rows.map(({ id, pepper }) => [id, pepper]));
  }
}

function parsePeppers(configured: string): Map<string, Buffer> {
  return new Map(
    configured.split(',').map((entry) => {
      const [name = '', key = ''] = entry.split(':');
      return [name, Buffer.from(key, 'base64')];
    }),
  );
}
