import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { StartedService } from '../support/service.js';
import { chance, QUICK, RUNS } from './support/chance.js';
import { Ground, pause, tell } from './support/ground.js';
import { until } from '../support/until.js';

let ground: Ground;
let api: StartedService;

beforeAll(async () => {
  ground = await Ground.open();
  api = await ground.start('api');
});

afterEach(() => ground.killAll('worker'));

afterAll(() => ground?.close());

async function newReport(type: string, farm: string): Promise<string> {
  const { status, body } = await ground.create(api.url, type, farm);
  expect(status).toBe(201);
  return body.data.id as string;
}

const started = (id: string) =>
  ground.count(`SELECT count(*) FROM event WHERE stream_id = $1 AND type = 'ReportGenerationStarted'`, [id]);

const completions = (id: string) =>
  ground.count(`SELECT count(*) FROM event WHERE stream_id = $1 AND type = 'ReportCompleted'`, [id]);

it(`a worker killed at a random moment: its report runs again within 15 s and ends once (${RUNS} times)`, async () => {
  const random = chance('kill a worker');
  const farm = await ground.farm();
  let doomed = await ground.start('worker');
  const recovered: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const id = await newReport('wandering.v1', farm);
    await until('it is running', async () => (await started(id)) > 0);
    await pause(random() * 1_200);
    const before = await started(id);
    const next = ground.start('worker');
    await doomed.kill();
    const took = await until(
      'it has ended or runs again',
      async () => (await completions(id)) === 1 || (await started(id)) > before,
      15_000,
    );
    if ((await started(id)) > before) recovered.push(took);
    await until('it has ended', async () => (await completions(id)) === 1);
    doomed = await next;
  }
  if (recovered.length > 0)
    tell(`of ${RUNS} reports, ${recovered.length} run again after the kill`, recovered);
  await ground.allEnded();
  await ground.audited();
});

describe('a worker killed between its content and the commit of its completion', () => {
  it.each([
    ['before the claim of the stream', 'SELECT FROM stream WHERE stream_id = $1 FOR UPDATE'],
    [
      'between publishing and the commit',
      `SELECT FROM log_head WHERE bucket = (SELECT bucket FROM report WHERE report_id = $1) FOR UPDATE`,
    ],
  ])('%s', async (_, lock) => {
    const worker = await ground.start('worker');
    const farm = await ground.farm();
    const id = await newReport('gated.v1', farm);
    await until('it is running', async () => (await started(id)) > 0);
    const holder = await ground.postgres.connect();
    await holder.query('BEGIN');
    await holder.query(lock, [id]);
    await ground.openGate(farm);
    await until('its completion waits', async () => {
      return (await ground.count(`SELECT count(*) FROM pg_locks WHERE NOT granted`)) > 0;
    });
    expect(await ground.count('SELECT count(*) FROM artifact_file WHERE report_id = $1', [id])).toBe(4);
    await worker.kill();
    await holder.end();
    await ground.start('worker');
    await until('it has ended', async () => (await completions(id)) === 1);
    expect((await ground.life(id)).filter((type) => type === 'ReportGenerationStarted')).toHaveLength(2);
    await ground.audited();
  });
});

it('a worker frozen for a minute: restarted elsewhere, the late result refused, its chunks swept', async () => {
  const frozen = await ground.start('worker');
  const farm = await ground.farm();
  const id = await newReport('gated.v1', farm);
  await until('it is running', async () => (await started(id)) === 1);
  frozen.child.kill('SIGSTOP');
  const since = performance.now();
  await ground.start('worker');
  tell('runs elsewhere', [await until('it runs elsewhere', async () => (await started(id)) === 2, 20_000)]);
  // Quick: as soon as another worker has it, which a minute only makes later.
  if (!QUICK) await pause(60_000 - (performance.now() - since));
  frozen.child.kill('SIGCONT');
  await ground.openGate(farm);
  await ground.allEnded();
  await until(
    'one attempt is kept',
    async () => {
      return (await ground.count('SELECT count(*) FROM artifact WHERE report_id = $1', [id])) === 1;
    },
    10_000,
  );
  expect(await completions(id)).toBe(1);
  await ground.audited();
});

(QUICK ? it.skip : it)(
  'a worker frozen in the middle of its completion lets go of it within a minute',
  async () => {
    const frozen = await ground.start('worker');
    const farm = await ground.farm();
    const id = await newReport('gated.v1', farm);
    await until('it is running', async () => (await started(id)) === 1);
    const holder = await ground.postgres.connect();
    await holder.query('BEGIN');
    await holder.query(
      'SELECT FROM log_head WHERE bucket = (SELECT bucket FROM report WHERE report_id = $1) FOR UPDATE',
      [id],
    );
    await ground.openGate(farm);
    await until('its completion waits', async () => {
      return (await ground.count(`SELECT count(*) FROM pg_locks WHERE NOT granted`)) > 0;
    });
    frozen.child.kill('SIGSTOP');
    await holder.end();
    await ground.start('worker');
    await until('it has ended', async () => (await completions(id)) === 1, 90_000);
    frozen.child.kill('SIGCONT');
    await ground.allEnded();
    await ground.audited();
  },
);

it('a generator that throws, exhausts memory or never ends fails with a reason, and other farms go on', async () => {
  await ground.start('worker', {
    GENERATION_ATTEMPTS: '2',
    GENERATION_TIME_LIMIT: '2',
    GENERATION_MEMORY_LIMIT: '48',
    GENERATION_CONCURRENCY: '2',
  });
  const bad = new Map<string, RegExp>();
  for (const [type, reason] of [
    ['broken.v1', /^the generator of this report type failed$/],
    ['endless.v1', /^it took longer than 2 seconds$/],
    ['hungry.v1', /^it (needed more than 48 MB of memory|took longer than 2 seconds)$/],
  ] as const)
    bad.set(await newReport(type, await ground.farm()), reason);
  const other = await ground.farm();
  for (let each = 0; each < 3; each++) {
    const id = await newReport('brief.v1', other);
    await until('another farm has its report', async () => (await completions(id)) === 1);
  }
  await ground.allEnded(120_000);
  for (const [id, reason] of bad) {
    const [row] = await ground.postgres.query<{ status: string; failure_reason: string }>(
      'SELECT status, failure_reason FROM report WHERE report_id = $1',
      [id],
    );
    expect(row).toEqual({ status: 'failed', failure_reason: expect.stringMatching(reason) });
  }
  await ground.audited();
});
