import type { Sql } from '../database/database.js';
import { bookEvents, type LedgerTransaction, type PlacedEvent } from './book-events.js';
import { FarmCalendar } from './calendar.js';
import { instant, type LedgerState, lockFarm, saveState, type StoredFarm } from './farm-rows.js';
import { readStatement } from './read-record.js';
import { parseExactly } from './resources/index.js';

const BATCH = 5_000;

/** Takes every line from an instant on out of the ledger and its sums. */
const UNBOOK = `
WITH gone AS (
  DELETE FROM head_line WHERE bucket = $1 AND farm_id = $2 AND at >= $3
  RETURNING day, species, enterprise, age_class, mob, paddock, category, managed, delta, head, value
), flows AS (
  INSERT INTO monthly_flow AS f (bucket, farm_id, month, species, enterprise, age_class, mob, paddock, category, delta, value, valued_head, lines)
  SELECT $1, $2, date_trunc('month', day)::date, species, enterprise, age_class, mob, paddock, category,
         -sum(delta), -coalesce(sum(value), 0), -coalesce(sum(head) FILTER (WHERE value IS NOT NULL), 0), -count(*)
    FROM gone WHERE delta <> 0 GROUP BY 3, 4, 5, 6, 7, 8, 9
  ON CONFLICT (bucket, farm_id, month, species, enterprise, age_class, mob, paddock, category) DO UPDATE SET
    delta = f.delta + excluded.delta, value = f.value + excluded.value,
    valued_head = f.valued_head + excluded.valued_head, lines = f.lines + excluded.lines
)
INSERT INTO head_balance AS b (bucket, farm_id, mob, species, enterprise, age_class, paddock, managed, head, lines)
SELECT $1, $2, mob, species, enterprise, age_class, paddock, managed, -sum(delta), -count(*)
  FROM gone WHERE delta <> 0 GROUP BY 3, 4, 5, 6, 7, 8
ON CONFLICT (bucket, farm_id, mob, species, enterprise, age_class, paddock, managed) DO UPDATE SET
  head = b.head + excluded.head, lines = b.lines + excluded.lines`;

const EVENTS = `
SELECT number, resource_type, timed, day::text, at, rank, body::text FROM farm_record
 WHERE bucket = $1 AND farm_id = $2 AND at >= $3 AND NOT deleted
 ORDER BY at, rank, source, source_id`;

interface EventRow {
  readonly number: string;
  readonly resource_type: string;
  readonly timed: boolean;
  readonly day: string;
  readonly at: Date;
  readonly rank: number;
  readonly body: string;
}

/**
 * Books anew every event from an instant on. What an event means can hang on any event before it (which class a mob has, where an animal
 * is), so a correction in the past is told again from there. The farm must be locked by the transaction. Answers the ledger's state after.
 */
export async function rebook(
  tx: LedgerTransaction,
  farm: StoredFarm,
  from: number,
): Promise<Pick<LedgerState, 'lastAt' | 'turns'>> {
  const calendar = new FarmCalendar(farm.timeZone);
  await tx.query(UNBOOK, [farm.bucket, farm.id, instant(from)]);
  await tx.query(`DECLARE rebooked NO SCROLL CURSOR FOR ${EVENTS}`, [farm.bucket, farm.id, instant(from)]);
  let lastAt =
    farm.lastAt !== undefined && farm.lastAt < from ? farm.lastAt : await lastBefore(tx, farm, from);
  let turns = farm.turns;
  for (;;) {
    const { rows } = await tx.query<EventRow>(`FETCH ${BATCH} FROM rebooked`);
    turns = await bookEvents(tx, farm, calendar, rows.flatMap(toEvent), turns);
    lastAt = rows.at(-1)?.at.getTime() ?? lastAt;
    if (rows.length < BATCH) break;
  }
  await tx.query('CLOSE rebooked');
  await sweep(tx, farm);
  return { lastAt, turns };
}

/** Books what an import left unbooked. Does nothing for a farm that is settled, or unknown. */
export async function settleFarm(tx: LedgerTransaction, farmId: string): Promise<void> {
  const farm = await lockFarm(tx, farmId);
  if (farm?.unsettledFrom === undefined) return;
  const booked = await rebook(tx, farm, farm.unsettledFrom);
  await saveState(tx, farm, { position: farm.position, unsettledFrom: undefined, ...booked });
}

function toEvent(row: EventRow): PlacedEvent[] {
  const statement = readStatement(row.resource_type, parseExactly(row.body));
  if (!statement || !('does' in statement)) return [];
  const { timed, day, rank } = row;
  return [
    { number: Number(row.number), moment: { timed, day, rank, at: row.at.getTime() }, event: statement },
  ];
}

async function lastBefore(tx: Sql, farm: StoredFarm, from: number): Promise<number | undefined> {
  const { rows } = await tx.query<{ at: Date | null }>(
    'SELECT max(at) AS at FROM farm_record WHERE bucket = $1 AND farm_id = $2 AND at < $3',
    [farm.bucket, farm.id, instant(from)],
  );
  return rows[0]?.at?.getTime();
}

async function sweep(tx: Sql, farm: StoredFarm): Promise<void> {
  await tx.query('DELETE FROM monthly_flow WHERE bucket = $1 AND farm_id = $2 AND lines = 0', [
    farm.bucket,
    farm.id,
  ]);
  await tx.query('DELETE FROM head_balance WHERE bucket = $1 AND farm_id = $2 AND lines = 0', [
    farm.bucket,
    farm.id,
  ]);
}
