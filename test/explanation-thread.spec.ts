import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Piscina } from 'piscina';

const BUILT = process.env.MUSTER_TEST_BUILD ?? join(import.meta.dirname, '../dist');
const nobody = createServer();

beforeAll(() => once(nobody.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void nobody.close());

it('a thread whose connection could not be made makes another for the next question', async () => {
  let calls = 0;
  nobody.on('connection', (socket) => {
    calls++;
    socket.destroy();
  });
  const { port } = nobody.address() as AddressInfo;
  const threads = new Piscina({
    filename: join(BUILT, 'generators/explanation.thread.js'),
    maxThreads: 1,
    workerData: { databaseUrl: `postgres://somebody@127.0.0.1:${port}/nothing` },
  });
  const ask = () => threads.run({ pass: '' }, { name: 'explain' });
  await expect(ask()).rejects.toThrow();
  await expect(ask()).rejects.toThrow();
  await threads.destroy();
  expect(calls).toBe(2);
});
