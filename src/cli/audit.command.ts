import { readFile } from 'node:fs/promises';
import { QueryBus } from '@nestjs/cqrs';
import { type Command, InvalidArgumentError } from 'commander';
import { Audit, type AuditScope, type AuditWatcher, type Finding } from '../audit/index.js';
import { BUCKETS, bucketOf } from '../event-store/index.js';
import { FindFarm } from '../farm-records/index.js';
import { bucketOfReport } from '../reports/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions, WrongUsage } from './command.js';
import { NoSuchFarm } from './farm.command.js';
import { withOwner } from './owner.js';
import { Progress } from './progress.js';

const SHOWN = 50;

interface AuditOptions extends CommonOptions {
  readonly bucket?: number[];
  readonly farm?: string;
  readonly acknowledged?: string;
  readonly jobs: number;
}

/** Exits 1 when something does not hold. Reads only, and beside the working service. */
export function auditCommand(program: Command): void {
  addCommand(program, 'audit', 'check that everything stored is whole and agrees')
    .option('--bucket <number>', 'only this bucket; may be repeated', bucketNumber)
    .option('--farm <id>', 'only this farm')
    .option(
      '--acknowledged <file>',
      'ids of reports, one a line, that callers were told of and must be there',
    )
    .option('--jobs <number>', 'buckets looked at at a time', wholeNumber, 2)
    .action(audit);
}

async function audit(options: AuditOptions): Promise<void> {
  const scope = await scopeOf(options);
  const findings: Finding[] = [];
  const progress = new Progress('audit');
  const watcher: AuditWatcher = {
    found: (finding) => findings.push(finding),
    done: (buckets, of) =>
      progress.show(`${buckets} of ${of} buckets, ${findings.length} findings`, buckets / of),
  };
  const begun = performance.now();
  await withApplication(async (app) => {
    const { farm } = scope;
    if (farm !== undefined && !(await app.get(QueryBus).execute(new FindFarm(farm))))
      throw new NoSuchFarm(farm);
    await withOwner(app, ({ pool }) => app.get(Audit).run(pool, scope, watcher), options.jobs);
  }).finally(() => progress.end());
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  answer(options, { content: findings.length === 0, seconds, findings }, inWords(findings));
  if (findings.length > 0) throw new Error(`${findings.length} findings`);
}

async function scopeOf({ bucket, farm, acknowledged }: AuditOptions): Promise<AuditScope> {
  if (bucket && farm !== undefined) throw new WrongUsage('a farm lies in one bucket: give --farm alone');
  const buckets = farm === undefined ? bucket : [bucketOf(farm)];
  return {
    ...(buckets && { buckets }),
    ...(farm !== undefined && { farm }),
    ...(acknowledged !== undefined && { acknowledged: await readAcknowledged(acknowledged) }),
  };
}

async function readAcknowledged(file: string): Promise<Map<number, string[]>> {
  const ids = (await readFile(file, 'utf8')).split(/\s+/).filter((id) => id !== '');
  return Map.groupBy(ids, (id) => {
    const bucket = bucketOfReport(id);
    if (bucket === undefined) throw new WrongUsage(`${file}: ${id} is no id of a report`);
    return bucket;
  });
}

function bucketNumber(text: string, before: number[] = []): number[] {
  const bucket = Number(text);
  if (!Number.isInteger(bucket) || bucket < 0 || bucket >= BUCKETS)
    throw new InvalidArgumentError(`Buckets are numbered from 0 to ${BUCKETS - 1}.`);
  return [...before, bucket];
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Give a whole number from 1.');
  return number;
}

function inWords(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Everything stored is whole and agrees.';
  const shown = findings.slice(0, SHOWN).map(({ kind, bucket, subject, detail }) => {
    return `${kind}${bucket === undefined ? '' : ` (bucket ${bucket})`}: ${subject}: ${detail}`;
  });
  const more = findings.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more; --json has all of them`] : [])].join('\n');
}
