import type { ClientBase } from 'pg';
import type { FarmCalendar } from './calendar.js';
import type { Category, HeadLine } from './head-line.js';
import type { RecordRef } from './reader.js';
import { readStatement } from './read-record.js';
import { parseExactly } from './resources/index.js';
import { batches, codesOf, LINE_COLUMNS, type LineColumns, milliseconds, toLine } from './snapshot-sql.js';
import type { Statement } from './statement.js';

/** A stored event with the lines it has in the ledger. */
export interface StoredEvent {
  readonly record: RecordRef;
  readonly statement: Statement;
  readonly lines: readonly HeadLine[];
  /** What the query adds of its own. */
  readonly more: string | null;
}

export interface EventQuery {
  readonly resourceTypes: readonly string[];
  /** Unix milliseconds, from inclusive, until exclusive. */
  readonly from: number;
  readonly until: number;
  /** Only events with a line of these. */
  readonly categories?: readonly Category[];
  /** SQL on the record `r`: a condition, a text column to add, and what it takes to join. */
  readonly where?: string;
  readonly more?: string;
  readonly join?: string;
}

type EventRow = [
  source: string,
  sourceId: string,
  resourceType: string,
  day: string,
  timed: boolean,
  at: number,
  body: string,
  lines: LineColumns[] | null,
  more: string | null,
];

/** Events in the order they happened, in batches. */
export async function* readEvents(
  client: ClientBase,
  calendar: FarmCalendar,
  of: readonly [bucket: number, farmId: string],
  query: EventQuery,
): AsyncGenerator<StoredEvent[]> {
  const lineOf = 'l.bucket = $1 AND l.farm_id = $2 AND l.at = r.at AND l.record = r.number';
  const values = [
    ...of,
    query.resourceTypes,
    new Date(query.from).toISOString(),
    new Date(query.until).toISOString(),
  ];
  const text = `
    SELECT r.source, r.source_id, r.resource_type, r.day::text, r.timed, ${milliseconds('r.at')}, r.body::text,
           (SELECT json_agg(json_build_array(${LINE_COLUMNS}) ORDER BY l.line) FROM head_line l WHERE ${lineOf}),
           ${query.more ?? 'NULL'}
      FROM farm_record r ${query.join ?? ''}
     WHERE r.bucket = $1 AND r.farm_id = $2 AND r.resource_type = ANY($3) AND r.at >= $4 AND r.at < $5 AND NOT r.deleted
       ${query.categories ? `AND EXISTS (SELECT FROM head_line l WHERE ${lineOf} AND l.category = ANY('{${codesOf(query.categories).join()}}'))` : ''}
       ${query.where ? `AND ${query.where}` : ''}
     ORDER BY r.at, r.rank, r.source, r.source_id`;
  for await (const rows of batches<EventRow>(client, text, values))
    yield rows.flatMap((row) => toEvent(row, calendar));
}

function toEvent(
  [source, sourceId, resourceType, day, timed, at, body, lines, more]: EventRow,
  calendar: FarmCalendar,
): StoredEvent[] {
  const statement = readStatement(resourceType, parseExactly(body));
  if (!statement) return [];
  const record = { source, sourceId, resourceType, day, at, time: timed ? calendar.timeOf(at) : null };
  return [{ record, statement, lines: (lines ?? []).map(toLine), more }];
}
