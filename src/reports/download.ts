import { acceptedType } from '../operations/accept.js';
import { Problem, ValidationProblem } from '../operations/problem.js';
import type { ByteRange, ReportRecord } from './messages.js';
import type { ReportFile } from './report.js';

/** Formats and their media types, the preferred one first. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** `bytes=2-9`, `bytes=4-`, `bytes=-5`: one range of the only unit there is. */
const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)$/i;

/** The files of a report that has ended. Throws the problem that says why there are none. */
export function availableFiles(record: ReportRecord): readonly ReportFile[] {
  switch (record.status) {
    case 'completed':
      return record.manifest?.files ?? [];
    case 'failed':
      throw new Problem('report-failed', record.failureReason ?? 'The report could not be made.');
    case 'cancelled':
      throw new Problem('report-cancelled', 'The report was cancelled before it was made.');
    case 'expired':
      throw new Problem(
        'report-expired',
        'The content of this report is no longer kept; ask for a new report.',
      );
    default:
      throw new Error('the report has not ended');
  }
}

/** The file that `?format=` or else Accept asks for; CSV when anything will do. Throws 400 or 406. */
export function negotiateFormat(
  format: unknown,
  accept: string | undefined,
  files: readonly ReportFile[],
): ReportFile {
  const offered = Object.keys(MEDIA_TYPES).flatMap((name) => files.filter((file) => file.format === name));
  if (format !== undefined) {
    const asked = offered.find((file) => file.format === format);
    if (asked) return asked;
    throw new ValidationProblem([
      {
        pointer: '/format',
        detail: `format must be one of ${offered.map((file) => file.format).join(', ')}.`,
      },
    ]);
  }
  const types = offered.map((file) => bare(MEDIA_TYPES[file.format] ?? ''));
  const chosen = offered[types.indexOf(acceptedType(accept, types) ?? '')];
  if (chosen) return chosen;
  throw new Problem('not-acceptable', `This report can be had as ${types.join(', ')}.`);
}

/**
 * The part of `size` bytes that Range asks for: undefined for all of it, which is also the answer to several
 * ranges, another unit, an unreadable header or an If-Range that names other content (RFC 9110, 14.2). Throws 416.
 */
export function readRange(
  range: string | undefined,
  ifRange: string | undefined,
  etag: string,
  size: number,
): ByteRange | undefined {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const [, first = '', last = ''] = ONE_RANGE.exec(range.trim()) ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(Number(last) + 1, size);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= end) throw beyondTheEnd(size);
  return { start, end };
}

function beyondTheEnd(size: number): Problem {
  const headers = { 'Content-Range': `bytes */${size}` };
  return new Problem('range-not-satisfiable', `The content has ${size} bytes.`, { headers });
}

/** A speaking file name: type stem, farm and period, in characters that every file system takes. */
export function fileName({ type, tenantId, period }: ReportRecord, format: string): string {
  const safe = (text: string): string => text.replace(/[^A-Za-z0-9.+-]+/g, '-').slice(0, 80);
  return `${safe(type.replace(/\.v\d+$/, ''))}_${safe(tenantId)}_${safe(period.start)}_${safe(period.end)}.${format}`;
}

function bare(mediaType: string): string {
  return mediaType.split(';', 1)[0] ?? mediaType;
}
