import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

export interface BuiltCopy {
  /** Its dist folder, as MUSTER_TEST_BUILD names it. */
  readonly dist: string;
  /** A folder for whatever the generators of the test leave or look for. */
  readonly signs: string;
  remove(): Promise<void>;
}

/**
 * A copy of the built service with report types of a test's own dropped in, by folder: the text of their generator file, made with
 * the folder of signs. Nothing else of the copy differs.
 */
export async function builtCopyWith(
  types: Readonly<Record<string, (signs: string) => string>>,
): Promise<BuiltCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-built-'));
  const [dist, signs] = [join(folder, 'dist'), join(folder, 'signs')];
  await cp(process.env.MUSTER_TEST_BUILD ?? join(ROOT, 'dist'), dist, { recursive: true });
  for (const shared of ['node_modules', 'migrations', 'package.json'])
    await symlink(join(ROOT, shared), join(folder, shared));
  await mkdir(signs);
  for (const [stem, source] of Object.entries(types)) {
    await mkdir(join(dist, 'generators', stem), { recursive: true });
    await writeFile(join(dist, 'generators', stem, `${stem}.generator.js`), source(signs));
  }
  return { dist, signs, remove: () => rm(folder, { recursive: true, force: true }) };
}
