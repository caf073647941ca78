import { randomUUID } from 'node:crypto';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Command } from 'commander';
import {
  CompareWithReplacement,
  type Comparison,
  NotDeprecated,
  type RowDifference,
} from '../deprecation/index.js';
import type { ReportRequest } from '../reports/index.js';
import { withApplication } from './application.js';
import { type AskedReport, end, readRequest } from './asked-report.js';
import { addCommand, answer, type CommonOptions, WrongUsage } from './command.js';
import { OPERATOR } from './operator.js';

interface CompareOptions extends CommonOptions, AskedReport {
  readonly limit: string;
}

/** A deprecated report against the one that replaces it. A difference is an answer, not a failure. */
export function compareCommand(report: Command): void {
  addCommand(report, 'compare', 'compare the report of a deprecated type with that of its replacement')
    .requiredOption('--farm <id>', 'farm they are about')
    .requiredOption('--type <type>', 'deprecated type, such as livestock-reconciliation.v1')
    .requiredOption('--start <date>', 'first day, YYYY-MM-DD')
    .requiredOption('--end <date>', 'last day, YYYY-MM-DD')
    .option('--limit <number>', 'differing rows to show', '20')
    .action((options: CompareOptions) =>
      withApplication((app) => compare(app.get(CommandBus), app.get(QueryBus), options), { ROLE: 'all' }),
    );
}

async function compare(commands: CommandBus, queries: QueryBus, options: CompareOptions): Promise<void> {
  if (!/^\d{1,4}$/.test(options.limit)) throw new WrongUsage('--limit must be a whole number up to 9999');
  const request = await readRequest(queries, options);
  const comparison = await compared(commands, queries, request, Number(options.limit));
  answer(options, comparison, inWords(comparison));
}

async function compared(
  commands: CommandBus,
  queries: QueryBus,
  request: ReportRequest,
  limit: number,
): Promise<Comparison> {
  for (;;) {
    const caller = { principal: OPERATOR, requestId: randomUUID() };
    const found = await commands.execute(new CompareWithReplacement(caller, request, limit)).catch(refuse);
    if (found.status === 'compared') return found;
    for (const record of [found.reports.deprecated, found.reports.replacement]) {
      const { id, type, status, failureReason = 'no reason given' } = await end(queries, record);
      if (status !== 'completed') throw new Error(`The ${type} report ${id} ${status}: ${failureReason}`);
    }
  }
}

function refuse(error: unknown): never {
  throw error instanceof NotDeprecated ? new WrongUsage(error.message) : error;
}

function inWords({ type, replacedBy, same, columns, rows, differences }: Comparison): string {
  if (same) return `${type} and ${replacedBy} say the same: ${rows.same} rows.`;
  return [
    `${type} and ${replacedBy} do not say the same.`,
    ...named('Columns that only the deprecated has', columns.onlyDeprecated),
    ...named('Columns that only the replacement has', columns.onlyReplacement),
    ...named('Columns of another type or unit', columns.changed),
    `Rows: ${rows.same} the same, ${rows.changed} changed, ${rows.onlyDeprecated} only in the deprecated, ${rows.onlyReplacement} only in the replacement.`,
    ...differences.map((difference) => `  ${differenceInWords(difference)}`),
  ].join('\n');
}

function named(what: string, columns: readonly string[]): string[] {
  return columns.length === 0 ? [] : [`${what}: ${columns.join(', ')}`];
}

function differenceInWords(difference: RowDifference): string {
  if (difference.kind === 'only-deprecated') return `row ${difference.deprecatedRow}: only in the deprecated`;
  if (difference.kind === 'only-replacement')
    return `row ${difference.replacementRow} of the replacement: new`;
  const cells = difference.cells.map(
    ({ column, deprecated, replacement }) =>
      `${column} ${JSON.stringify(deprecated)} -> ${JSON.stringify(replacement)}`,
  );
  return `row ${difference.deprecatedRow}: ${cells.join(', ')}`;
}
