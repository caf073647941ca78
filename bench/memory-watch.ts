import { readFile } from 'node:fs/promises';
import pg from 'pg';

const EVERY_MS = 200;

/** Megabytes at the highest; NaN where the system has no /proc. */
export interface MemoryPeaks {
  /** Resident, of the process with all its threads. */
  readonly process: number;
  /** Private to the server's processes, all together: without the buffers that they share. */
  readonly database: number;
}

/** Watches a process and the database server it works with, on this machine, until it is told to stop. */
export async function watchMemory(pid: number, databaseUrl: string): Promise<() => Promise<MemoryPeaks>> {
  const server = await serverOf(databaseUrl);
  const peaks = { process: NaN, database: NaN };
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
  const timer = setInterval(() => (looking = look()), EVERY_MS);
  return async () => {
    clearInterval(timer);
    await looking;
    return peaks;
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

function statusOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
}

function larger(one: number, other: number): number {
  return one > other || Number.isNaN(other) ? one : other;
}
