import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashOf, makeId, makeSecret } from '#muster/auth/secret.js';
import pg from 'pg';
import { FARMS, type MeasuredService, startMeasuredService } from './measured-service.ts';
import { watchResources } from './resource-watch.ts';
import type { Measurement } from './run.ts';

/** Each of another credential that reaches one farm. */
const ENDPOINTS = 31 * FARMS.length;
const REPORTS = 2 * FARMS.length;
const WITHIN_MS = 120_000;
const AT_ONCE = 6;

/**
 * Two thousand endpoints, of which some dozens want each event: how fast reports that end are told to all of them, beside
 * the receiver being called as often by bare fetch, six at a time as one process of the service does by itself.
 */
export async function run(): Promise<Measurement[]> {
  const receiver = await Receiver.start();
  const service = await startMeasuredService('all', undefined, {
    WEBHOOK_PLAIN_HTTP: 'allow',
    WEBHOOK_PRIVATE_ADDRESSES: 'allow',
  });
  try {
    await register(service, receiver.url);
    const wanted = (REPORTS * ENDPOINTS) / FARMS.length;
    const stop = await watchResources(service.pid, service.databaseUrl);
    const begun = performance.now();
    for (let n = 0; n < REPORTS; n++) await createReport(service, n);
    await receiver.reached(wanted);
    const ours = wanted / ((performance.now() - begun) / 1000);
    const { process: megabytes, processors } = await stop();
    const yardstick = await bare(receiver.url, wanted);
    const each = ((processors * 1000) / wanted).toFixed(1);
    return [
      {
        what: `webhooks of ${REPORTS} reports to ${wanted} of ${ENDPOINTS} endpoints, the reports made too (${each} ms of processor a message)`,
        ours,
        yardstick,
        ratio: ours / yardstick,
        unit: 'messages/s; six bare fetches at a time',
        bar: 'at least 0.02',
        reached: ours / yardstick >= 0.02,
      },
      {
        what: 'resident memory of the process meanwhile',
        ours: megabytes,
        unit: 'MB',
        bar: 'at most 600',
        reached: !(megabytes > 600),
      },
    ];
  } finally {
    receiver.close();
    await service.stop();
  }
}

/** Counts what it is sent. */
class Receiver {
  private received = 0;
  private readonly server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      this.received++;
      response.writeHead(204).end();
    });
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async reached(count: number): Promise<void> {
    const deadline = performance.now() + WITHIN_MS;
    while (this.received < count) {
      if (performance.now() > deadline) throw new Error(`${this.received} of ${count} messages came`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Keys by SQL, their endpoints over HTTP. */
async function register({ url, databaseUrl }: MeasuredService, receiver: string): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  const keys = Array.from({ length: ENDPOINTS }, () => makeSecret('api-key'));
  for (const [n, key] of keys.entries())
    await owner.query(
      `INSERT INTO api_key (id, name, hash, scopes, farms) VALUES ($1, 'bench', $2, '{read:reports}', $3)`,
      [makeId('ak'), hashOf(key), [FARMS[n % FARMS.length]]],
    );
  await owner.end();
  const body = JSON.stringify({ url: receiver, events: ['report.completed'] });
  await each(keys, async (key) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const { status } = await fetch(`${url}/v2/webhook-endpoints`, { method: 'POST', headers, body });
    if (status !== 201) throw new Error(`an endpoint was answered ${status}`);
  });
}

async function createReport(service: MeasuredService, n: number): Promise<void> {
  await service.send('POST', '/v2/report', {
    type: 'livestock-sale.v1',
    tenantType: 'farm',
    tenantId: FARMS[n % FARMS.length],
    reportingPeriodStart: 1_719_756_000_000 + n,
    reportingPeriodEnd: 1_751_205_600_000,
  });
}

/** Requests a second. */
async function bare(url: string, count: number): Promise<number> {
  const begun = performance.now();
  const body = JSON.stringify({ type: 'report.completed', data: {} });
  await each(Array.from({ length: count }), async () => {
    await (await fetch(url, { method: 'POST', body })).arrayBuffer();
  });
  return count / ((performance.now() - begun) / 1000);
}

async function each<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const left = things.values();
  const worker = async (): Promise<void> => {
    for (const thing of left) await work(thing);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
