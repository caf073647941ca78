import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { StartedService } from '../support/service.js';
import { chance, QUICK, RUNS } from './support/chance.js';
import { Ground, pause, tell } from './support/ground.js';
import { until } from '../support/until.js';

let ground: Ground;
let api: StartedService;

beforeAll(async () => {
  ground = await Ground.open();
});

afterEach(() => ground.killAll());

afterAll(() => ground?.close());

it(`PostgreSQL killed under load: nothing acknowledged is lost, and writes go on within 3 s (${RUNS} times)`, async () => {
  const random = chance('kill PostgreSQL');
  api = await ground.start('api');
  await ground.start('worker');
  const farms = [await ground.farm(), await ground.farm(), await ground.farm()];
  let loading = true;
  let lastWrite = 0;
  const writing: number[] = [];
  const unforeseen: number[] = [];
  const load = farms.map(async (farm) => {
    while (loading) {
      const told = await ground.create(api.url, 'brief.v1', farm);
      if (told.status === 201) lastWrite = performance.now();
      else if (told.status !== 503 || told.retryAfter === null) unforeseen.push(told.status);
      await pause(told.status === 201 ? 5 : 50);
    }
  });
  for (let run = 0; run < RUNS; run++) {
    await pause(200 + random() * 1_000);
    await ground.postgres.kill();
    const up = await ground.postgres.restart();
    await until('the service writes again', () => lastWrite > up, 3_000);
    writing.push(lastWrite - up);
  }
  tell('the service writes again after the database is up', writing);
  loading = false;
  await Promise.all(load);
  expect(unforeseen).toEqual([]);
  await ground.allEnded(120_000);
  await ground.audited();
});

describe('the database away for a while', () => {
  it('is answered with 503 and Retry-After; live stays green, ready turns red, nobody exits', async () => {
    api = await ground.start('api');
    const worker = await ground.start('worker');
    const farm = await ground.farm();
    const running = await ground.create(api.url, 'gated.v1', farm);
    await ground.postgres.stop();
    const away = performance.now();
    const health = async (path: string) => (await ground.send(api.url, 'GET', path)).status;
    while (performance.now() - away < (QUICK ? 5_000 : 60_000)) {
      const told = await ground.create(api.url, 'brief.v1', farm);
      expect([told.status, told.retryAfter]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      expect([await health('/health/live'), await health('/health/ready')]).toEqual([200, 503]);
      await pause(500);
    }
    await ground.postgres.restart();
    tell('ready again', [
      await until('it is ready again', async () => (await health('/health/ready')) === 200, 10_000),
    ]);
    expect((await ground.create(api.url, 'brief.v1', farm)).status).toBe(201);
    await ground.openGate(farm);
    await ground.allEnded();
    expect((await ground.life(running.body.data.id as string)).at(-1)).toBe('ReportCompleted');
    for (const service of [api, worker]) {
      expect([service.child.exitCode, service.child.signalCode]).toEqual([null, null]);
      expect(service.logs()).not.toMatch(/unhandled|uncaught/i);
    }
    await ground.audited();
  });
});
