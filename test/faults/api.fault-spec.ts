import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chance, RUNS } from './support/chance.js';
import { freePort, Ground, pause } from './support/ground.js';

let ground: Ground;

beforeAll(async () => {
  ground = await Ground.open();
});

afterAll(() => ground?.close());

it(`an API killed during creates, retried with the same Idempotency-Key: one report each (${RUNS} times)`, async () => {
  const random = chance('kill an API');
  const ports = [await freePort(), await freePort()];
  const start = (port: number | undefined) => ground.start('api', { PORT: String(port) });
  const apis = await Promise.all(ports.map(start));
  const farms = [await ground.farm(), await ground.farm()];
  const asked = new Set<string>();
  const before = await ground.count(`SELECT count(*) FROM event WHERE type = 'ReportRequested'`);
  for (let run = 0; run < RUNS; run++) {
    const creates = Array.from({ length: 40 }, (_, each) =>
      ground.createForSure(
        () => `http://127.0.0.1:${ports[Math.floor(random() * 2)]}`,
        'brief.v1',
        farms[each % 2] as string,
      ),
    );
    await pause(random() * 150);
    const victim = run % 2;
    await apis[victim]?.kill();
    apis[victim] = await start(ports[victim]);
    for (const id of await Promise.all(creates)) asked.add(id);
  }
  expect(asked.size).toBe(40 * RUNS);
  expect((await ground.count(`SELECT count(*) FROM event WHERE type = 'ReportRequested'`)) - before).toBe(
    40 * RUNS,
  );
  await ground.audited();
});
