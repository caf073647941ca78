import { createHash, hash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type FreshDatabase, freshDatabase, openDatabase } from '../../test/support/database.js';
import type { Database } from '../database/index.js';
import { type ArtifactKey, ArtifactMissing } from './artifact-store.js';
import { PostgresArtifacts } from './postgres-artifacts.js';

const BUCKET = 7;
/** Three chunks, the last not full. */
const CONTENT = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 251));

let fresh: FreshDatabase;
let database: Database;
let close: () => Promise<void>;
let artifacts: PostgresArtifacts;
let reports = 0;

beforeAll(async () => {
  fresh = await freshDatabase();
  ({ database, close } = openDatabase(fresh.url));
  artifacts = new PostgresArtifacts(database);
});

afterAll(async () => {
  await close?.();
  await fresh?.drop();
});

function newKey(attempt = 1): ArtifactKey {
  return { bucket: BUCKET, reportId: `rpt-${++reports}`, attempt };
}

async function write(key: ArtifactKey, content = CONTENT, piece = 10_000): Promise<void> {
  const file = (await artifacts.open(database, key)).create('csv');
  for (let at = 0; at < content.length; at += piece) await file.write(content.subarray(at, at + piece));
  await file.close(content.length, hash('sha256', content, 'hex'));
}

async function publish(key: ArtifactKey): Promise<void> {
  await database.transaction((tx) => artifacts.publish(tx, key));
}

async function read(
  key: ArtifactKey,
  range?: { start: number; end: number },
  format = 'csv',
): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(artifacts.read(key, format, range)));
}

async function chunksOf({ reportId }: ArtifactKey): Promise<number> {
  const { rows } = await database.query<{ chunks: string }>(
    'SELECT count(*) AS chunks FROM artifact_chunk WHERE bucket = $1 AND report_id = $2',
    [BUCKET, reportId],
  );
  return Number(rows[0]?.chunks);
}

async function storedBytes({ reportId }: ArtifactKey): Promise<number> {
  const { rows } = await database.query<{ bytes: string }>(
    'SELECT sum(octet_length(content)) AS bytes FROM artifact_chunk WHERE bucket = $1 AND report_id = $2',
    [BUCKET, reportId],
  );
  return Number(rows[0]?.bytes);
}

it.each([1_000, 262_144, 300_000, 600_000])(
  'gives back what was written in pieces of %i bytes',
  async (piece) => {
    const key = newKey();
    await write(key, CONTENT, piece);
    await publish(key);
    expect((await read(key)).equals(CONTENT)).toBe(true);
  },
);

it('keeps content that cannot be packed, and packs what can be', async () => {
  const [packed, asItStands] = [newKey(), newKey()];
  await write(packed);
  const noise = createHash('shake256', { outputLength: 600_000 }).update('noise').digest();
  await write(asItStands, noise);
  await publish(asItStands);
  expect((await read(asItStands)).equals(noise)).toBe(true);
  expect(await storedBytes(asItStands)).toBe(noise.length);
  expect(await storedBytes(packed)).toBeLessThan(CONTENT.length / 10);
});

it.each([
  [0, 1],
  [262_143, 262_145],
  [262_144, 524_288],
  [500_000, 600_000],
  [0, 600_000],
])('reads the bytes from %i to %i', async (start, end) => {
  const key = newKey();
  await write(key);
  await publish(key);
  expect((await read(key, { start, end })).equals(CONTENT.subarray(start, end))).toBe(true);
});

it('keeps a content of no bytes', async () => {
  const key = newKey();
  await write(key, Buffer.alloc(0));
  await publish(key);
  expect(await read(key)).toHaveLength(0);
});

it('shows nothing before it is published, and nothing of a transaction that rolls back', async () => {
  const key = newKey();
  await write(key);
  await expect(read(key)).rejects.toThrow(ArtifactMissing);
  const failing = database.transaction(async (tx) => {
    await artifacts.publish(tx, key);
    throw new Error('the append failed');
  });
  await expect(failing).rejects.toThrow('the append failed');
  await expect(read(key)).rejects.toThrow(ArtifactMissing);
});

it('knows no format that was not written', async () => {
  const key = newKey();
  await write(key);
  await publish(key);
  await expect(read(key, undefined, 'xlsx')).rejects.toThrow(ArtifactMissing);
});

it('publishes nothing where nothing was written', async () => {
  await expect(publish(newKey())).rejects.toThrow(ArtifactMissing);
});

it('removes what earlier attempts left, and refuses their writers from then on', async () => {
  const first = newKey();
  const late = (await artifacts.open(database, first)).create('csv');
  await late.write(CONTENT);
  await write({ ...first, attempt: 2 });
  expect(await chunksOf(first)).toBe(3);
  await expect(late.close(CONTENT.length, 'digest')).rejects.toThrow(/foreign key/);
});

it('leaves no chunk of a report whose content is removed', async () => {
  const key = newKey();
  await write(key);
  await publish(key);
  await database.transaction((tx) => artifacts.remove(tx, BUCKET, key.reportId));
  expect(await chunksOf(key)).toBe(0);
  await expect(read(key)).rejects.toThrow(ArtifactMissing);
});

it('discards an attempt, but never what is published', async () => {
  const [void_, kept] = [newKey(), newKey()];
  await write(void_);
  await write(kept);
  await publish(kept);
  await artifacts.discard(void_);
  await artifacts.discard(kept);
  expect([await chunksOf(void_), await chunksOf(kept)]).toEqual([0, 3]);
});

it('sweeps what was opened long ago and never published', async () => {
  const [dead, kept] = [newKey(), newKey()];
  await write(dead);
  await write(kept);
  await publish(kept);
  await artifacts.sweep(new Date(Date.now() - 3_600_000));
  expect(await chunksOf(dead)).toBe(3);
  await artifacts.sweep(new Date(Date.now() + 3_600_000));
  expect([await chunksOf(dead), await chunksOf(kept)]).toEqual([0, 3]);
});

it('names the reports whose content is older than a date, oldest first', async () => {
  const key = newKey();
  await write(key);
  await publish(key);
  const later = new Date(Date.now() + 3_600_000);
  expect(await artifacts.publishedBefore(BUCKET, later, 1_000)).toContain(key.reportId);
  expect(await artifacts.publishedBefore(BUCKET, later, 1)).toHaveLength(1);
  expect(await artifacts.publishedBefore(BUCKET, new Date(0), 1_000)).toEqual([]);
  expect(await artifacts.publishedBefore(BUCKET + 1, later, 1_000)).toEqual([]);
});
