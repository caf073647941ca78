import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { StartedService } from '../support/service.js';
import { chance, QUICK, RUNS } from './support/chance.js';
import { FaultProxy } from './support/fault-proxy.js';
import { Ground, pause } from './support/ground.js';
import { until } from '../support/until.js';

let ground: Ground;
let api: StartedService;
let proxy: FaultProxy;

beforeAll(async () => {
  ground = await Ground.open();
  api = await ground.start('api');
});

afterEach(async () => {
  await ground.killAll('worker');
  await proxy.close();
});

afterAll(() => ground?.close());

async function proxiedWorker(): Promise<StartedService> {
  proxy = await FaultProxy.before(ground.postgres.listeningPort);
  return ground.start('worker', { DATABASE_URL: ground.postgres.urlAt(proxy.port) });
}

async function newReport(type: string, farm: string): Promise<string> {
  const { status, body } = await ground.create(api.url, type, farm);
  expect(status).toBe(201);
  return body.data.id as string;
}

async function endsOnce(ids: readonly string[]): Promise<void> {
  await ground.allEnded(120_000);
  for (const id of ids)
    expect((await ground.life(id)).filter((type) => type === 'ReportCompleted')).toHaveLength(1);
  await ground.audited();
}

it(`a network cut between a worker and the database at a random moment (${RUNS} times)`, async () => {
  const random = chance('cut the network');
  const worker = await proxiedWorker();
  const farm = await ground.farm();
  const ids: string[] = [];
  for (let run = 0; run < RUNS; run++) {
    ids.push(await newReport('wandering.v1', farm));
    await pause(random() * 1_500);
    proxy.cut();
    await pause(random() * 500);
    proxy.heal();
  }
  await endsOnce(ids);
  expect(worker.child.exitCode).toBeNull();
});

it('a connection that is half open: another worker takes over, and the silent one changes nothing later', async () => {
  const silent = await proxiedWorker();
  const farm = await ground.farm();
  const id = await newReport('gated.v1', farm);
  await until('it is running', async () => (await ground.life(id)).length === 2);
  proxy.fallSilent();
  await ground.start('worker');
  await until('it runs elsewhere', async () => (await ground.life(id)).length === 3, 30_000);
  await ground.openGate(farm);
  await until('it has ended', async () => (await ground.life(id)).at(-1) === 'ReportCompleted');
  proxy.heal();
  if (!QUICK) await pause(10_000);
  await endsOnce([id]);
  expect(silent.child.exitCode).toBeNull();
});

it(`the answer to a COMMIT of a worker is lost: no event twice (${RUNS} times)`, async () => {
  const random = chance('lose a COMMIT');
  await proxiedWorker();
  const farm = await ground.farm();
  const ids: string[] = [];
  for (let run = 0; run < RUNS; run++) {
    ids.push(await newReport(run % 2 ? 'brief.v1' : 'wandering.v1', farm));
    await pause(random() * 600);
    await Promise.race([proxy.loseNextCommit(), pause(5_000)]);
  }
  await endsOnce(ids);
});

it(`the answer to a COMMIT of an API is lost: the retry is recognised (${RUNS} times)`, async () => {
  proxy = await FaultProxy.before(ground.postgres.listeningPort);
  const far = await ground.start('api', { DATABASE_URL: ground.postgres.urlAt(proxy.port) });
  const farm = await ground.farm();
  const before = await ground.count(`SELECT count(*) FROM event WHERE type = 'ReportRequested'`);
  for (let run = 0; run < RUNS; run++) {
    const lost = proxy.loseNextCommit();
    await ground.createForSure(() => far.url, 'brief.v1', farm);
    await lost;
  }
  expect((await ground.count(`SELECT count(*) FROM event WHERE type = 'ReportRequested'`)) - before).toBe(
    RUNS,
  );
  await ground.audited();
});
