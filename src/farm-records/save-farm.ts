import { Injectable } from '@nestjs/common';
import { Database, type Sql, type Transaction } from '../database/database.js';
import { bucketOf } from '../event-store/index.js';
import { FarmCalendar, plusDays } from './calendar.js';
import type { Farm } from './farm.js';
import { instant, lockFarm, saveState, type StoredFarm } from './farm-rows.js';
import { InvalidFarm, readFarm } from './farm-settings.js';
import { settleFarm } from './settle.js';

/** Creates and changes farms. A new zone or currency changes what records mean: every event is placed and booked anew. */
@Injectable()
export class FarmSaver {
  constructor(private readonly database: Database) {}

  async save(farmId: string, settings: unknown): Promise<{ farm: Farm; created: boolean }> {
    readFarm(farmId, settings, undefined);
    const saved = await this.database.transaction(async (tx) => {
      const before = await lockFarm(tx, farmId);
      const farm = readFarm(farmId, settings, before);
      if (!before) return { farm, created: await insert(tx, farm) };
      if (!same(before, farm)) await change(tx, before, farm);
      return { farm, created: false };
    });
    if (!saved.created) await this.database.transaction((tx) => settleFarm(tx, farmId));
    return saved;
  }
}

/** False when somebody else was faster, whose farm is then changed to this one. */
async function insert(tx: Transaction, farm: Farm): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO farm (bucket, farm_id, name, time_zone, animal_unit, area_unit, currency, financial_year_start, natural_increase_values)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (bucket, farm_id) DO NOTHING`,
    columnsOf(farm),
  );
  if (rowCount === 1) return true;
  const before = await lockFarm(tx, farm.id);
  if (before) await change(tx, before, farm);
  return false;
}

async function change(tx: Transaction, before: StoredFarm, farm: Farm): Promise<void> {
  await tx.query(
    `UPDATE farm SET name = $3, time_zone = $4, animal_unit = $5, area_unit = $6, currency = $7, financial_year_start = $8,
                     natural_increase_values = $9
      WHERE bucket = $1 AND farm_id = $2`,
    columnsOf(farm),
  );
  const moved = before.timeZone !== farm.timeZone;
  if (moved) await placeAnew(tx, before, new FarmCalendar(farm.timeZone));
  const unsettledFrom =
    moved || before.currency !== farm.currency ? await beginning(tx, before) : before.unsettledFrom;
  await saveState(tx, before, {
    position: before.position + 1,
    turns: before.turns,
    lastAt: before.lastAt,
    unsettledFrom,
  });
}

/** Every event's day, or where it names only a day its instant, in the new zone. */
async function placeAnew(tx: Sql, farm: StoredFarm, calendar: FarmCalendar): Promise<void> {
  const of = [farm.bucket, farm.id];
  const { rows } = await tx.query<{ day: string }>(
    'SELECT DISTINCT day::text FROM farm_record WHERE bucket = $1 AND farm_id = $2 AND at IS NOT NULL ORDER BY day',
    of,
  );
  const named = await tx.query<{ day: string }>(
    'SELECT DISTINCT day::text FROM farm_record WHERE bucket = $1 AND farm_id = $2 AND at IS NOT NULL AND NOT timed',
    of,
  );
  const missing = named.rows.find(({ day }) => !calendar.exists(day));
  if (missing) {
    const detail = `timeZone ${calendar.timeZone} has no ${missing.day}, a day that records of the farm name.`;
    throw new InvalidFarm([{ pointer: '/timeZone', detail }]);
  }
  const days = [...new Set(rows.flatMap(({ day }) => [plusDays(day, -1), day, plusDays(day, 1)]))];
  const bounds = days.map((day) => ({
    day,
    from_at: instant(calendar.startOf(day)),
    until_at: instant(calendar.startOf(plusDays(day, 1))),
  }));
  await tx.query(
    `UPDATE farm_record r
        SET day = d.day, at = CASE WHEN r.timed THEN r.at ELSE d.from_at END
       FROM json_to_recordset($3::json) AS d(day date, from_at timestamptz, until_at timestamptz)
      WHERE r.bucket = $1 AND r.farm_id = $2 AND r.at IS NOT NULL
        AND CASE WHEN r.timed THEN r.at >= d.from_at AND r.at < d.until_at ELSE r.day = d.day END`,
    [...of, JSON.stringify(bounds)],
  );
}

/** Before the first event, wherever it was booked or is now. */
async function beginning(tx: Sql, farm: StoredFarm): Promise<number | undefined> {
  const { rows } = await tx.query<{ at: Date | null }>(
    `SELECT least((SELECT min(at) FROM farm_record WHERE bucket = $1 AND farm_id = $2),
                  (SELECT min(at) FROM head_line WHERE bucket = $1 AND farm_id = $2)) AS at`,
    [farm.bucket, farm.id],
  );
  return rows[0]?.at?.getTime();
}

function columnsOf(farm: Farm): unknown[] {
  return [
    bucketOf(farm.id),
    farm.id,
    farm.name,
    farm.timeZone,
    farm.animalUnit,
    farm.areaUnit,
    farm.currency,
    farm.financialYearStart,
    farm.naturalIncreaseValues,
  ];
}

function same(before: Farm, farm: Farm): boolean {
  const gist = ({
    name,
    timeZone,
    animalUnit,
    areaUnit,
    currency,
    financialYearStart,
    naturalIncreaseValues,
  }: Farm) =>
    JSON.stringify([
      name,
      timeZone,
      animalUnit,
      areaUnit,
      currency,
      financialYearStart,
      Object.entries(naturalIncreaseValues).sort(),
    ]);
  return gist(before) === gist(farm);
}
