import type { ClientBase } from 'pg';
import type { FarmCalendar } from './calendar.js';
import type { Category, HeadLine, Holding } from './head-line.js';
import type { Entry, RecordRef } from './reader.js';
import type { SnapshotReading } from './snapshot-reading.js';
import {
  batches,
  type CellKind,
  codesOf,
  LINE_COLUMNS,
  LINE_KINDS,
  type LineColumns,
  milliseconds,
  toLine,
} from './snapshot-sql.js';

export interface EntryQuery {
  /** ISO instants, from inclusive, until exclusive. */
  readonly from: string;
  readonly until: string;
  readonly of: Partial<Holding>;
  readonly categories?: readonly Category[];
}

const KINDS: readonly CellKind[] = ['text', 'text', 'text', 'text', 'boolean', 'number', ...LINE_KINDS];

type EntryRow = [
  source: string,
  sourceId: string,
  resourceType: string,
  day: string,
  timed: boolean,
  at: number,
  ...line: LineColumns,
];

/** Lines by the record that wrote them, in the order they happened. A record is looked up line by line, as few are wanted. */
export async function* readEntries(
  reading: SnapshotReading,
  calendar: FarmCalendar,
  farm: readonly [bucket: number, farmId: string],
  { from, until, of, categories }: EntryQuery,
): AsyncGenerator<Entry[]> {
  const { species = null, enterprise = null, ageClass = null, mob = null, paddock = null } = of;
  const text = `
    SELECT r.source, r.source_id, r.resource_type, l.day::text, r.timed, ${milliseconds('l.at')}, ${LINE_COLUMNS}
      FROM head_line l
     CROSS JOIN LATERAL (
       SELECT source, source_id, resource_type, timed FROM farm_record
        WHERE bucket = $1 AND farm_id = $2 AND at = l.at AND number = l.record OFFSET 0) AS r
     WHERE l.bucket = $1 AND l.farm_id = $2 AND l.at >= $3 AND l.at < $4 AND ($5::integer[] IS NULL OR l.category = ANY($5))
       AND ($6::text IS NULL OR l.species = $6) AND ($7::text IS NULL OR l.enterprise = $7)
       AND ($8::text IS NULL OR l.age_class = $8) AND ($9::text IS NULL OR l.mob = $9) AND ($10::text IS NULL OR l.paddock = $10)
     ORDER BY l.at, l.turn, l.line`;
  const values = [
    ...farm,
    from,
    until,
    categories ? codesOf(categories) : null,
    ...[species, enterprise, ageClass, mob, paddock],
  ];
  let open: { record: RecordRef; lines: HeadLine[] } | undefined;
  for await (const rows of batches<EntryRow>(reading, text, values, KINDS)) {
    const whole: Entry[] = [];
    for (const [source, sourceId, resourceType, day, timed, at, ...line] of rows) {
      if (open?.record.source !== source || open.record.sourceId !== sourceId) {
        if (open) whole.push(open);
        const record = { source, sourceId, resourceType, day, at, time: timed ? calendar.timeOf(at) : null };
        open = { record, lines: [] };
      }
      open.lines.push(toLine(line));
    }
    if (whole.length > 0) yield whole;
  }
  if (open) yield [open];
}

/** Records as they were imported, as JSON text, by source and source id. */
export async function readBodies(
  client: ClientBase,
  farm: readonly [bucket: number, farmId: string],
  records: readonly Pick<RecordRef, 'source' | 'sourceId'>[],
): Promise<(string | undefined)[]> {
  const { rows } = await client.query<{ source: string; source_id: string; body: string }>(
    `SELECT r.source, r.source_id, r.body::text FROM unnest($3::text[], $4::text[]) AS wanted(source, source_id)
       JOIN farm_record r ON r.bucket = $1 AND r.farm_id = $2 AND r.source = wanted.source AND r.source_id = wanted.source_id`,
    [...farm, records.map(({ source }) => source), records.map(({ sourceId }) => sourceId)],
  );
  const bodies = new Map(rows.map((row) => [JSON.stringify([row.source, row.source_id]), row.body]));
  return records.map(({ source, sourceId }) => bodies.get(JSON.stringify([source, sourceId])));
}
