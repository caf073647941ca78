import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FileLock, LockNotFree } from './file-lock.js';

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-lock-'));
  file = join(folder, 'test.lock');
});

afterAll(() => rm(folder, { recursive: true }));

it('has one exclusive holder, and the next takes it when it is released', async () => {
  const first = await FileLock.exclusive(file);
  const second = FileLock.exclusive(file);
  await expect(FileLock.exclusive(file, 50)).rejects.toThrow(LockNotFree);
  first.release();
  (await second).release();
});

it('has many shared holders, who keep out an exclusive one until the last has gone', async () => {
  const holders = [await FileLock.shared(file), await FileLock.shared(file)];
  holders[0]?.release();
  expect(await FileLock.ifFree(file)).toBeUndefined();
  holders[1]?.release();
  const free = await FileLock.ifFree(file);
  expect(free).toBeDefined();
  await expect(FileLock.shared(file, 50)).rejects.toThrow(LockNotFree);
  free?.release();
});
