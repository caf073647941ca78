import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

interface Line {
  readonly client: Socket;
  readonly server: Socket;
}

/** As it stands in a simple query. */
const COMMIT = Buffer.from('COMMIT\0');

/** A stretch of network between a process and the database that can be cut, go silent, or lose one answer. */
export class FaultProxy {
  private readonly lines = new Set<Line>();
  private refusing = false;
  private silent = false;
  private losing: { lost: () => void } | undefined;

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {}

  static async before(target: number): Promise<FaultProxy> {
    const server = createServer();
    const proxy = new FaultProxy(server, target);
    server.on('connection', (client) => proxy.join(client));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Every connection breaks, and no new one is taken. */
  cut(): void {
    this.refusing = true;
    for (const { client, server } of this.lines)
      [client, server].forEach((socket) => socket.resetAndDestroy());
  }

  /** Connections stay open and nothing passes any more, either way: as when a cable is pulled. */
  fallSilent(): void {
    this.silent = true;
  }

  /** All is well for new connections; what was silent breaks now. */
  heal(): void {
    this.refusing = false;
    if (this.silent)
      for (const { client, server } of this.lines) [client, server].forEach((socket) => socket.destroy());
    this.silent = false;
  }

  /** The next COMMIT reaches the database and its answer does not come back: the connection breaks instead. */
  loseNextCommit(): Promise<void> {
    return new Promise((resolve) => (this.losing = { lost: resolve }));
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    if (this.refusing) return void client.resetAndDestroy();
    const server = connect(this.target, '127.0.0.1');
    const line = { client, server };
    this.lines.add(line);
    let losing: { lost: () => void } | undefined;
    client.on('data', (bytes: Buffer) => {
      if (this.silent) return;
      if (this.losing && bytes.includes(COMMIT)) [losing, this.losing] = [this.losing, undefined];
      server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => {
      if (this.silent) return;
      if (!losing) return void client.write(bytes);
      losing.lost();
      client.resetAndDestroy();
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.lines.delete(line);
        if (!this.silent) other.destroy();
      });
    }
  }
}
