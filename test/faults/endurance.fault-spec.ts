import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { StartedService } from '../support/service.js';
import { chance, QUICK } from './support/chance.js';
import { Ground, pause, type Told } from './support/ground.js';

const SECONDS = Number(process.env.FAULT_ENDURANCE_SECONDS ?? (QUICK ? 20 : 600));
const RATE = Number(process.env.FAULT_ENDURANCE_RATE ?? (QUICK ? 50 : 200));
const MB = 1024 * 1024;
/** Of ten requests, counted from 0, these and later ones are downloads. */
const DOWNLOADS = 8;

let ground: Ground;

beforeAll(async () => {
  ground = await Ground.open();
});

afterAll(() => ground?.close());

/** Requests at a steady rate, whatever becomes of the ones before; of ten two make a report and eight use what is there. */
class Load {
  readonly answers = new Map<number, number>();
  readonly unforeseen: string[] = [];
  readonly times: number[] = [];
  /** Contents that broke off behind their status; by why. */
  readonly brokenOff = new Map<string, number>();
  private readonly ids: string[] = [];
  private readonly running = new Set<Promise<void>>();
  private nth = 0;

  constructor(
    private readonly api: StartedService,
    private readonly farms: readonly string[],
    private readonly random: () => number,
  ) {}

  async run(seconds: number): Promise<void> {
    const begun = performance.now();
    while (performance.now() - begun < seconds * 1000) {
      const due = Math.floor(((performance.now() - begun) / 1000) * RATE);
      while (this.nth < due) this.begin();
      await pause(2);
    }
    await Promise.all(this.running);
  }

  private begin(): void {
    const asked = performance.now();
    const kind = this.nth % 10;
    const running = this.ask(this.nth++, kind)
      .then(() => {
        this.times.push(performance.now() - asked);
      })
      .catch((error: unknown) => this.noteError(kind, error as Error))
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  private async ask(nth: number, kind: number): Promise<void> {
    const heard = (told: Told) => this.note(told);
    const farm = this.farms[nth % this.farms.length] as string;
    const id = this.ids[Math.floor(this.random() * this.ids.length)];
    if (kind < 2 || id === undefined) {
      const url = () => this.api.url;
      this.ids.push(await ground.createForSure(url, 'livestock-sale.v1', farm, 180_000, heard));
    } else if (kind < 5) {
      const reusing = { 'cache-control': 'max-age=3600' };
      heard(await ground.create(this.api.url, 'livestock-sale.v1', farm, reusing));
    } else {
      const path = `/v2/report/${id}${kind < DOWNLOADS ? '' : '/download'}`;
      heard(await ground.send(this.api.url, 'GET', path));
    }
  }

  /** A content that is being sent when the database goes cannot be taken back; everything else has an answer. */
  private noteError(kind: number, error: Error): void {
    const why = `${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ''}`;
    if (kind < DOWNLOADS) this.unforeseen.push(`no answer: ${why}`);
    else this.brokenOff.set(why, (this.brokenOff.get(why) ?? 0) + 1);
  }

  private note({ status, retryAfter }: Told): void {
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    const foreseen = (status >= 200 && status < 300) || ([429, 503].includes(status) && retryAfter !== null);
    if (!foreseen) this.unforeseen.push(`${status} with Retry-After ${retryAfter}`);
  }
}

it(
  `${RATE} requests a second for ${SECONDS} s while workers die and PostgreSQL is restarted`,
  async () => {
    const random = chance('endurance');
    const api = await ground.start('api');
    const workers = await Promise.all([ground.start('worker'), ground.start('worker')]);
    const farms = await Promise.all(Array.from({ length: 8 }, () => ground.farm()));
    const load = new Load(api, farms, random);
    const memory: number[] = [];
    let going = true;
    const watching = (async () => {
      while (going) {
        memory.push(await residentBytes(api));
        await pause(Math.min(5_000, SECONDS * 20));
      }
    })();
    let killed = 0;
    let failedStarts = 0;
    const killing = (async () => {
      for (let nth = 0; ; nth++) {
        await pause(1_000 + random() * Math.min(30_000, SECONDS * 150));
        if (!going) return;
        await workers[nth % 2]?.kill();
        killed++;
        workers[nth % 2] = await supervised(() => failedStarts++);
      }
    })();
    const restarting = pause(SECONDS * 500).then(async () => {
      await ground.postgres.stop();
      await ground.postgres.restart();
    });
    const auditing = pause(SECONDS * 200).then(() => ground.audited());
    await load.run(SECONDS);
    going = false;
    await Promise.all([watching, killing, restarting, auditing]);
    await ground.allEnded(300_000);
    const third = Math.floor(memory.length / 3);
    const [early, late] = [mean(memory.slice(third, 2 * third)), mean(memory.slice(2 * third))];
    const times = load.times.toSorted((one, other) => one - other);
    const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
    console.log(
      [
        `answers by status: ${JSON.stringify(Object.fromEntries(load.answers))}`,
        `contents broken off: ${JSON.stringify(Object.fromEntries(load.brokenOff))}; unforeseen: ${load.unforeseen.length}`,
        `answered within ms, whatever happened: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, all ${at(0.99999)}`,
        `reports acknowledged: ${ground.acknowledged.size}; workers killed: ${killed} (starts that failed meanwhile: ${failedStarts}); PostgreSQL restarted: 1`,
        `memory of the API: ${Math.round(early / MB)} MB in the second third, ${Math.round(late / MB)} MB in the last`,
      ].join('\n'),
    );
    expect(load.unforeseen.slice(0, 20)).toEqual([]);
    expect(late).toBeLessThan(early * 1.15 + 20 * MB);
    await ground.audited();
  },
  (SECONDS + 600) * 1_000,
);

/** Starts a worker until one stays, as whatever supervises processes does: one that meets a database that is away gives up. */
async function supervised(failed: () => void): Promise<StartedService> {
  for (let tries = 1; ; tries++) {
    try {
      return await ground.start('worker');
    } catch (error) {
      if (tries === 5) throw error;
      failed();
    }
  }
}

async function residentBytes({ child }: StartedService): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
