import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Resolve, Sender } from './sender.js';

const strict = { plainHttp: true, privateAddresses: false };
const open = { plainHttp: true, privateAddresses: true };
/** Of the 6bone, public by its range and given back: connecting to it fails or hangs, which is all the same here. */
const PUBLIC = { address: '3ffe::1', family: 6 };
const LOOPBACK = { address: '127.0.0.1', family: 4 };

let server: Server;
let requests: IncomingMessage[];
let respond: (response: ServerResponse) => void;

beforeEach(async () => {
  requests = [];
  respond = (response) => response.writeHead(204).end();
  server = createServer((request, response) => {
    requests.push(request);
    request.resume().on('end', () => respond(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const urlOf = (host: string) => `http://${host}:${(server.address() as AddressInfo).port}/hook`;
const message = (host = '127.0.0.1') => ({ url: urlOf(host), body: '{}', headers: { 'webhook-id': 'e1' } });

describe('a name that answers a public address first and a private one later', () => {
  const rebinding = (): { resolve: Resolve; asked: () => number } => {
    let asked = 0;
    return { resolve: async () => [asked++ === 0 ? PUBLIC : LOOPBACK], asked: () => asked };
  };

  it('is connected to at the address that was checked, and asked for only once', async () => {
    const { resolve, asked } = rebinding();
    const { status, error } = await new Sender(strict, 200, resolve).send(message('rebound.example'));
    expect({ status, asked: asked() }).toEqual({ status: undefined, asked: 1 });
    expect(error).toMatch(/did not answer|could not be reached/);
    expect(requests).toHaveLength(0);
  });

  it('is refused at the next attempt, before a byte is sent', async () => {
    const { resolve } = rebinding();
    const sender = new Sender(strict, 200, resolve);
    await sender.send(message('rebound.example'));
    expect(await sender.send(message('rebound.example'))).toMatchObject({
      error: 'its address is not a public one',
    });
    expect(requests).toHaveLength(0);
  });

  it('would reach what it is after without the check, as it does where that is allowed', async () => {
    const { resolve } = rebinding();
    const sender = new Sender(open, 200, resolve);
    await sender.send(message('rebound.example'));
    expect(await sender.send(message('rebound.example'))).toMatchObject({ status: 204 });
    expect(requests).toHaveLength(1);
  });
});

describe('nothing is sent to', () => {
  it.each([
    ['a private address that is spelled out', '127.0.0.1', undefined],
    ['one spelled out in IPv6', '[::ffff:127.0.0.1]', undefined],
    ['a name of which one address is private', 'mixed.example', [PUBLIC, LOOPBACK]],
    ['a name for IPv4 in the clothes of IPv6', 'mapped.example', [{ address: '::ffff:7f00:1', family: 6 }]],
    ['a name without an address', 'empty.example', []],
  ])('%s', async (_, host, addresses) => {
    const sender = new Sender(strict, 2_000, async () => addresses ?? []);
    expect(await sender.send(message(host))).toEqual({
      error: 'its address is not a public one',
      durationMs: expect.any(Number),
    });
    expect(requests).toHaveLength(0);
  });
});

describe('a receiver', () => {
  const send = (timeoutMs = 5_000) => new Sender(open, timeoutMs).send(message());

  it('gets a POST of JSON', async () => {
    expect(await send()).toMatchObject({ status: 204 });
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: '/hook',
      headers: { 'webhook-id': 'e1', 'content-type': 'application/json', 'content-length': '2' },
    });
  });

  it('that redirects is not followed', async () => {
    respond = (response) => response.writeHead(307, { location: urlOf('127.0.0.1') }).end();
    expect(await send()).toMatchObject({ status: 307 });
    expect(requests).toHaveLength(1);
  });

  it('that takes too long is left', async () => {
    respond = () => undefined;
    expect(await send(100)).toMatchObject({ error: 'it did not answer within 0.1 s' });
  });

  it('that answers and then never ends is left, its answer counts', async () => {
    respond = (response) => response.writeHead(200).write('on and on');
    expect(await send(200)).toMatchObject({ status: 200 });
  });

  it('that answers without end is cut off', async () => {
    let written = 0;
    respond = (response) => {
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
      };
      response.writeHead(200).on('drain', pour);
      pour();
    };
    expect(await send(10_000)).toMatchObject({ status: 200 });
    expect(written).toBeLessThan(50_000_000);
  });

  it('that says when to come back is heard', async () => {
    respond = (response) => response.writeHead(503, { 'retry-after': '120' }).end();
    expect(await send()).toMatchObject({ status: 503, retryAfterSeconds: 120 });
    respond = (response) => response.writeHead(503, { 'retry-after': 'soon' }).end();
    expect(await send()).not.toHaveProperty('retryAfterSeconds');
  });

  it('that is not there is told from one that is slow', async () => {
    const late = message();
    server.close();
    expect(await new Sender(open, 5_000).send(late)).toMatchObject({
      error: 'it could not be reached (ECONNREFUSED)',
    });
  });

  it('that turns to another protocol has answered, and holds nobody', async () => {
    respond = (response) =>
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    expect(await send()).toMatchObject({ status: 101 });
  });

  it('that cuts the connection has not answered', async () => {
    respond = (response) => response.destroy();
    expect(await send()).toMatchObject({ error: 'it could not be reached (ECONNRESET)' });
  });
});
