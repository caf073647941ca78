import { Client } from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import type { Column, Row } from '../generators/generator.js';
import type { ConformanceGround } from './conformance-ground.js';
import { fileFaults, mangledTexts } from './text-faults.js';
import { hostile, MISSING_DAY, ODD_DAYS, type OddDay, type ToldFarm } from './told-farms.js';
import { totalFaults } from './total-faults.js';
import type { Days, MadeReport } from './trial.js';
import type { Described, ReportTask } from './trial-tasks.js';
import { Trials } from './trials.js';

/** What a larger farm may hold more of: noise is under 500 KiB but for the odd time, a collector of one-column rows above 900. */
const HELD_BYTES = 600 * 1024;
const STOPPED_WITHIN_MS = 1_000;
/** A busy machine may be slow once, and an engine hold on to something once; what breaks a promise breaks it every time. */
const ATTEMPTS = 3;

/** One promise that every report type keeps. `find` answers what breaks it, in words; nothing when it is kept. */
export interface Check {
  readonly name: string;
  find(described: Described, ground: ConformanceGround): Promise<string[]>;
}

export const CHECKS: readonly Check[] = [
  { name: 'declares itself wholly', find: async ({ faults }) => [...faults] },
  { name: 'keeps to its declared columns and units', find: columns },
  { name: 'gives the same bytes again, elsewhere and later', find: determinism },
  { name: 'passes text on as it was recorded, safe from formulas', find: text },
  { name: 'is a header without rows for an empty farm', find: emptyFarm },
  { name: 'reads days as the farm has them, in odd time zones too', find: timeZones },
  { name: 'has totals that equal its rows', find: totals },
  { name: 'holds no more of a larger farm', find: memory },
  { name: 'stops within a second', find: cancellation },
];

async function columns(described: Described, ground: ConformanceGround): Promise<string[]> {
  const { rows } = await ground.make(described, await ground.told.plain());
  return orderFaults(rows, described.declaration.columns);
}

/** Rows that begin with a day come in its order, and a total after its details. */
function orderFaults(rows: readonly Row[], columns: readonly Column[]): string[] {
  const last = rows.findLastIndex(({ rowType }) => rowType === 'detail');
  const early = rows.findIndex(({ rowType }) => rowType === 'total');
  const faults = early >= 0 && early < last ? [`row ${early + 1}: a total stands before detail rows`] : [];
  if (columns[0]?.type !== 'date') return faults;
  const days = rows.filter(({ rowType }) => rowType === 'detail').map(({ cells }) => String(cells[0]));
  const back = days.findIndex((day, index) => index > 0 && day < (days[index - 1] as string));
  return back < 0
    ? faults
    : [...faults, `${columns[0].name} goes back from ${days[back - 1]} to ${days[back]}`];
}

async function determinism(described: Described, ground: ConformanceGround): Promise<string[]> {
  const farm = await ground.told.plain();
  const first = await ground.make(described, farm);
  const [again, elsewhere] = await Promise.all([
    ground.makeAgain(described, farm),
    ground.makeElsewhere(described, farm),
  ]);
  return [
    ...difference(first, again, 'made again'),
    ...difference(first, elsewhere, 'made by another process, in another time zone and a year later'),
  ];
}

function difference(one: MadeReport, other: MadeReport, when: string): string[] {
  const formats = Object.keys(one.digests).filter((format) => one.digests[format] !== other.digests[format]);
  if (formats.length === 0) return [];
  const at = one.rows.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(other.rows[index]));
  const where = at < 0 ? 'the number of rows or the warnings differ' : `row ${at + 1} differs first`;
  return [`its content is another when it is ${when} (${formats.join(', ')}): ${where}`];
}

async function text(described: Described, ground: ConformanceGround): Promise<string[]> {
  const made = await ground.make(described, await ground.told.hostile());
  return [...mangledTexts(made.rows, hostile), ...fileFaults(made, described.declaration.columns)].slice(
    0,
    10,
  );
}

async function emptyFarm(described: Described, ground: ConformanceGround): Promise<string[]> {
  const { rows } = await ground.make(described, await ground.told.empty());
  return rows.length === 0
    ? []
    : [`a farm without records gives ${rows.length} rows: ${JSON.stringify(rows[0])}`];
}

/** The same told by the days of a farm gives the same rows whatever hours a day has; a day outside the period is none of it. */
async function timeZones(described: Described, ground: ConformanceGround): Promise<string[]> {
  const faults: string[] = [];
  for (const odd of [...ODD_DAYS, MISSING_DAY]) {
    const found = await oddDayFaults(described, ground, odd).catch((error: unknown) => [
      `it failed: ${(error as Error).message}`,
    ]);
    faults.push(...found.map((fault) => `${odd.zone} around ${odd.day}, ${odd.what}: ${fault}`));
  }
  return faults;
}

async function oddDayFaults(described: Described, ground: ConformanceGround, odd: OddDay): Promise<string[]> {
  const farm = await ground.told.around(odd, odd.zone);
  const { rows } = await ground.make(described, farm);
  const outside = daysOutside(rows, described.declaration.columns, farm.days, odd);
  if (outside.length > 0 || odd === MISSING_DAY) return outside;
  const plain = await ground.make(described, await ground.told.around(odd, 'UTC'));
  return rowsUnlike(rows, plain.rows);
}

function daysOutside(
  rows: readonly Row[],
  [first]: readonly Column[],
  { start, end }: Days,
  odd: OddDay,
): string[] {
  if (first?.type !== 'date') return [];
  const days = rows.flatMap(({ cells: [day] }) => (typeof day === 'string' ? [day] : []));
  const missing = odd === MISSING_DAY ? odd.day : undefined;
  const outside = days.find((day) => day < start || day > end || day === missing);
  return outside === undefined ? [] : [`a row is of ${outside}, which is no day of the period`];
}

function rowsUnlike(rows: readonly Row[], plain: readonly Row[]): string[] {
  const at = rows.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(plain[index]));
  if (at < 0 && rows.length === plain.length) return [];
  return [
    `the same week gives other rows than in UTC, first ${JSON.stringify(rows[at]?.cells)} for ${JSON.stringify(plain[at]?.cells)}`,
  ];
}

async function totals(described: Described, ground: ConformanceGround): Promise<string[]> {
  const { rows } = await ground.make(described, await ground.told.plain());
  return totalFaults(rows, described.declaration.columns);
}

async function memory(described: Described, ground: ConformanceGround): Promise<string[]> {
  const { id, quiet, busy } = await ground.told.busy();
  const measure = (days: Days) => ground.measure(described, { id, days });
  // Code that runs for the first time takes memory too: first both, and then the larger last, or a collector could hide in it.
  await measure(busy);
  let [small, large] = [await measure(quiet), await measure(busy)];
  let held = large.liveBytes - small.liveBytes;
  for (let attempt = 1; held > HELD_BYTES && attempt < ATTEMPTS; attempt++) {
    [small, large] = [await measure(quiet), await measure(busy)];
    held = Math.min(held, large.liveBytes - small.liveBytes);
  }
  const counts = `between ${quiet.start} to ${quiet.end} and fifteen times the records`;
  return [
    ...(held > HELD_BYTES
      ? [`${counts} what it holds grows by ${Math.round(held / 1024)} KiB; it must not grow with the farm`]
      : []),
    ...(large.largestBatch > 4 * small.largestBatch && large.largestBatch >= BUSY_BATCH
      ? [`${counts} its largest batch grows from ${small.largestBatch} to ${large.largestBatch} rows`]
      : []),
  ];
}

/** Fewer rows at once are no burden, whatever the farm. */
const BUSY_BATCH = 400;

async function cancellation(described: Described, ground: ConformanceGround): Promise<string[]> {
  const { id, busy } = await ground.told.busy();
  const faults = [];
  for (const where of ['begin', 'rows'] as const) {
    const times: number[] = [];
    while (times.length < ATTEMPTS && !times.some((time) => time <= STOPPED_WITHIN_MS))
      times.push(await timeToStop(described, { id, days: busy }, where, ground.databaseUrl));
    const least = Math.round(Math.min(...times));
    if (least > STOPPED_WITHIN_MS)
      faults.push(`told to stop ${STOPPED_AT[where]}, it took ${least} ms, ${ATTEMPTS} times`);
  }
  return faults;
}

/** From there on it is at work. */
const IN_THE_MIDDLE_MS = 50;
const STOPPED_AT = { begin: 'before its first rows', rows: 'between its rows' };
let connections = 0;

/** Milliseconds from the moment its thread is told to end until thread and query are gone. */
async function timeToStop(
  { source }: Described,
  { id, days }: ToldFarm,
  where: 'begin' | 'rows',
  databaseUrl: string,
): Promise<number> {
  const connection = `muster trial ${process.pid} ${++connections}`;
  const thread = Trials.inThread();
  const watcher = new Client({ connectionString: databaseUrl });
  await watcher.connect();
  try {
    await reached(thread, { databaseUrl, farmId: id, days, source, connection }, where);
    await pause(IN_THE_MIDDLE_MS);
    const told = performance.now();
    await thread.end();
    while (await isBusy(watcher, connection)) await pause(20);
    return performance.now() - told;
  } finally {
    await watcher.end();
  }
}

/** A report that ends, or fails, before it is there is there too. */
function reached(thread: Trials, task: Omit<ReportTask, 'id'>, where: 'begin' | 'rows'): Promise<void> {
  return new Promise((resolve) => {
    const ended = thread.ask('run', task, (at) => (at === where ? resolve() : undefined));
    ended.then(
      () => resolve(),
      () => resolve(),
    );
  });
}

async function isBusy(watcher: Client, connection: string): Promise<boolean> {
  const { rowCount } = await watcher.query(
    `SELECT FROM pg_stat_activity WHERE application_name = $1 AND state = 'active'`,
    [connection],
  );
  return rowCount !== 0;
}
