import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, expect, it } from '@jest/globals';
import { bucketOf, EventStore, HintListener } from '../src/event-store/index.js';
import { newReportId, reportStream } from '../src/reports/report-id.js';
import { EventStream } from '../src/waiting/event-stream.js';
import { FarmsCourse } from '../src/waiting/farms-course.js';
import { ReportFeed } from '../src/waiting/report-feed.js';
import { StreamPosition } from '../src/waiting/stream-position.js';
import { ownDatabase } from './support/database.js';
import { until } from './support/until.js';

const EVENTS = 128;
const LARGE = 'x'.repeat(64 * 1024);

const database = ownDatabase();
const closing: (() => unknown)[] = [];

afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const principal = {
  id: 'api-key:test',
  scopes: new Set(['read:reports'] as const),
  farms: new Set(['farm-1']),
};

it('a reader that does not read is not kept in memory, and goes on where it stopped', async () => {
  const store = new EventStore(database());
  const hints = new HintListener(database());
  const feed = new ReportFeed(store, hints);
  closing.push(
    () => hints.onModuleDestroy(),
    () => feed.onModuleDestroy(),
  );
  const bucket = bucketOf('farm-1');
  const answered = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => {
    const position = StreamPosition.of([[bucket, 0]]);
    const course = new FarmsCourse(feed, principal, [bucket], position, new Map());
    const stream = new EventStream(response, course, { principal, identify: async () => principal }, (work) =>
      work(),
    );
    closing.push(
      feed.follow([bucket], (stretch) => stream.take(stretch)),
      () => stream.close(),
    );
    stream.open({ 'content-type': 'text/event-stream' });
    answered.resolve(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  closing.push(
    () => server.close(),
    () => socket.destroy(),
  );
  const counts: number[] = [];
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text = text.slice(-100) + chunk;
    for (const [, count] of text.matchAll(/"n":"(\d+)"/g)) counts.push(Number(count));
    text = text.replaceAll('"n":"', '');
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const response = await answered.promise;
  socket.pause();

  const stream = reportStream(newReportId('farm-1'), 'farm-1');
  let most = 0;
  for (let version = 0; version < EVENTS; version++) {
    const event = { type: 'ReportReused', n: String(version), by: LARGE, at: Date.now() };
    await store.appendAlone(stream, version, [{ id: randomUUIDv7(), event }], {});
    most = Math.max(most, response.writableLength);
  }
  await until('the socket takes no more', () => response.writableNeedDrain);
  expect(most).toBeLessThan(3 * LARGE.length);
  socket.resume();
  await until('every event has come', () => counts.length >= EVENTS);
  expect(counts).toEqual(Array.from({ length: EVENTS }, (_, n) => n));
  expect(response.writableLength).toBeLessThan(3 * LARGE.length);
});
