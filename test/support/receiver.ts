import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of the message: what the signature covers together with its timestamp and body. */
  readonly id: string;
  /** Parsed body. */
  readonly event: any;
}

/** Answers a message; the first argument counts the messages of its path from 1. */
export type Respond = (nth: number, response: ServerResponse) => void;

/** A receiver of webhooks on loopback, that answers each path as the test says: 204 unless told otherwise. */
export class Receiver {
  readonly messages: ReceivedMessage[] = [];
  private readonly answers = new Map<string, Respond>();
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const body = Buffer.concat(chunks).toString('utf8');
      const id = headers['webhook-id'] as string;
      this.messages.push({ path, headers, body, id, event: JSON.parse(body) });
      const respond = this.answers.get(path) ?? ((_, answer) => answer.writeHead(204).end());
      respond(this.at(path).length, response);
    });
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): ReceivedMessage[] {
    return this.messages.filter((message) => message.path === path);
  }

  answer(path: string, respond: Respond): void {
    this.answers.set(path, respond);
  }

  always(path: string, status: number, headers: Record<string, string> = {}): void {
    this.answer(path, (_, response) => response.writeHead(status, headers).end());
  }
}
