import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Command } from 'commander';
import { FindFarm } from '../farm-records/index.js';
import {
  FindReport,
  ListReportTypes,
  OpenReportContent,
  type ReportRecord,
  type ReportRequest,
  RequestReport,
} from '../reports/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions, WrongUsage } from './command.js';
import { NoSuchFarm } from './farm.command.js';
import { OPERATOR } from './operator.js';
import { Progress } from './progress.js';

const ASK_AGAIN_MILLISECONDS = 50;

interface ReportOptions extends CommonOptions {
  readonly farm: string;
  readonly type: string;
  readonly start: string;
  readonly end: string;
  readonly format: string;
  readonly output?: string;
}

/** Waits for the report; the content goes to --output or, when the record is not asked for as JSON, to standard output. */
export function reportCommand(program: Command): void {
  const report = program.command('report').description('reports');
  addCommand(report, 'create', 'make a report, wait for it and write its content')
    .requiredOption('--farm <id>', 'farm it is about')
    .requiredOption('--type <type>', 'report type, such as livestock-sale.v1')
    .requiredOption('--start <date>', 'first day, YYYY-MM-DD')
    .requiredOption('--end <date>', 'last day, YYYY-MM-DD')
    .option('--format <format>', 'format of the content', 'csv')
    .option('--output <file>', 'file for the content')
    .action((options: ReportOptions) =>
      withApplication((app) => create(app.get(CommandBus), app.get(QueryBus), options), { ROLE: 'all' }),
    );
}

async function create(commands: CommandBus, queries: QueryBus, options: ReportOptions): Promise<void> {
  const request = await readRequest(queries, options);
  const caller = { principal: OPERATOR, requestId: randomUUID() };
  const { record } = await commands.execute(new RequestReport(caller, request, Date.now()));
  const ended = await end(queries, record);
  if (ended.status !== 'completed')
    throw new Error(`The report ${ended.id} ${ended.status}: ${ended.failureReason ?? 'no reason given'}`);
  if (options.output !== undefined) {
    const draft = `${options.output}.part`;
    await write(queries, ended, options.format, createWriteStream(draft));
    await rename(draft, options.output);
    answer(options, ended, `Wrote ${options.output} (report ${ended.id}).`);
  } else if (options.json) answer(options, ended, '');
  else await write(queries, ended, options.format, process.stdout);
}

async function readRequest(
  queries: QueryBus,
  { farm: id, type, start, end: last, format }: ReportOptions,
): Promise<ReportRequest> {
  const types = await queries.execute(new ListReportTypes());
  const known = types.find((one) => one.type === type);
  if (!known) throw new WrongUsage(`--type must be one of ${types.map((one) => one.type).join(', ')}`);
  if (!known.formats.includes(format))
    throw new WrongUsage(`--format must be one of ${known.formats.join(', ')}`);
  const farm = await queries.execute(new FindFarm(id));
  if (!farm) throw new NoSuchFarm(id);
  const reportingPeriodStart = midnight('--start', start, farm.timeZone);
  const reportingPeriodEnd = midnight('--end', last, farm.timeZone);
  if (reportingPeriodStart > reportingPeriodEnd) throw new WrongUsage('--end must not be before --start');
  return { type, tenantType: 'farm', tenantId: id, reportingPeriodStart, reportingPeriodEnd };
}

/** The farm's midnight as known clients send it, Unix milliseconds. */
function midnight(option: string, date: string, timeZone: string): number {
  try {
    const instant = Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds;
    if (/^\d{4}-\d\d-\d\d$/.test(date) && instant >= 0) return instant;
  } catch {
    // A RangeError, for the same reason:
  }
  throw new WrongUsage(`${option} must be a day from 1970-01-02 on, written YYYY-MM-DD`);
}

async function end(queries: QueryBus, asked: ReportRecord): Promise<ReportRecord> {
  const progress = new Progress(asked.type);
  const begun = Date.now();
  for (let record = asked; ;) {
    if (record.status !== 'pending' && record.status !== 'processing') {
      progress.end();
      return record;
    }
    progress.show(`${record.status} for ${Math.round((Date.now() - begun) / 1000)} s`);
    await pause(ASK_AGAIN_MILLISECONDS);
    record = (await queries.execute(new FindReport(OPERATOR, asked.id))) ?? record;
  }
}

async function write(
  queries: QueryBus,
  { id, attempt = 0 }: ReportRecord,
  format: string,
  to: Writable,
): Promise<void> {
  const content = await queries.execute(new OpenReportContent(id, attempt, format));
  await pipeline(Readable.from(content), to, { end: to !== process.stdout });
}
