import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Muster, ProblemError, type Report, ReportNotMade } from '../src/client/index.js';
import type * as Client from '../src/client/types.js';
import type { Farm } from '../src/farm-records/farm.js';
import type { ImportSummary } from '../src/farm-records/import-tally.js';
import type { ReportRecord, ReportTypeDescription } from '../src/reports/messages.js';
import { apiKeyFor } from './support/caller.js';
import { freshDatabase, type FreshDatabase } from './support/database.js';
import { startService, type StartedService } from './support/service.js';

/** With every member there, so that one that is optional and unknown to the other side shows. */
type Whole<T> = T extends object ? { [Member in keyof T]-?: Whole<T[Member]> } : T;
type Fits<A, B> = [A, Whole<A>] extends [B, Whole<B>] ? true : false;
type Same<A, B> = Fits<A, B> & Fits<B, A>;

/**
 * What the service answers is, member by member, what the client says it answers, and what /openapi.json says, whose schemas
 * are made for the same types: these lines do not compile otherwise.
 */
const same: {
  record: Same<ReportRecord, Client.ReportRecord>;
  type: Same<ReportTypeDescription, Client.ReportType>;
  farm: Same<Farm, Client.Farm>;
  summary: Same<Omit<ImportSummary, 'errors'>, Omit<Client.ImportSummary, 'errors'>>;
  errors: ImportSummary['errors'] extends Client.ImportSummary['errors'] ? true : false;
} = { record: true, type: true, farm: true, summary: true, errors: true };

const request = {
  type: 'livestock-reconciliation.v3',
  tenantType: 'farm',
  tenantId: 'farm-1',
  reportingPeriodStart: Date.UTC(2024, 6, 1),
  reportingPeriodEnd: Date.UTC(2025, 5, 30),
} as const;

let database: FreshDatabase;
let service: StartedService;
let apiKey: string;
let muster: Muster;

beforeAll(async () => {
  database = await freshDatabase();
  service = await startService({ databaseUrl: database.url });
  apiKey = await apiKeyFor(database.url, ['farm-1']);
  muster = new Muster({ url: service.url, apiKey });
  await muster.saveFarm('farm-1', { name: 'Home', timeZone: 'Australia/Sydney' });
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

describe('an application with the client', () => {
  it('creates, waits and downloads in three lines', async () => {
    const report = await muster.create(request);
    const made = await muster.wait(report);
    const content = await muster.download(made, { format: 'csv' });
    expect(await content.text()).toMatch(/^row_type,species,/);
    expect(made.data).toMatchObject({ ...request, status: 'completed' });
    expect((await muster.create(request)).reused).toBe(true);
    expect((await muster.create(request, { cacheControl: 'no-cache' })).reused).toBe(false);
  });

  it('learns why it is refused', async () => {
    const refused = muster.create({ ...request, tenantId: 'farm-2' });
    await expect(refused).rejects.toThrow(ProblemError);
    await expect(refused).rejects.toMatchObject({ status: 403, kind: 'farm-not-accessible' });
    await expect(muster.create({ ...request, type: 'wool-clip.v9' })).rejects.toMatchObject({
      problem: { errors: [{ pointer: '/type' }] },
    });
  });

  it('reads the report types and brings records in', async () => {
    expect((await muster.reportTypes()).map(({ type }) => type)).toContain('livestock-sale.v1');
    expect(await muster.importRecords('farm-1', [{}])).toMatchObject({ accepted: 0, rejected: 1 });
    expect(Object.values(same)).not.toContain(false);
  });

  it('that gives up waiting gets the reason', async () => {
    const reason = new Error('the user went home');
    const report = await muster.create(request);
    await expect(muster.wait(report, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

/** A service that answers from a script, to see the client in circumstances that a real one is seldom in. */
async function scripted(
  answer: (request: IncomingMessage, response: ServerResponse, turn: number) => void,
  work: (url: string) => Promise<void>,
): Promise<void> {
  let turn = 0;
  const server: Server = createServer((incoming, response) => answer(incoming, response, ++turn));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function reportAt(url: string, status: string): Report {
  const self = `${url}/v2/report/r1`;
  const data = { ...request, id: 'r1', status } as unknown as Report['data'];
  return { data, links: { self, download: `${self}/download`, events: `${self}/events` }, reused: false };
}

describe('the client', () => {
  it('asks again after Retry-After where the service does not hold its answer, and tells a failure', async () => {
    const asked: unknown[] = [];
    await scripted(
      ({ headers, headers: { host } }, response, turn) => {
        asked.push(headers.prefer);
        response
          .writeHead(200, { 'content-type': 'application/json', 'retry-after': '0' })
          .end(JSON.stringify(reportAt(`http://${host ?? ''}`, turn < 3 ? 'processing' : 'failed')));
      },
      async (url) => {
        const waiting = new Muster({ url, apiKey }).wait(reportAt(url, 'pending'));
        await expect(waiting).rejects.toThrow(ReportNotMade);
      },
    );
    expect(asked).toEqual(['wait=30', 'wait=30', 'wait=30']);
  });

  it('refreshes its token once at 401, and sends a create again under the same key after 503', async () => {
    const seen: unknown[] = [];
    await scripted(
      ({ headers }, response, turn) => {
        seen.push([headers.authorization, headers['idempotency-key']]);
        if (turn === 1) response.writeHead(503, { 'retry-after': '0' }).end();
        else if (headers.authorization === 'Bearer old') response.writeHead(401).end();
        else response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
      },
      async (url) => {
        const token = (refused?: string): string => (refused === undefined ? 'old' : 'new');
        await new Muster({ url, token }).create(request, { idempotencyKey: 'k1' });
      },
    );
    expect(seen).toEqual([
      ['Bearer old', 'k1'],
      ['Bearer old', 'k1'],
      ['Bearer new', 'k1'],
    ]);
  });
});
