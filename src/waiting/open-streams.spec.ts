import { expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Principal } from '../auth/index.js';
import type { Config } from '../config.js';
import { Draining } from '../operations/health/draining.js';
import type { Course } from './course.js';
import { OpenStreams } from './open-streams.js';
import type { ReportFeed } from './report-feed.js';

const READER: Principal = { id: 'reader', scopes: new Set(['read:reports']), farms: 'all' };
const COURSE: Course = {
  buckets: [],
  behind: false,
  over: false,
  take: () => undefined,
  readOn: async () => undefined,
  mark: () => undefined,
  allows: () => true,
};

/** The answer to a caller who leaves before it begins. */
async function answerToNobody(): Promise<ServerResponse> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  request.on('error', () => undefined);
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  request.destroy();
  await once(response, 'close');
  server.close();
  return response;
}

it('keeps no room for a caller who has left before the stream is opened', async () => {
  const feed = { follow: () => () => undefined } as unknown as ReportFeed;
  const config = { EVENT_STREAMS: 1, EVENT_STREAMS_PER_CREDENTIAL: 1, EVENT_STREAM_HEARTBEAT_SECONDS: 15 };
  const streams = new OpenStreams(feed, new Draining(), config as Config);
  const raw = await answerToNobody();
  const reply = { raw, hijack: () => undefined, getHeaders: () => ({}) } as unknown as FastifyReply;
  streams.open(reply, COURSE, { principal: READER, identify: async () => READER });
  expect(() => streams.requireRoom(READER.id)).not.toThrow();
  streams.onModuleDestroy();
});
