import { readdir, readFile, readlink } from 'node:fs/promises';

const onLinux = process.platform === 'linux';

/**
 * Whether `pid` is a living server of the cluster in `folder`. A killed server's number may belong to another program by
 * now, or to what the system keeps of the dead one until somebody asks for its exit code.
 */
export async function isServer(pid: number, folder: string): Promise<boolean> {
  if (!isTaken(pid)) return false;
  if (!onLinux) return true;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes(folder);
}

/**
 * Whether a server's number is the only thing left of it, so that PostgreSQL, which looks no further, would refuse to
 * start for ever. Where the first process of a container reaps nobody this follows every crash.
 */
export async function leftOnlyItsNumber(pid: number, folder: string): Promise<boolean> {
  return onLinux && isTaken(pid) && !(await isServer(pid, folder)) && !(await hasProcesses(folder));
}

function isTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Every process of a server works in the cluster's folder. */
async function hasProcesses(folder: string): Promise<boolean> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return folders.includes(folder);
}
