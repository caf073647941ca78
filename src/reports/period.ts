import type { ReportPeriod } from './report.js';

/** Unix milliseconds of 0001-01-01 with the sign turned: what .NET's milliseconds have too many. */
const DOTNET_OFFSET = 62_135_596_800_000;
/** The last millisecond that Temporal holds (year 275760). */
const END_OF_TIME = 8_640_000_000_000_000;

export class PeriodBackwards extends Error {}

export interface ReadPeriod {
  readonly period: ReportPeriod;
  readonly warnings: readonly string[];
}

/**
 * Reads a requested period (http-api 3): two instants in Unix milliseconds become farm-local dates, both
 * inclusive. Values of the .NET convention are shifted, with a warning; values beyond the end of time are
 * clamped to it. Throws PeriodBackwards when the start lies after the end.
 */
export function readPeriod(start: number, end: number, timeZone: string): ReadPeriod {
  const from = toUnix(start);
  const to = toUnix(end);
  if (from > to) throw new PeriodBackwards();
  const warnings = [
    ...(start >= DOTNET_OFFSET ? [shifted('reportingPeriodStart')] : []),
    ...(end >= DOTNET_OFFSET ? [shifted('reportingPeriodEnd')] : []),
  ];
  return { period: { start: localDate(from, timeZone), end: localDate(to, timeZone), timeZone }, warnings };
}

function toUnix(value: number): number {
  return Math.min(value >= DOTNET_OFFSET ? value - DOTNET_OFFSET : value, END_OF_TIME);
}

function localDate(instant: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();
}

function shifted(field: string): string {
  return `${field} was read as milliseconds since 0001-01-01: ${DOTNET_OFFSET} was subtracted.`;
}
