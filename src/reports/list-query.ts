import { isDay } from '../farm-records/reader.js';
import { PAGE, readLimit } from '../operations/page.js';
import { type FieldProblem, ValidationProblem } from '../operations/problem.js';
import type { ReportCursor, ReportFilter, ReportRecord } from './messages.js';
import type { ReportStatus } from './report.js';

export const STATUSES: readonly string[] = [
  'pending',
  'processing',
  'completed',
  'failed',
  'cancelled',
  'expired',
] satisfies ReportStatus[];

export interface ListQuery {
  readonly filter: ReportFilter;
  readonly limit: number;
  readonly after?: ReportCursor;
}

/** Reads the query string of GET /v2/report. Throws a ValidationProblem naming every bad parameter. */
export function readListQuery(query: Record<string, unknown>): ListQuery {
  const errors: FieldProblem[] = [];
  const read = <T>(name: string, parse: (text: string) => T | undefined, expected: string): T | undefined => {
    const value = query[name];
    if (value === undefined) return undefined;
    const parsed = typeof value === 'string' ? parse(value) : undefined;
    if (parsed === undefined)
      errors.push({ pointer: `/${name}`, detail: `${name} must be ${expected}, given once.` });
    return parsed;
  };
  const tenantId = read('tenantId', storable, 'the id of a farm');
  const type = read('type', storable, 'a report type');
  const status = read(
    'status',
    (text) => (STATUSES.includes(text) ? (text as ReportStatus) : undefined),
    STATUSES.join(', '),
  );
  const createdSince = read('createdSince', instant, 'Unix milliseconds or ISO 8601');
  const createdUntil = read('createdUntil', instant, 'Unix milliseconds or ISO 8601');
  const limit = read('limit', readLimit, `a whole number from 1 to ${PAGE.most}`) ?? PAGE.default;
  const after = read('cursor', decodeCursor, 'the cursor of a page before');
  if (errors.length > 0) throw new ValidationProblem(errors);
  return {
    filter: {
      ...(tenantId !== undefined && { tenantId }),
      ...(type !== undefined && { type }),
      ...(status !== undefined && { status }),
      ...(createdSince !== undefined && { createdSince }),
      ...(createdUntil !== undefined && { createdUntil }),
    },
    limit,
    ...(after && { after }),
  };
}

export function encodeCursor({ creationDate, id }: ReportRecord): string {
  return Buffer.from(`${creationDate}.${id}`).toString('base64url');
}

function decodeCursor(text: string): ReportCursor | undefined {
  const [, createdAt, id] =
    /^(\d{1,15})\.([\w-]{1,64})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return createdAt !== undefined && id !== undefined ? { createdAt: Number(createdAt), id } : undefined;
}

function storable(text: string): string | undefined {
  return text.length > 0 && !text.includes('\0') ? text : undefined;
}

const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/** Unix milliseconds, or an ISO 8601 instant or date; in UTC unless it names a zone, never in the zone of this machine. */
function instant(text: string): number | undefined {
  if (/^\d{1,16}$/.test(text)) return Number(text);
  const iso = ISO.exec(text);
  if (!iso || !isDay(text.slice(0, 10))) return undefined;
  const milliseconds = Date.parse(text.length > 10 && iso[1] === undefined ? `${text}Z` : text);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
