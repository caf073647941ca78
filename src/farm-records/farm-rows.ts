import type { Sql } from '../database/database.js';
import { bucketOf } from '../event-store/bucket.js';
import type { Farm } from './farm.js';

/** A farm as the database has it, with what the ledger needs to know of its own state. */
export interface StoredFarm extends Farm {
  readonly bucket: number;
  readonly position: number;
  /** Unix milliseconds: the ledger lacks every event from then on. Absent: it lacks none. */
  readonly unsettledFrom?: number;
  /** Unix milliseconds, no earlier than any booked event; absent when there is none. */
  readonly lastAt?: number;
  /** Events booked so far, those booked again included. */
  readonly turns: number;
}

/** What changes of a farm as records come in. */
export type LedgerState = Pick<StoredFarm, 'position' | 'turns'> & {
  readonly unsettledFrom: number | undefined;
  readonly lastAt: number | undefined;
};

interface FarmRow {
  readonly farm_id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly animal_unit: Farm['animalUnit'];
  readonly area_unit: Farm['areaUnit'];
  readonly currency: string;
  readonly financial_year_start: string;
  readonly natural_increase_values: Record<string, string>;
  readonly position: string;
  readonly unsettled_from: Date | null;
  readonly last_at: Date | null;
  readonly turns: string;
}

const COLUMNS = `farm_id, name, time_zone, animal_unit, area_unit, currency, financial_year_start,
  natural_increase_values, position, unsettled_from, last_at, turns`;

export async function findFarm(sql: Sql, farmId: string): Promise<StoredFarm | undefined> {
  if (farmId.includes('\0')) return undefined;
  const { rows } = await sql.query<FarmRow>({
    name: 'farm-find',
    text: `SELECT ${COLUMNS} FROM farm WHERE bucket = $1 AND farm_id = $2`,
    values: [bucketOf(farmId), farmId],
  });
  return rows[0] && toFarm(rows[0]);
}

/** The same, held against everyone else who would change the farm or its records until the transaction ends. */
export async function lockFarm(tx: Sql, farmId: string): Promise<StoredFarm | undefined> {
  const { rows } = await tx.query<FarmRow>(
    `SELECT ${COLUMNS} FROM farm WHERE bucket = $1 AND farm_id = $2 FOR UPDATE`,
    [bucketOf(farmId), farmId],
  );
  return rows[0] && toFarm(rows[0]);
}

/** Farms by id, those of `ids` or of everybody, after one id. */
export async function listFarms(
  sql: Sql,
  ids: readonly string[] | 'all',
  after: string,
  limit: number,
): Promise<StoredFarm[]> {
  const { rows } = await sql.query<FarmRow>(
    `SELECT ${COLUMNS} FROM farm WHERE farm_id > $1 AND ($2::text[] IS NULL OR farm_id = ANY($2)) ORDER BY farm_id LIMIT $3`,
    [after, ids === 'all' ? null : ids, limit],
  );
  return rows.map(toFarm);
}

export async function saveState(tx: Sql, { bucket, id }: StoredFarm, state: LedgerState): Promise<void> {
  await tx.query(
    'UPDATE farm SET position = $3, unsettled_from = $4, last_at = $5, turns = $6 WHERE bucket = $1 AND farm_id = $2',
    [bucket, id, state.position, instant(state.unsettledFrom), instant(state.lastAt), state.turns],
  );
}

/** As PostgreSQL reads it. */
export function instant(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

function toFarm(row: FarmRow): StoredFarm {
  return {
    id: row.farm_id,
    bucket: bucketOf(row.farm_id),
    name: row.name,
    timeZone: row.time_zone,
    animalUnit: row.animal_unit,
    areaUnit: row.area_unit,
    currency: row.currency,
    financialYearStart: row.financial_year_start,
    naturalIncreaseValues: row.natural_increase_values,
    position: Number(row.position),
    turns: Number(row.turns),
    ...(row.unsettled_from && { unsettledFrom: row.unsettled_from.getTime() }),
    ...(row.last_at && { lastAt: row.last_at.getTime() }),
  };
}
