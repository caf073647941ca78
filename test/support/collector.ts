import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
}

/** Takes spans as OTLP over HTTP in protobuf, as a collector would. */
export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly requests: readonly IncomingMessage[];
  close(): void;
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    void buffer(request).then((body) => {
      if (request.url === '/v1/traces') spans.push(...spansOf(body));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** ExportTraceServiceRequest.resource_spans (1) . scope_spans (2) . spans (2). */
function spansOf(request: Buffer): CollectedSpan[] {
  return [1, 2, 2]
    .reduce<Buffer[]>((messages, field) => messages.flatMap((message) => parts(message, field)), [request])
    .map((span) => ({
      traceId: parts(span, 1)[0]?.toString('hex') ?? '',
      spanId: parts(span, 2)[0]?.toString('hex') ?? '',
      parentId: parts(span, 4)[0]?.toString('hex') ?? '',
      name: parts(span, 5)[0]?.toString() ?? '',
    }));
}

/** The contents of a field that has a length, in a message of protocol buffers. */
function parts(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const wire = tag % 8;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else {
      const length = varint();
      if (Math.floor(tag / 8) === wanted) found.push(message.subarray(at, at + length));
      at += length;
    }
  }
  return found;
}
