import type { FarmCalendar } from './calendar.js';
import type { Category, HeadLine } from './head-line.js';
import type { RecordRef } from './reader.js';
import { readStatement } from './read-record.js';
import { parseExactly } from './resources/index.js';
import type { SnapshotReading } from './snapshot-reading.js';
import {
  batches,
  type CellKind,
  codesOf,
  LINE_COLUMNS,
  type LineColumns,
  milliseconds,
  toLine,
} from './snapshot-sql.js';
import type { Statement } from './statement.js';

/** A stored event with the lines it has in the ledger. */
export interface StoredEvent {
  readonly record: RecordRef;
  readonly statement: Statement;
  readonly lines: readonly HeadLine[];
}

export interface EventQuery {
  readonly resourceTypes: readonly string[];
  /** Unix milliseconds, from inclusive, until exclusive. */
  readonly from: number;
  readonly until: number;
  /** Only events with a line of these. */
  readonly categories?: readonly Category[];
  /** SQL on the record `r`. */
  readonly where?: string;
  /** Members of the bodies that nobody asks for: what is said in the same words but for these is read once. */
  readonly without?: readonly string[];
}

/** Bodies whose statements are kept at hand. */
const REMEMBERED = 1_000;

const KINDS: readonly CellKind[] = ['text', 'text', 'text', 'text', 'boolean', 'number', 'text', 'json'];

type EventRow = [
  source: string,
  sourceId: string,
  resourceType: string,
  day: string,
  timed: boolean,
  at: number,
  body: string,
  lines: LineColumns[] | null,
];

/** Events in the order they happened, in batches. */
export async function* readEvents(
  reading: SnapshotReading,
  calendar: FarmCalendar,
  of: readonly [bucket: number, farmId: string],
  query: EventQuery,
): AsyncGenerator<StoredEvent[]> {
  const values = [
    ...of,
    query.resourceTypes,
    new Date(query.from).toISOString(),
    new Date(query.until).toISOString(),
    query.categories ? codesOf(query.categories) : null,
  ];
  // The lines are gathered record by record: a planner without statistics must not take a join for cheap.
  const text = `
    SELECT r.source, r.source_id, r.resource_type, r.day::text, r.timed, ${milliseconds('r.at')}, ${bodyOf(query)}, found.lines
      FROM farm_record r
     CROSS JOIN LATERAL (
       SELECT json_agg(json_build_array(${LINE_COLUMNS}) ORDER BY l.line) AS lines, bool_or(l.category = ANY($6::integer[])) AS wanted
         FROM head_line l
        WHERE l.bucket = $1 AND l.farm_id = $2 AND l.at = r.at AND l.record = r.number) AS found
     WHERE r.bucket = $1 AND r.farm_id = $2 AND r.resource_type = ANY($3) AND r.at >= $4 AND r.at < $5 AND NOT r.deleted
       AND ($6 IS NULL OR found.wanted) ${query.where ? `AND ${query.where}` : ''}
     ORDER BY r.at, r.rank, r.source, r.source_id`;
  const read = query.without ? rememberStatements() : statementOf;
  for await (const rows of batches<EventRow>(reading, text, values, KINDS))
    yield rows.flatMap((row) => toEvent(row, calendar, read));
}

function bodyOf({ without }: EventQuery): string {
  return without ? `(r.body - '{${without.join(',')}}'::text[])::text` : 'r.body::text';
}

type ReadStatement = (resourceType: string, body: string) => Statement | undefined;

const statementOf: ReadStatement = (resourceType, body) => readStatement(resourceType, parseExactly(body));

/** Bodies name their resource type themselves. */
function rememberStatements(): ReadStatement {
  const known = new Map<string, Statement | undefined>();
  return (resourceType, body) => {
    if (known.has(body)) return known.get(body);
    if (known.size >= REMEMBERED) known.clear();
    const statement = statementOf(resourceType, body);
    known.set(body, statement);
    return statement;
  };
}

function toEvent(
  [source, sourceId, resourceType, day, timed, at, body, lines]: EventRow,
  calendar: FarmCalendar,
  read: ReadStatement,
): StoredEvent[] {
  const statement = read(resourceType, body);
  if (!statement) return [];
  const record = { source, sourceId, resourceType, day, at, time: timed ? calendar.timeOf(at) : null };
  return [{ record, statement, lines: (lines ?? []).map(toLine) }];
}
