import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from './ground.js';

const PROBE_MS = 100;

/**
 * What stands before several processes in production: passes requests to those whose /health/ready is green, in turns and
 * over connections of their own, and asks another where the connection is refused. It never repeats what was sent.
 */
export class Balancer {
  private green: number[] = [];
  private turn = 0;
  private probing = true;

  private constructor(
    private readonly server: Server,
    private readonly ports: readonly number[],
  ) {}

  static async over(ports: readonly number[]): Promise<Balancer> {
    const server = createServer();
    const balancer = new Balancer(server, ports);
    server.on(
      'request',
      (asked: IncomingMessage, answer: ServerResponse) => void balancer.pass(asked, answer),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await balancer.probe();
    void balancer.watch();
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.probing = false;
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async watch(): Promise<void> {
    while (this.probing) {
      await pause(PROBE_MS);
      await this.probe();
    }
  }

  private async probe(): Promise<void> {
    const ready = async (port: number): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(1_000) }).then(
        ({ ok }) => ok,
        () => false,
      );
    const states = await Promise.all(this.ports.map(ready));
    this.green = this.ports.filter((_, index) => states[index]);
  }

  private async pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of asked as AsyncIterable<Buffer>) chunks.push(chunk);
    const targets = [...this.green, ...this.ports];
    const first = this.turn++ % Math.max(1, this.green.length);
    this.tryNext([...targets.slice(first), ...targets.slice(0, first)], asked, Buffer.concat(chunks), answer);
  }

  private tryNext(
    ports: readonly number[],
    asked: IncomingMessage,
    body: Buffer,
    answer: ServerResponse,
  ): void {
    const [port, ...others] = ports;
    if (port === undefined) return void answer.socket?.destroy();
    const { connection: _, ...headers } = asked.headers;
    const passed = request({
      host: '127.0.0.1',
      port,
      method: asked.method,
      path: asked.url,
      headers,
      agent: false,
    });
    passed.on('response', (told) => {
      answer.writeHead(told.statusCode ?? 0, told.headers);
      told.pipe(answer);
    });
    passed.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') this.tryNext(others, asked, body, answer);
      else answer.socket?.destroy();
    });
    passed.end(body);
  }
}
