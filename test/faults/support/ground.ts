import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { type BuiltCopy, builtCopyWith } from '../../support/built-copy.js';
import type { ServiceOptions, StartedService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { OwnPostgres } from './own-postgres.js';

/** A report type of one column whose rows come from `body`, the body of an async generator. */
const reportType = (stem: string, body: string) => (signs: string) => `
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { ReportGenerator } from '../generator.js';

const gate = async (farm) => { while (!existsSync(${JSON.stringify(signs)} + '/' + farm)) await setTimeout(20); };
const rows = (count) => Array.from({ length: count }, (_, head) => ({ rowType: 'detail', cells: [head] }));

class Dropped {
  async *rows({ farmId, records }) { ${body} }
}
ReportGenerator({
  type: '${stem}.v1', title: '${stem}', description: 'Of a test', version: '1',
  columns: [{ name: 'head', type: 'integer', unit: 'head', description: 'Head' }],
})(Dropped);
export { Dropped };
`;

export const copy: BuiltCopy = await builtCopyWith({
  brief: reportType('brief', 'yield rows(3);'),
  /** Writes several chunks over up to a second. */
  wandering: reportType(
    'wandering',
    'for (let page = 0; page < 10; page++) { await setTimeout(Math.random() * 100); yield rows(8_000); }',
  ),
  gated: reportType('gated', 'yield rows(10); await gate(farmId); yield rows(10);'),
  bulky: reportType('bulky', 'for (let page = 0; page < 60; page++) yield rows(20_000);'),
  broken: reportType('broken', `yield rows(1); throw new Error('on purpose');`),
  endless: reportType('endless', 'for (;;);'),
  hungry: reportType('hungry', 'const held = []; for (;;) held.push(new Array(1000).fill(held.length));'),
});
process.env.MUSTER_TEST_BUILD = copy.dist;
const { runMuster } = await import('../../support/muster.js');
const { startService } = await import('../../support/service.js');
const { apiKeyFor } = await import('../../support/caller.js');

const PERIOD = {
  reportingPeriodStart: Date.parse('2024-06-30T14:00:00Z'),
  reportingPeriodEnd: Date.parse('2025-06-29T14:00:00Z'),
};

export interface Told {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: any;
}

/** A database of its own, processes over it, and everything that callers were told. */
export class Ground {
  /** Reports that somebody was told exist. */
  readonly acknowledged = new Set<string>();
  private readonly processes = new Map<StartedService, string>();
  private farms = 0;

  private constructor(
    readonly postgres: OwnPostgres,
    readonly apiKey: string,
  ) {}

  static async open(postgres?: OwnPostgres): Promise<Ground> {
    const own = postgres ?? (await OwnPostgres.start());
    return new Ground(own, await apiKeyFor(own.url, ['*']));
  }

  async start(role: 'all' | 'api' | 'worker', env: ServiceOptions['env'] = {}): Promise<StartedService> {
    const service = await startService({
      databaseUrl: env.DATABASE_URL ?? this.postgres.url,
      role,
      env: { RATE_LIMIT_READS: '1000000', RATE_LIMIT_WRITES: '1000000', ...env },
    });
    this.processes.set(service, role);
    return service;
  }

  /** SIGKILL to every process, or to those of one role. */
  async killAll(role?: string): Promise<void> {
    const doomed = [...this.processes].filter(([, itsRole]) => role === undefined || role === itsRole);
    await Promise.all(
      doomed.map(async ([service]) => {
        this.processes.delete(service);
        if (service.child.exitCode === null && service.child.signalCode === null) await service.kill();
      }),
    );
  }

  async close(): Promise<void> {
    await this.killAll();
    await this.postgres.remove();
  }

  /** Made by a process that answers HTTP if one was started, else by the command line. */
  async farm(): Promise<string> {
    const id = `farm-${++this.farms}-${randomUUID().slice(0, 8)}`;
    const [api] =
      [...this.processes].find(
        ([{ child }, role]) => role !== 'worker' && child.exitCode === null && child.signalCode === null,
      ) ?? [];
    if (api) {
      const farm = { name: id, timeZone: 'Australia/Sydney' };
      expect((await this.send(api.url, 'PUT', `/v2/farms/${id}`, farm)).status).toBe(201);
      return id;
    }
    const { code, stderr } = await runMuster(
      ['farm', 'create', '--id', id, '--name', id, '--time-zone', 'Australia/Sydney'],
      { databaseUrl: this.postgres.url },
    );
    if (code !== 0) throw new Error(stderr);
    return id;
  }

  /** One request. Throws when no answer came. */
  async send(url: string, method: string, path: string, body?: object, headers = {}): Promise<Told> {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { 'x-api-key': this.apiKey, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    const json = (response.headers.get('content-type') ?? '').includes('json');
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: json ? JSON.parse(text) : text,
    };
  }

  /** One create; what it answers is noted when it is an acknowledgement. */
  async create(url: string, type: string, farm: string, headers: Record<string, string> = {}): Promise<Told> {
    const request = { type, tenantType: 'farm', tenantId: farm, ...PERIOD };
    const told = await this.send(url, 'POST', '/v2/report', request, {
      'cache-control': 'no-cache',
      ...headers,
    });
    if (told.status === 201 || told.status === 200) this.acknowledged.add(told.body.data.id as string);
    return told;
  }

  /** A create that is tried again with its Idempotency-Key until somebody acknowledges it. Answers the report's id. */
  async createForSure(
    url: () => string,
    type: string,
    farm: string,
    deadline = 60_000,
    heard: (told: Told) => void = () => undefined,
  ): Promise<string> {
    const key = randomUUID();
    const until = performance.now() + deadline;
    for (;;) {
      const told = await this.create(url(), type, farm, { 'idempotency-key': key }).catch(() => undefined);
      if (told) heard(told);
      if (told?.status === 201 || told?.status === 200) return told.body.data.id as string;
      if (told && ![409, 429, 500, 503].includes(told.status))
        throw new Error(`${told.status} ${JSON.stringify(told.body)}`);
      if (performance.now() > until) throw new Error('nobody acknowledged a create in time');
      await pause(20);
    }
  }

  async count(question: string, values: unknown[] = []): Promise<number> {
    const [row] = await this.postgres.query<{ count: string }>(question, values);
    return Number(row?.count);
  }

  /** The types of a report's events, oldest first. */
  async life(reportId: string): Promise<string[]> {
    const rows = await this.postgres.query<{ type: string }>(
      'SELECT type FROM event WHERE stream_id = $1 ORDER BY version',
      [reportId],
    );
    return rows.map(({ type }) => type);
  }

  openGate(farm: string): Promise<void> {
    return writeFile(join(copy.signs, farm), '');
  }

  /** Waits until every report has ended, also while the database starts again. */
  async allEnded(within?: number): Promise<void> {
    const unended = `SELECT count(*) FROM report WHERE status IN ('pending', 'processing')`;
    const ended = async () => (await this.count(unended)) === 0;
    await until('every report has ended', () => ended().catch(() => false), within);
  }

  /** The auditor has nothing to say, and every acknowledged report is there. */
  async audited(): Promise<void> {
    const file = join(copy.signs, `acknowledged-${randomUUID()}`);
    await writeFile(file, [...this.acknowledged].join('\n'));
    const { stdout, stderr } = await runMuster(['audit', '--json', '--acknowledged', file], {
      databaseUrl: this.postgres.url,
    });
    if (!stdout.startsWith('{')) throw new Error(stderr);
    expect((JSON.parse(stdout) as { findings: object[] }).findings).toEqual([]);
  }
}

/** Prints how long something took, each time it was looked at. */
export function tell(what: string, milliseconds: readonly number[]): void {
  const sorted = milliseconds.toSorted((one, other) => one - other).map(Math.round);
  console.log(`${what}: ${sorted[Math.floor(sorted.length / 2)]} ms at the median, ${sorted.at(-1)} at most`);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
