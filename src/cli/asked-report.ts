import { setTimeout as pause } from 'node:timers/promises';
import type { QueryBus } from '@nestjs/cqrs';
import { FindFarm } from '../farm-records/index.js';
import { FindReport, ListReportTypes, type ReportRecord, type ReportRequest } from '../reports/index.js';
import { WrongUsage } from './command.js';
import { NoSuchFarm } from './farm.command.js';
import { OPERATOR } from './operator.js';
import { Progress } from './progress.js';

const ASK_AGAIN_MILLISECONDS = 50;

/** A report as options name it. */
export interface AskedReport {
  readonly farm: string;
  readonly type: string;
  readonly start: string;
  readonly end: string;
  readonly format?: string;
}

/** Throws WrongUsage, and NoSuchFarm. */
export async function readRequest(
  queries: QueryBus,
  { farm: id, type, start, end: last, format }: AskedReport,
): Promise<ReportRequest> {
  const types = await queries.execute(new ListReportTypes());
  const known = types.find((one) => one.type === type);
  if (!known) throw new WrongUsage(`--type must be one of ${types.map((one) => one.type).join(', ')}`);
  if (format !== undefined && !known.formats.includes(format))
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

/** Shows its progress until it has ended. */
export async function end(queries: QueryBus, asked: ReportRecord): Promise<ReportRecord> {
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
