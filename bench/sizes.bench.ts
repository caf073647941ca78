import { Readable } from 'node:stream';
import { type FarmSize, FIRST_DAY, largeFarm } from './large-farm.ts';
import { type MeasuredService, startMeasuredService } from './measured-service.ts';
import { type Resources, watchResources } from './resource-watch.ts';
import type { Measurement } from './run.ts';

/** The farms that Muster is built for, with the seconds a report of twelve months may take. */
const SIZES = new Map<string, FarmSize & { readonly bar: number }>([
  ['typical', { tagged: 5_000, paddocks: 100, records: 40_000, years: 2, bar: 1 }],
  ['large', { tagged: 50_000, paddocks: 500, records: 500_000, years: 2, bar: 5 }],
  ['largest', { tagged: 500_000, paddocks: 2_000, records: 5_000_000, years: 2, bar: 60 }],
]);
/** SIZES=largest; SIZES_RECORDS overrides how many records a farm has, for seeing how something grows. */
const WANTED = (process.env.SIZES ?? 'typical,large').split(',');
const RECORDS = process.env.SIZES_RECORDS;
/** A folder to keep the database in: farms that are there are not imported again. */
const KEPT = process.env.SIZES_DATABASE_DIR;

const TYPES = [
  'livestock-reconciliation.v3',
  'animal-load-by-paddock.v1',
  'livestock-feed.v1',
  'feed-sale.v1',
  'livestock-purchase.v1',
  'livestock-sale.v1',
  'livestock-treatment.v1',
  'livestock-classification-transitions.v1',
];

interface Line {
  readonly what: string;
  readonly seconds: number;
  /** Records of an import, rows of a report. */
  readonly count: number;
  readonly took: Resources;
}

/** Imports farms through HTTP and makes every report of their last twelve months, all in one process of the built service. */
export async function run(): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for (const name of WANTED) {
    const size = SIZES.get(name);
    if (!size) throw new Error(`no such size: ${name}; there are ${[...SIZES.keys()].join(', ')}`);
    const lines = await measure(name, RECORDS === undefined ? size : { ...size, records: Number(RECORDS) });
    const reports = lines.filter(({ what }) => what !== 'import');
    const slowest = reports.reduce((slow, line) => (line.seconds > slow.seconds ? line : slow));
    measured.push({
      what: `slowest report of a ${name} farm: ${slowest.what}`,
      ours: slowest.seconds,
      unit: 's',
      bar: `< ${size.bar}`,
      reached: slowest.seconds < size.bar,
    });
  }
  return measured;
}

async function measure(name: string, size: FarmSize): Promise<Line[]> {
  const service = await startMeasuredService('all', KEPT);
  const lines: Line[] = [];
  try {
    const enter = async (what: string, work: () => Promise<number>) => {
      const stop = await watchResources(service.pid, service.databaseUrl);
      const begun = performance.now();
      const count = await work();
      lines.push({ what, seconds: (performance.now() - begun) / 1000, count, took: await stop() });
      process.stderr.write(`${what}: ${lines.at(-1)?.seconds.toFixed(1)} s\n`);
    };
    if (!(await isImported(service, name))) await enter('import', () => importFarm(service, name, size));
    for (const type of TYPES) await enter(type, () => makeReport(service, name, size, type));
    return lines;
  } finally {
    console.log(`A ${name} farm: ${size.tagged} tagged, ${size.records} records in ${size.years} years`);
    console.table(lines.map(row));
    await service.stop();
  }
}

async function isImported(service: MeasuredService, farm: string): Promise<boolean> {
  const { data } = (await service.send('GET', '/v2/farms?limit=200')) as { data: { id: string }[] };
  return data.some(({ id }) => id === farm);
}

async function importFarm(service: MeasuredService, farm: string, size: FarmSize): Promise<number> {
  await service.send('PUT', `/v2/farms/${farm}`, {
    name: farm,
    timeZone: 'Australia/Sydney',
    animalUnit: 'dse',
    areaUnit: 'ha',
    currency: 'AUD',
    financialYearStart: '07-01',
  });
  const { data } = (await service.send(
    'POST',
    `/v2/farms/${farm}/records`,
    Readable.from(largeFarm(size)),
  )) as { data: { accepted: number; errors: object[] } };
  if (data.accepted !== size.records)
    throw new Error(
      `${data.accepted} of ${size.records} records accepted: ${JSON.stringify(data.errors[0])}`,
    );
  return data.accepted;
}

async function makeReport(
  service: MeasuredService,
  tenantId: string,
  { years }: FarmSize,
  type: string,
): Promise<number> {
  const last = Number(FIRST_DAY.slice(0, 4)) + years;
  const asked = {
    type,
    tenantType: 'farm',
    tenantId,
    reportingPeriodStart: Date.parse(`${last - 1}-07-01T00:00:00+10:00`),
    reportingPeriodEnd: Date.parse(`${last}-06-30T00:00:00+10:00`),
  };
  const { data } = (await service.send('POST', '/v2/report', asked, { 'cache-control': 'no-cache' })) as {
    data: { id: string };
  };
  for (;;) {
    const { data: events } = (await service.send('GET', `/v2/report/${data.id}/events`)) as {
      data: { type: string; data: { manifest?: { rows: number }; reason?: string } }[];
    };
    const last = events.at(-1);
    if (last?.data.manifest) return last.data.manifest.rows;
    if (last?.data.reason !== undefined) throw new Error(`${type}: ${last.data.reason}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function row({ what, seconds, count, took }: Line): Record<string, string> {
  return {
    what,
    seconds: seconds.toFixed(2),
    'records or rows': count.toLocaleString('en'),
    'a second': Math.round(count / seconds).toLocaleString('en'),
    'processors, s': took.processors.toFixed(1),
    'process, MB': took.process.toFixed(0),
    'database, MB': took.database.toFixed(0),
  };
}
