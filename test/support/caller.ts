import { expect } from '@jest/globals';
import { Client } from 'pg';
import { hashOf, makeId, makeSecret } from '../../src/auth/secret.js';
import { until } from './until.js';

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
  async ended(id: string, within?: number): Promise<any> {
    let report: any;
    await until(
      () => `it is no longer ${report.status}`,
      async () => {
        const { body, status } = await this.get(`/v2/report/${id}`);
        expect(status).toBe(200);
        report = body.data;
        return !['pending', 'processing'].includes(report.status);
      },
      within,
    );
    return report;
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

/** An API key with every scope unless said, for the farms, or for all with '*': as the command line stores it, without a process of its own. */
export async function apiKeyFor(
  databaseUrl: string,
  farms: readonly string[],
  scopes: readonly string[] = ['read:reports', 'write:reports', 'read:records', 'write:records'],
): Promise<string> {
  const apiKey = makeSecret('api-key');
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query('INSERT INTO api_key (id, name, hash, scopes, farms) VALUES ($1, $2, $3, $4, $5)', [
      makeId('ak'),
      'test',
      hashOf(apiKey),
      scopes,
      farms.includes('*') ? null : farms,
    ]);
  } finally {
    await client.end();
  }
  return apiKey;
}
