import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut without a word, as when a cable is pulled, and mended. */
export interface Proxy {
  /** `url` by way of the proxy. */
  readonly url: string;
  /** From here on nothing gets through, on no connection, and nobody is told. */
  cut(): void;
  /** What was cut stays lost; new connections get through. */
  mend(): void;
  close(): void;
}

export async function proxyTo(url: string): Promise<Proxy> {
  const target = new URL(url);
  const { hostname, port } = target;
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    sockets.add(near.on('error', () => undefined));
    if (isCut) return;
    const far = connect(Number(port), hostname).on('error', () => near.destroy());
    sockets.add(far);
    near.pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  target.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const drop = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: target.href,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => {
      isCut = false;
      drop();
    },
    close: () => {
      server.close();
      drop();
    },
  };
}
