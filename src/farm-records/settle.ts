import type { Sql } from '../database/database.js';
import { bookEvents, type PlacedEvent } from './book-events.js';
import { FarmCalendar } from './calendar.js';
import { instant, type LedgerState, lockFarm, saveState, type StoredFarm } from './farm-rows.js';
import type { LedgerTransaction } from './ledger-page.js';
import { addBalances, addClassFlows, addFlows, SWEEPS } from './ledger-sums.js';
import { readStatement } from './read-record.js';
import { parseExactly } from './resources/index.js';

const BATCH = 5_000;
/** Lines taken out by one statement, which has a time to end in; those of one instant go together. Tests set it lower. */
export const unbooking = { linesAtOnce: 50_000 };

/** Takes lines out of the ledger and its sums. */
export const unbookWhere = (which: string) => `
WITH gone AS (
  DELETE FROM head_line WHERE bucket = $1 AND farm_id = $2 AND ${which}
  RETURNING day, species, enterprise, age_class, mob, paddock, category, managed, delta, head, value
), flow AS (
  SELECT day, species, enterprise, age_class, mob, paddock, category, managed, -sum(delta) AS delta, -coalesce(sum(value), 0) AS value,
         -coalesce(sum(head) FILTER (WHERE value IS NOT NULL), 0) AS valued_head, -count(*) AS lines
    FROM gone WHERE delta <> 0 GROUP BY day, species, enterprise, age_class, mob, paddock, category, managed
), flows AS (${addFlows(`(
  SELECT date_trunc('month', day::timestamp)::date AS month, species, enterprise, age_class, mob, paddock, category,
         sum(delta) AS delta, sum(value) AS value, sum(valued_head) AS valued_head, sum(lines) AS lines
    FROM flow GROUP BY 1, 2, 3, 4, 5, 6, 7) AS monthly`)}
), class_flows AS (${addClassFlows('flow')}
)
${addBalances(`(
  SELECT mob, species, enterprise, age_class, paddock, managed, sum(delta) AS head, sum(lines) AS lines
    FROM flow GROUP BY 1, 2, 3, 4, 5, 6) AS balance`)}`;

/** A stretch of time, its end exclusive. */
const UNBOOK = unbookWhere('at >= $3 AND at < $4');
const NEXT_STRETCH = `
SELECT at FROM head_line WHERE bucket = $1 AND farm_id = $2 AND at > $3 ORDER BY at OFFSET $4 LIMIT 1`;

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
  await unbook(tx, farm, from);
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

async function unbook(tx: Sql, { bucket, id }: StoredFarm, from: number): Promise<void> {
  for (let begin: string | null = instant(from); begin !== null;) {
    const { rows } = await tx.query<{ at: Date }>(NEXT_STRETCH, [bucket, id, begin, unbooking.linesAtOnce]);
    const end: string | null = instant(rows[0]?.at.getTime());
    await tx.query(UNBOOK, [bucket, id, begin, end ?? 'infinity']);
    begin = end;
  }
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

async function sweep(tx: Sql, { bucket, id }: StoredFarm): Promise<void> {
  for (const statement of SWEEPS) await tx.query(statement, [bucket, id]);
}
