import { Connection, type Credentials, pause, retryAfterSeconds } from './connection.js';
import { ReportNotMade } from './errors.js';
import type {
  Farm,
  FarmSettings,
  ImportSummary,
  Report,
  ReportFormat,
  ReportRequest,
  ReportType,
} from './types.js';

interface Cancellable {
  readonly signal?: AbortSignal;
}

export interface CreateOptions extends Cancellable {
  /** Request directives of RFC 9111: `no-cache` makes a new report, `max-age=86400` accepts one of up to a day. */
  readonly cacheControl?: string;
  /** Makes the same create safe to send again by another process too; by default one is made for each call. */
  readonly idempotencyKey?: string;
}

export interface DownloadOptions extends Cancellable {
  readonly format?: ReportFormat;
}

/** Seconds that the service is asked to wait in each answer. */
const WAIT_SECONDS = 30;

/**
 * A Muster service. All methods throw ProblemError when the service refuses, and the reason of `signal` when that is aborted.
 *
 *     const report = await muster.create(request);
 *     const made = await muster.wait(report);
 *     const content = await muster.download(made, { format: 'csv' });
 */
export class Muster {
  private readonly connection: Connection;

  constructor({ url, ...credentials }: { readonly url: string } & Credentials) {
    this.connection = new Connection(url, credentials);
  }

  /** Asks for a report: a new one, or one of the same request that is recent enough. */
  async create(
    request: ReportRequest,
    { signal, cacheControl, idempotencyKey }: CreateOptions = {},
  ): Promise<Report> {
    const headers = {
      'idempotency-key': idempotencyKey ?? crypto.randomUUID(),
      ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
    };
    const response = await this.connection.send('/v2/report', {
      method: 'POST',
      headers,
      body: request,
      signal,
    });
    return reportOf(response, response.status === 200);
  }

  /**
   * The report once it has ended. The service holds each answer for up to 30 seconds; where it does not, it is asked again after
   * `Retry-After`. Throws ReportNotMade when there is no content in the end.
   */
  async wait(report: Report, { signal }: Cancellable = {}): Promise<Report> {
    for (;;) {
      const headers = { prefer: `wait=${WAIT_SECONDS}` };
      const response = await this.connection.send(report.links.self, { headers, signal });
      const now = await reportOf(response, report.reused);
      if (now.data.status === 'completed') return now;
      if (now.data.status !== 'pending' && now.data.status !== 'processing') throw new ReportNotMade(now);
      if (!response.headers.has('preference-applied')) await pause(retryAfterSeconds(response) ?? 1, signal);
    }
  }

  /** The content of a completed report as it streams: `body`, `text()`, `json()` and `bytes()` of a Response. */
  async download({ links }: Report, { format = 'csv', signal }: DownloadOptions = {}): Promise<Response> {
    return this.connection.send(`${links.download}?format=${format}`, { signal });
  }

  async cancel({ links, reused }: Report, { signal }: Cancellable = {}): Promise<Report> {
    return reportOf(await this.connection.send(links.self, { method: 'DELETE', signal }, false), reused);
  }

  async reportTypes({ signal }: Cancellable = {}): Promise<readonly ReportType[]> {
    return dataOf<readonly ReportType[]>(await this.connection.send('/v2/report-types', { signal }));
  }

  async saveFarm(id: string, settings: FarmSettings, { signal }: Cancellable = {}): Promise<Farm> {
    const sent = { method: 'PUT', body: settings, signal };
    return dataOf<Farm>(await this.connection.send(`/v2/farms/${encodeURIComponent(id)}`, sent));
  }

  /** Imports records; sending the same ones again changes nothing. Bad ones are counted and told, and do no harm. */
  async importRecords(
    farmId: string,
    records: readonly object[],
    { signal }: Cancellable = {},
  ): Promise<ImportSummary> {
    const sent = { method: 'POST', body: records, signal };
    return dataOf<ImportSummary>(
      await this.connection.send(`/v2/farms/${encodeURIComponent(farmId)}/records`, sent),
    );
  }
}

async function reportOf(response: Response, reused: boolean): Promise<Report> {
  return { ...((await response.json()) as Omit<Report, 'reused'>), reused };
}

async function dataOf<T>(response: Response): Promise<T> {
  return ((await response.json()) as { data: T }).data;
}
