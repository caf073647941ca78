import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { StartedService } from '../support/service.js';
import { QUICK } from './support/chance.js';
import { Balancer } from './support/balancer.js';
import { freePort, Ground, pause } from './support/ground.js';

let ground: Ground;

beforeAll(async () => {
  ground = await Ground.open();
});

afterAll(() => ground?.close());

it('a rolling restart of all processes under load: no answer other than 2xx, 429 and 503 with Retry-After', async () => {
  const ports = [await freePort(), await freePort()];
  const start = (role: 'api' | 'worker', port = 0) =>
    ground.start(role, { PORT: String(port), DRAIN_DELAY_SECONDS: '1' });
  const apis = await Promise.all(ports.map((port) => start('api', port)));
  const workers = await Promise.all([start('worker'), start('worker')]);
  const balancer = await Balancer.over(ports);
  const farms = await Promise.all(Array.from({ length: 4 }, () => ground.farm()));
  const answers = new Map<number, number>();
  let loading = true;
  let unanswered = 0;
  const load = farms.map(async (farm) => {
    while (loading) {
      const told = await ground.create(balancer.url, 'brief.v1', farm).catch(() => undefined);
      if (!told) unanswered++;
      else answers.set(told.status, (answers.get(told.status) ?? 0) + 1);
      if (told?.status === 503) expect(told.retryAfter).not.toBeNull();
      if (told?.status === 201) {
        const { status } = await ground
          .send(balancer.url, 'GET', `/v2/report/${told.body.data.id}/download`)
          .catch(() => ({ status: 0 }));
        if (status === 0) unanswered++;
        else answers.set(status, (answers.get(status) ?? 0) + 1);
      }
      await pause(5);
    }
  });
  const rounds = QUICK ? 1 : 5;
  for (let round = 0; round < rounds; round++) {
    await roll(apis, (each) => start('api', ports[each]));
    await roll(workers, () => start('worker'));
  }
  loading = false;
  await Promise.all(load);
  await balancer.close();
  console.log('answers by status:', Object.fromEntries(answers), 'without an answer:', unanswered);
  const others = [...answers.keys()].filter((status) => ![200, 201, 202, 429, 503].includes(status));
  expect(others).toEqual([]);
  expect(unanswered).toBe(0);
  await ground.allEnded();
  await ground.audited();
});

/** One after another: told to stop, waited for, started again. */
async function roll(
  processes: StartedService[],
  again: (each: number) => Promise<StartedService>,
): Promise<void> {
  for (const [each, process] of processes.entries()) {
    await pause(500);
    expect(await process.stop()).toBe(0);
    processes[each] = await again(each);
  }
}
