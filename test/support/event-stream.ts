import { EventSource } from 'eventsource';
import { until } from './until.js';

/** An event as a stream brought it: `id` is what the client would resume from, `data` the event. */
export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: { id: string; type: string; at: number; reportId: string; tenantId: string; data: any };
}

const TYPES = [
  'ReportRequested',
  'ReportGenerationStarted',
  'ReportCompleted',
  'ReportGenerationFailed',
  'ReportCancelled',
  'ReportExpired',
  'ReportReused',
  'ReportDownloaded',
];

/** The independent client of server-sent events, and what it has received; `where` is asked before each connection. */
export class Listener {
  readonly received: Received[] = [];
  readonly statuses: number[] = [];
  readonly lastEventIds: (string | null)[] = [];
  readonly source: EventSource;

  constructor(where: () => string, apiKey: string, lastEventId?: string) {
    this.source = new EventSource(where(), {
      fetch: async (_, init) => {
        const headers = new Headers(init.headers as Record<string, string>);
        headers.set('x-api-key', apiKey);
        if (lastEventId !== undefined && !headers.has('last-event-id'))
          headers.set('last-event-id', lastEventId);
        this.lastEventIds.push(headers.get('last-event-id'));
        const response = await fetch(where(), { ...(init as RequestInit), headers });
        this.statuses.push(response.status);
        return response;
      },
    });
    for (const type of TYPES) {
      this.source.addEventListener(type, (event) =>
        this.received.push({ id: event.lastEventId, type, data: JSON.parse(event.data as string) }),
      );
    }
  }

  get ids(): string[] {
    return this.received.map(({ data }) => data.id);
  }

  /** Waits until it is connected. */
  async opened(): Promise<void> {
    await until('the stream is open', () => this.source.readyState === this.source.OPEN);
  }

  /** Waits until what was received fulfils the condition. */
  async until(condition: (received: readonly Received[]) => boolean): Promise<void> {
    await until(
      () => `more than ${JSON.stringify(this.received.map(({ type }) => type))}`,
      () => condition(this.received),
    );
  }

  close(): void {
    this.source.close();
  }
}

/** The text of an open stream as it comes, read by fetch alone. */
export class RawStream {
  text = '';
  ended = false;

  private constructor(
    readonly response: Response,
    private readonly stop: AbortController,
  ) {}

  static async open(url: string, headers: Record<string, string>): Promise<RawStream> {
    const stop = new AbortController();
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream', ...headers },
      signal: stop.signal,
    });
    const stream = new RawStream(response, stop);
    void stream.read();
    return stream;
  }

  async contains(text: string | RegExp): Promise<void> {
    await until(
      () => `${String(text)} in ${this.text}`,
      () => this.text.search(text) >= 0,
    );
  }

  async end(): Promise<void> {
    await until('the stream has ended', () => this.ended);
  }

  close(): void {
    this.stop.abort();
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body ?? [])
        this.text += decoder.decode(chunk, { stream: true });
    } catch {
      // Cut, by the service or by the test.
    }
    this.ended = true;
  }
}
