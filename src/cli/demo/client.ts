import { setTimeout as pause } from 'node:timers/promises';

/** A report type as `GET /v2/report-types` describes it, as far as the demo reads it. */
export interface ReportType {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly jsonOnly?: boolean }[];
}

export interface ReportRequest {
  readonly type: string;
  readonly tenantType: 'farm';
  readonly tenantId: string;
  /** Unix milliseconds; days on the farm, both included. */
  readonly reportingPeriodStart: number;
  readonly reportingPeriodEnd: number;
}

export interface Report {
  readonly data: {
    readonly id: string;
    readonly status: string;
    readonly failureReason?: string;
  };
  readonly links: { readonly download: string };
  /** The service had made it before. */
  readonly reused: boolean;
}

export interface ImportSummary {
  readonly accepted: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly errors: readonly { readonly index?: number; readonly pointer: string; readonly detail: string }[];
}

/** How the application proves who it is: `x-api-key`, or `authorization` with a Bearer token. */
export type Credential = Readonly<Record<string, string>>;

/** The service refused; the message is what its problem document says. */
export class Refused extends Error {}

const ASK_AGAIN_MILLISECONDS = 30;

/** An application of the demo's own that uses the service as any other would: HTTP and a credential, nothing else. */
export class Application {
  constructor(
    readonly url: string,
    private readonly credential: Credential,
  ) {}

  async saveFarm(farmId: string, farm: object): Promise<void> {
    await this.send('PUT', `/v2/farms/${farmId}`, farm);
  }

  async importRecords(farmId: string, records: readonly object[]): Promise<ImportSummary> {
    const { body } = await this.send('POST', `/v2/farms/${farmId}/records`, records);
    return (body as { data: ImportSummary }).data;
  }

  async reportTypes(): Promise<readonly ReportType[]> {
    const { body } = await this.send('GET', '/v2/report-types');
    return (body as { data: ReportType[] }).data;
  }

  async ask(request: ReportRequest): Promise<Report> {
    const { body, status } = await this.send('POST', '/v2/report', request);
    return { ...(body as Report), reused: status === 200 };
  }

  /** Waits until the report has ended; throws Refused when it ended otherwise than completed. */
  async ended({ data: { id }, reused }: Report): Promise<Report> {
    for (;;) {
      const { body } = await this.send('GET', `/v2/report/${id}`);
      const report = { ...(body as Report), reused };
      const { status, failureReason } = report.data;
      if (status === 'completed') return report;
      if (status !== 'pending' && status !== 'processing')
        throw new Refused(`Report ${id} ${status}: ${failureReason ?? 'no reason is given'}`);
      await pause(ASK_AGAIN_MILLISECONDS);
    }
  }

  async downloadCsv({ links }: Report): Promise<string> {
    return (await this.send('GET', links.download, undefined, { accept: 'text/csv' })).text;
  }

  /** What the report has to say about its rows stands in its JSON. */
  async downloadWarnings({ links }: Report): Promise<readonly string[]> {
    const { body } = await this.send('GET', links.download, undefined, { accept: 'application/json' });
    return (body as { warnings: string[] }).warnings;
  }

  private async send(
    method: string,
    address: string,
    body?: unknown,
    headers: Credential = {},
  ): Promise<{ status: number; text: string; body: unknown }> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(new URL(address, this.url), {
      method,
      headers: { ...this.credential, ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '');
    const read: unknown = isJson ? JSON.parse(text) : undefined;
    if (response.ok) return { status: response.status, text, body: read };
    const problem = read as { title?: string; detail?: string } | undefined;
    throw new Refused(
      `${method} ${new URL(address, this.url).pathname}: ${response.status} ${problem?.detail ?? problem?.title ?? text}`,
    );
  }
}
