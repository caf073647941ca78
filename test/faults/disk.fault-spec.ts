import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from '@jest/globals';
import { QUICK } from './support/chance.js';
import { Ground, pause } from './support/ground.js';
import { until } from '../support/until.js';
import { OwnPostgres } from './support/own-postgres.js';

const run = promisify(execFile);
const MB = 1024 * 1024;

const mounted: string[] = [];
let ground: Ground | undefined;

afterEach(async () => {
  await ground?.close();
  ground = undefined;
  for (const folder of mounted.splice(0)) {
    await run('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
  }
});

/** A disk of so many megabytes in memory. Needs a Linux where this process may mount. */
async function smallDisk(megabytes: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `muster-test-${process.pid}-disk-`));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=777`, 'tmpfs', folder]);
  mounted.push(folder);
  return folder;
}

/** Fills a disk but for some bytes. Answers how to make the space again. */
async function fill(folder: string, leaving: number): Promise<() => Promise<void>> {
  const { bavail, bsize } = await statfs(folder);
  const ballast = join(folder, 'ballast');
  await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leaving)));
  return () => unlink(ballast);
}

/** Asks for reports for a while on a full disk: every answer is a report or says to come back, and none shows half a content. */
async function askOnFullDisk(on: Ground, url: string, farm: string, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  for (let nth = 0; performance.now() < until; nth++) {
    // What is asked for must fit when there is space again.
    const told = await on.create(url, nth < 6 ? 'wandering.v1' : 'brief.v1', farm);
    expect([201, 503]).toContain(told.status);
    if (told.status === 503) expect(told.retryAfter).not.toBeNull();
    for (const id of [...on.acknowledged].slice(-3)) {
      const download = await on.send(url, 'GET', `/v2/report/${id}/download`);
      expect([200, 202, 409, 503]).toContain(download.status);
      if (download.status === 200)
        expect(download.body).toMatch(/^row_type,head\r\n[^]*\r\ndetail,(7999|2)\r\n$/);
    }
    await pause(300);
  }
}

it('a full disk of the artefact store: reports wait, everything else goes on, and they are made when there is space', async () => {
  const disk = await smallDisk(128);
  ground = await Ground.open();
  await run('mkdir', [join(disk, 'artefacts')]);
  await run('chown', ['--reference', join(ground.postgres.folder, 'postgres'), join(disk, 'artefacts')]);
  await ground.postgres.query(`CREATE TABLESPACE small LOCATION '${join(disk, 'artefacts')}'`);
  await ground.postgres.query('ALTER TABLE artifact_chunk SET TABLESPACE small');
  const api = await ground.start('api');
  const worker = await ground.start('worker');
  const farm = await ground.farm();
  await ground.createForSure(() => api.url, 'wandering.v1', farm);
  await ground.allEnded();
  const makeSpace = await fill(disk, MB / 2);
  await askOnFullDisk(ground, api.url, farm, QUICK ? 5_000 : 30_000);
  expect(worker.logs()).toContain('No space left on device');
  await makeSpace();
  await ground.allEnded(180_000);
  expect(await ground.count(`SELECT count(*) FROM report WHERE status <> 'completed'`)).toBe(0);
  await ground.audited();
});

it('a full disk of the database: nothing partial is visible, and it recovers when there is space', async () => {
  const disk = await smallDisk(320);
  const postgres = await OwnPostgres.start(disk, { max_wal_size: '48MB', min_wal_size: '32MB' });
  ground = await Ground.open(postgres);
  const api = await ground.start('api');
  await ground.start('worker');
  const farm = await ground.farm();
  await ground.createForSure(() => api.url, 'wandering.v1', farm);
  await ground.allEnded();
  const makeSpace = await fill(disk, MB);
  await askOnFullDisk(ground, api.url, farm, QUICK ? 10_000 : 30_000);
  await makeSpace();
  await postgres.ensureRunning();
  await until(
    'it takes a report again',
    async () => {
      return (await (ground as Ground).create(api.url, 'brief.v1', farm)).status === 201;
    },
    10_000,
  );
  await ground.allEnded(180_000);
  await ground.audited();
});
