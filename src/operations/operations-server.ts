import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config.js';
import { type OperationsAnswer, OperationsDesk } from './operations-desk.js';

/** Health and metrics on OPERATIONS_PORT, in every role. It answers until everything else of the process has stopped. */
@Injectable()
export class OperationsServer implements OnApplicationShutdown {
  private readonly log = new Logger('Operations');
  private server: Server | undefined;

  constructor(
    private readonly config: Config,
    private readonly desk: OperationsDesk,
  ) {}

  /** Not for commands, which have the settings of the service beside which they run. */
  async listen(): Promise<void> {
    if (this.config.OPERATIONS_PORT === undefined) return;
    const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
      void this.answer(request, response);
    });
    server.listen(this.config.OPERATIONS_PORT, this.config.HOST);
    await once(server, 'listening');
    this.server = server;
    this.config.listeningOperationsPort = (server.address() as AddressInfo).port;
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.answerTo(request).catch((error: unknown) => {
      this.log.error({ err: error }, 'an operator was not answered');
      return { status: 500, contentType: 'text/plain', body: '' };
    });
    const body = request.method === 'HEAD' ? '' : answer.body;
    response
      .writeHead(answer.status, {
        'Content-Type': answer.contentType,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      })
      .end(body);
  }

  private async answerTo({ method, url = '', headers }: IncomingMessage): Promise<OperationsAnswer> {
    if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Only GET and HEAD.');
    switch (url.split('?', 1)[0]) {
      case '/health/live':
        return this.desk.live();
      case '/health/ready':
        return this.desk.ready();
      case '/metrics':
        return this.desk.scrape(headers.accept);
      default:
        return plain(404, 'Here are /health/live, /health/ready and /metrics.');
    }
  }
}

function plain(status: number, words: string): OperationsAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${words}\n` };
}
