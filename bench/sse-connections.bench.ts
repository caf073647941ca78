import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { FARMS, type MeasuredService, startMeasuredService } from './measured-service.ts';
import type { Measurement } from './run.ts';

const CONNECTIONS = 2_000;
const AT_ONCE = 50;
const EVENTS = 100;
const SETTLE_MS = 3_000;

/** A reader of a stream that counts the events it is sent. */
interface Reader {
  readonly socket: Socket;
  received: number;
  opened: boolean;
}

/** Streams of all reports, of every farm each, held open by one process: its memory, and how soon all have an event. */
export async function run(): Promise<Measurement[]> {
  const service = await startMeasuredService('api');
  try {
    const idle = await residentMegabytes(service);
    const readers: Reader[] = [];
    while (readers.length < CONNECTIONS) {
      readers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => open(service)))));
      await until(() => readers.every(({ opened }) => opened));
    }
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const open2000 = await residentMegabytes(service);
    const delivered = await deliver(service, readers);
    const busy = await residentMegabytes(service);
    for (const { socket } of readers) socket.destroy();
    return [
      limit(
        `${CONNECTIONS} open event streams, resident memory (before: ${idle.toFixed(0)} MB)`,
        open2000,
        300,
        'MB',
      ),
      limit(`the same after ${EVENTS} reports to each`, busy, 300, 'MB'),
      limit('from a create to its event in the last stream', delivered, 2_000, 'ms at the median'),
    ];
  } finally {
    await service.stop();
  }
}

async function deliver(service: MeasuredService, readers: readonly Reader[]): Promise<number> {
  const taken: number[] = [];
  for (let n = 1; n <= EVENTS; n++) {
    const begun = performance.now();
    await service.send('POST', '/v2/report', {
      type: 'livestock-sale.v1',
      tenantType: 'farm',
      tenantId: FARMS[n % FARMS.length],
      reportingPeriodStart: 1_719_756_000_000 + n,
      reportingPeriodEnd: 1_751_205_600_000,
    });
    await until(() => readers.every(({ received }) => received >= n));
    taken.push(performance.now() - begun);
  }
  return taken.sort((a, b) => a - b)[Math.floor(taken.length / 2)] ?? 0;
}

function open({ url, apiKey }: MeasuredService): Promise<Reader> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const reader: Reader = { socket, received: 0, opened: false };
  socket.setEncoding('latin1').on('data', (text: string) => {
    reader.opened ||= text.includes('id: ~');
    reader.received += text.split('event: ReportRequested').length - 1;
  });
  socket.write(
    `GET /v2/events HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\nx-api-key: ${apiKey}\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    socket.once('error', reject).once('connect', () => resolve(reader));
  });
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('the streams did not get what they were to get');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Where the system tells (Linux). */
async function residentMegabytes({ pid }: MeasuredService): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function limit(what: string, ours: number, most: number, unit: string): Measurement {
  return { what, ours, unit, bar: `at most ${most}`, reached: ours <= most };
}
