import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Command } from 'commander';
import { OpenReportContent, type ReportRecord, RequestReport } from '../reports/index.js';
import { withApplication } from './application.js';
import { type AskedReport, end, readRequest } from './asked-report.js';
import { compareCommand } from './compare.command.js';
import { addCommand, answer, type CommonOptions } from './command.js';
import { OPERATOR } from './operator.js';

interface ReportOptions extends CommonOptions, AskedReport {
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
  compareCommand(report);
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
    try {
      await write(queries, ended, options.format, createWriteStream(draft));
      await rename(draft, options.output);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    answer(options, ended, `Wrote ${options.output} (report ${ended.id}).`);
  } else if (options.json) answer(options, ended, '');
  else await write(queries, ended, options.format, process.stdout);
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
