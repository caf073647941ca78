import { chmod, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Config } from '../../config.js';
import { EmbeddedPostgres } from './embedded-postgres.js';

const asRoot = process.getuid?.() === 0 ? it : it.skip;

let folder: string;
let joined: EmbeddedPostgres[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster embedded '));
  await chmod(folder, 0o755);
  joined = [];
});

afterEach(async () => {
  await Promise.all(joined.map((server) => server.leave()));
  await rm(folder, { recursive: true, force: true });
});

const settings = (given: Partial<Config> = {}): Config =>
  Object.assign(new Config(), { MUSTER_DATA_DIR: join(folder, 'data') }, given);

async function joinIt(given: Partial<Config> = {}): Promise<EmbeddedPostgres> {
  const server = await EmbeddedPostgres.join(settings(given));
  joined.push(server);
  return server;
}

async function query(server: EmbeddedPostgres, statement: string): Promise<unknown[]> {
  const client = new Client(server.url);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

async function serverPid(data = join(folder, 'data')): Promise<number> {
  return parseInt(await readFile(join(data, 'postgres/postmaster.pid'), 'utf8'));
}

it('keeps what was written, orders text by code point, and listens on loopback only', async () => {
  const first = await joinIt();
  await query(first, 'CREATE TABLE kept AS SELECT 1');
  expect(await query(first, 'SHOW listen_addresses')).toEqual(['127.0.0.1']);
  await first.leave();
  const second = await joinIt();
  expect(
    await query(second, `SELECT word FROM kept, unnest('{é,b,Z,a}'::text[]) word ORDER BY word`),
  ).toEqual(['Z', 'a', 'b', 'é']);
});

it('lets nobody in without the password, which only its user can read', async () => {
  const { url } = await joinIt();
  const wrong = new Client(url.replace(/:[^:@]+@/, ':guess@'));
  await expect(wrong.connect()).rejects.toThrow('password authentication failed');
  expect((await stat(join(folder, 'data/password'))).mode & 0o077).toBe(0);
});

it('is one server for all who come at the same moment, until the last has left', async () => {
  const [first, second, third] = await Promise.all([joinIt(), joinIt(), joinIt()]);
  expect(new Set([first.url, second.url, third.url]).size).toBe(1);
  await first.leave();
  await second.leave();
  expect(await query(third, 'SELECT 1')).toEqual([1]);
  await third.leave();
  await expect(query(third, 'SELECT 1')).rejects.toThrow();
});

it('starts again on the same port when the server is killed under its users', async () => {
  const server = await joinIt();
  await query(server, 'CREATE TABLE kept AS SELECT 1');
  const killed = await serverPid();
  process.kill(killed, 'SIGKILL');
  await joinedAgain(server);
  expect(await query(server, 'SELECT * FROM kept')).toEqual([1]);
  expect(await serverPid()).not.toBe(killed);
});

it('is not fooled by the number that a killed server left, now that of another program', async () => {
  const server = await joinIt();
  const killed = await serverPid();
  process.kill(killed, 'SIGKILL');
  await joinedAgain(server);
  await server.leave();
  await writeFile(
    join(folder, 'data/postgres/postmaster.pid'),
    `${process.ppid}\n/elsewhere\n1\n1\n\n127.0.0.1\n1 1\nready\n`,
  );
  expect(await query(await joinIt(), 'SELECT 1')).toEqual([1]);
});

it('says that a data folder of another release needs a dump', async () => {
  await (await joinIt()).leave();
  await writeFile(join(folder, 'data/postgres/PG_VERSION'), '12\n');
  await expect(joinIt()).rejects.toThrow(/made by PostgreSQL 12 and this release embeds \d+/);
});

describe('stays away', () => {
  it('where DATABASE_URL is set', async () => {
    await expect(joinIt({ DATABASE_URL: 'postgres://elsewhere' })).rejects.toThrow('DATABASE_URL is set');
    expect(await readdir(folder)).toEqual([]);
  });

  it('in production', async () => {
    await expect(joinIt({ NODE_ENV: 'production' })).rejects.toThrow('not for production');
    expect(await readdir(folder)).toEqual([]);
  });
});

asRoot('runs as another user for root, in a folder that user cannot enter too', async () => {
  await chmod(folder, 0o700);
  const server = await joinIt();
  const elsewhere = await readlink(join(folder, 'data/elsewhere'));
  try {
    expect(await query(server, 'SELECT 1')).toEqual([1]);
    expect((await stat(`/proc/${await serverPid(elsewhere)}`)).uid).not.toBe(0);
    await server.leave();
    expect(await query(await joinIt(), 'SELECT 1')).toEqual([1]);
  } finally {
    await Promise.all(joined.map((user) => user.leave()));
    await rm(elsewhere, { recursive: true, force: true });
  }
});

/** Waits, without a clock, until the server takes connections again: another join waits for the one who starts it. */
async function joinedAgain(server: EmbeddedPostgres): Promise<void> {
  const other = await joinIt();
  expect(other.url).toBe(server.url);
  await other.leave();
}
