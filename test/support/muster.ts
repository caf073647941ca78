import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The built service, which tests of processes run: `nest build` comes before Jest. */
const BUILT = process.env.MUSTER_TEST_BUILD ?? join(import.meta.dirname, '../../dist');

export interface Finished {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface MusterOptions {
  /** Undefined: the embedded database of env.MUSTER_DATA_DIR. */
  readonly databaseUrl?: string;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Where it runs; the test's own folder unless said. */
  readonly folder?: string;
}

/** Runs a command of the built command line to its end. */
export async function runMuster(
  args: string[],
  { databaseUrl, input = '', env, folder }: MusterOptions = {},
): Promise<Finished> {
  const child = spawnMuster(args, { ...(databaseUrl && { DATABASE_URL: databaseUrl }), ...env }, folder);
  child.stdin.on('error', () => undefined).end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** Starts a process of the command line. A run that is cut short ends it all the same. */
export function spawnMuster(
  args: string[],
  env: NodeJS.ProcessEnv = {},
  folder?: string,
): ChildProcessWithoutNullStreams {
  const { PATH, HOME, TMPDIR, MUSTER_TEST_COMPILED: NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [join(BUILT, 'cli/muster.js'), ...args], {
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV: 'test', ...env },
    stdio: 'pipe',
    cwd: folder,
  });
  if (process.env.MUSTER_TEST_PROCESSES) appendFileSync(process.env.MUSTER_TEST_PROCESSES, `${child.pid}\n`);
  return child;
}
