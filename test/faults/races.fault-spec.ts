import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { StartedService } from '../support/service.js';
import { chance, QUICK, RUNS } from './support/chance.js';
import { Ground, pause } from './support/ground.js';
import { until } from '../support/until.js';

let ground: Ground;
let api: StartedService;

beforeAll(async () => {
  ground = await Ground.open();
  api = await ground.start('api');
});

afterEach(() => ground.killAll('worker'));

afterAll(() => ground?.close());

it(`cancel against completion: exactly one of the two (${QUICK ? 100 : 1_000} interleavings)`, async () => {
  const random = chance('cancel');
  await ground.start('worker', { GENERATION_CONCURRENCY: '4' });
  const farms = await Promise.all(Array.from({ length: 4 }, () => ground.farm()));
  let cancelled = 0;
  const lane = async (farm: string, times: number): Promise<void> => {
    let longest = 80;
    for (let each = 0; each < times; each++) {
      const id = await ground.createForSure(() => api.url, 'brief.v1', farm);
      await pause(random() * longest);
      const { status, body } = await ground.send(api.url, 'DELETE', `/v2/report/${id}`);
      expect([200, 409]).toContain(status);
      if (status === 200) cancelled++;
      // Completions take as long as the machine is busy: around there is where the two meet.
      longest *= status === 200 ? 1.5 : 0.6;
      if (status === 200) expect(body.data.status).toBe('cancelled');
      await until('it has ended', async () => {
        const told = await ground.send(api.url, 'GET', `/v2/report/${id}`);
        return ['cancelled', 'completed'].includes(told.body.data.status as string);
      });
      const life = await ground.life(id);
      const ends = life.filter((type) => type === 'ReportCompleted' || type === 'ReportCancelled');
      expect(ends).toEqual([status === 200 ? 'ReportCancelled' : 'ReportCompleted']);
    }
  };
  const times = (QUICK ? 100 : 1_000) / farms.length;
  await Promise.all(farms.map((farm) => lane(farm, times)));
  console.log(`${cancelled} of ${times * farms.length} were cancelled, the others completed`);
  expect(cancelled).toBeGreaterThan(times * 0.2);
  expect(cancelled).toBeLessThan(times * 3.8);
  await ground.audited();
});

it(`50 identical creates at once on three processes: one report (${RUNS} times)`, async () => {
  const urls = [api.url, ...(await Promise.all([1, 2].map(() => ground.start('api')))).map(({ url }) => url)];
  const farm = await ground.farm();
  for (let run = 0; run < RUNS; run++) {
    const period = { reportingPeriodStart: run, reportingPeriodEnd: run };
    const told = await Promise.all(
      Array.from({ length: 50 }, (_, each) =>
        ground.send(urls[each % 3] as string, 'POST', '/v2/report', {
          type: 'brief.v1',
          tenantType: 'farm',
          tenantId: farm,
          ...period,
        }),
      ),
    );
    expect(new Set(told.map(({ body }) => body.data.id)).size).toBe(1);
    expect(told.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(told.filter(({ status }) => status === 200)).toHaveLength(49);
  }
  await ground.audited();
});

it(`one farm floods ${QUICK ? 300 : 2_000} reports: another farm's starts within one job's time and 2 s`, async () => {
  const [flooding, other] = [await ground.farm(), await ground.farm()];
  const lane = async (reports: number): Promise<void> => {
    for (let each = 0; each < reports; each++)
      await ground.createForSure(() => api.url, 'wandering.v1', flooding);
  };
  await Promise.all(Array.from({ length: 10 }, () => lane(QUICK ? 30 : 200)));
  await ground.start('worker', { GENERATION_CONCURRENCY: '1' });
  await until('the flood is being worked on', async () => {
    return (
      (await ground.count(`SELECT count(*) FROM report WHERE tenant_id = $1 AND status = 'completed'`, [
        flooding,
      ])) > 0
    );
  });
  for (let run = 0; run < (QUICK ? 1 : 5); run++) {
    const id = await ground.createForSure(() => api.url, 'brief.v1', other);
    const waited = await until('it starts', async () => (await ground.life(id)).length > 1);
    const longest = await longestJob();
    console.log(
      `another farm's report started after ${Math.round(waited)} ms; the longest job took ${longest} ms`,
    );
    expect(waited).toBeLessThan(longest + 2_000);
  }
  await ground.audited();
});

/** The longest time a report took from its start to its end, in milliseconds. */
async function longestJob(): Promise<number> {
  return ground.count(
    `SELECT ceil(max(extract(epoch FROM done.recorded_at - begun.recorded_at)) * 1000) AS count
     FROM event begun JOIN event done ON done.bucket = begun.bucket AND done.stream_id = begun.stream_id
     WHERE begun.type = 'ReportGenerationStarted' AND done.type = 'ReportCompleted'`,
  );
}
