import { readFile } from 'node:fs/promises';
import pg from 'pg';

const EVERY_MS = 200;
/** Of the clock that /proc counts processor time by: the same on every Linux. */
const TICKS_A_SECOND = 100;

/** What work took of a process and of the database server; NaN where the system has no /proc. */
export interface Resources {
  /** Megabytes at the highest: resident, of the process with all its threads. */
  readonly process: number;
  /** Megabytes at the highest: private to the server's processes, all together, without the buffers that they share. */
  readonly database: number;
  /** Seconds of processors that both took, which a busy machine does not make more. */
  readonly processors: number;
}

/** Watches a process and the database server it works with, on this machine, until it is told to stop. */
export async function watchResources(pid: number, databaseUrl: string): Promise<() => Promise<Resources>> {
  const server = await serverOf(databaseUrl);
  const peaks = { process: NaN, database: NaN };
  const spent = async () => {
    const all = await Promise.all([pid, server, ...(await childrenOf(server))].map(processorSeconds));
    return all.reduce((sum, seconds) => sum + seconds, 0);
  };
  const before = await spent();
  const look = async () => {
    peaks.process = larger(peaks.process, await megabytes(pid, 'VmRSS'));
    const backends = await Promise.all(
      (await childrenOf(server)).map((child) => megabytes(child, 'RssAnon')),
    );
    if (backends.length > 0)
      peaks.database = larger(
        peaks.database,
        backends.reduce((sum, size) => sum + (size || 0), 0),
      );
  };
  let looking = look();
  const timer = setInterval(() => {
    looking = look();
  }, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await looking;
    return { ...peaks, processors: (await spent()) - before };
  };
}

async function serverOf(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const status = await statusOf(rows[0]?.pid ?? 0);
  await client.end();
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0);
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}

async function megabytes(pid: number, what: 'VmRSS' | 'RssAnon'): Promise<number> {
  const kilobytes = new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(await statusOf(pid))?.[1];
  return kilobytes === undefined ? NaN : Number(kilobytes) / 1024;
}

/** Its own, and those of its children that have ended. */
async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
}

function statusOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
}

function larger(one: number, other: number): number {
  return one > other || Number.isNaN(other) ? one : other;
}
