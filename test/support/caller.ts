import { expect } from '@jest/globals';
import { runMuster } from './muster.js';

export interface Answer<Body = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

/** A client application with an API key, talking HTTP to a service. */
export class Caller {
  constructor(
    readonly url: string,
    readonly apiKey: string,
  ) {}

  async send<Body = any>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        'x-api-key': this.apiKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json =
      (response.headers.get('content-type') ?? '').includes('json') &&
      !(response.headers.get('content-type') ?? '').includes('ndjson');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: json && text !== '' ? JSON.parse(text) : undefined,
    };
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  createReport(request: object, headers?: Record<string, string>): Promise<Answer> {
    return this.send('POST', '/v2/report', request, headers);
  }

  /** Waits until the report has ended and answers its record. */
  async ended(id: string, within = 20_000): Promise<any> {
    const until = Date.now() + within;
    for (;;) {
      const { body, status } = await this.get(`/v2/report/${id}`);
      expect(status).toBe(200);
      if (!['pending', 'processing'].includes(body.data.status)) return body.data;
      if (Date.now() > until) throw new Error(`the report is still ${body.data.status}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async import(farmId: string, records: readonly object[]): Promise<any> {
    const { status, body } = await this.send('POST', `/v2/farms/${farmId}/records`, records);
    expect(status).toBe(200);
    return body.data;
  }
}

export interface Farm {
  readonly id: string;
  readonly timeZone?: string;
}

/** Makes an API key with every scope for the farms, or for all with '*'. */
export async function apiKeyFor(
  databaseUrl: string,
  farms: readonly string[],
  scopes?: readonly string[],
): Promise<string> {
  const all = scopes ?? ['read:reports', 'write:reports', 'read:records', 'write:records'];
  const args = [
    'api-key',
    'create',
    '--json',
    '--name',
    'test',
    ...farms.flatMap((farm) => ['--farm', farm]),
  ];
  const { code, stdout, stderr } = await runMuster([...args, ...all.flatMap((scope) => ['--scope', scope])], {
    databaseUrl,
  });
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { apiKey: string }).apiKey;
}
