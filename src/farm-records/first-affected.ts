import type { Sql } from '../database/database.js';
import { bookingGist, worthGist } from './booking-gist.js';
import type { StoredFarm } from './farm-rows.js';
import { readStatement } from './read-record.js';
import { parseExactly, TELLING_OF } from './resources/index.js';
import type { Declared, Statement } from './statement.js';
import type { StoredRecord } from './store-records.js';

/**
 * The first instant (Unix milliseconds) whose events these stored records may have changed: their own, those they
 * displaced, and the events that a declaration explains. Undefined when the ledger stays as it is.
 */
export async function firstAffected(
  tx: Sql,
  farm: StoredFarm,
  stored: readonly StoredRecord[],
): Promise<number | undefined> {
  const explained = [
    await explainedByAnimals(tx, farm, stored),
    await explainedByMobs(tx, farm, stored),
    await explainedByMedicines(tx, farm, stored),
    await explainedByPaddocks(tx, farm, stored),
    await explainedByFeeds(tx, farm, stored),
  ];
  return [...stored.flatMap(bookedAt), ...explained].reduce(earlier, undefined);
}

/** Records whose lines stay where they are and become worth something else, such as for an invoice that came late. */
export function revalued(stored: readonly StoredRecord[]): StoredRecord[] {
  return stored.filter(({ record, displaced }) => {
    if (!displaced || record.moment?.at !== displaced.at) return false;
    const [now, before] = [record.statement, statementOf(displaced)];
    return worthGist(now) !== worthGist(before) && bookingGist(now) === bookingGist(before);
  });
}

/** Where a record's lines come and where those it had go; nowhere when they stay where they are, such as those of a record sent again. */
function bookedAt({ record, displaced }: StoredRecord): (number | undefined)[] {
  const at = record.moment?.at;
  const now = at === undefined ? undefined : bookingGist(record.statement);
  const before = displaced?.at === undefined ? undefined : bookingGist(statementOf(displaced));
  if (now === before && (now === undefined || at === displaced?.at)) return [];
  return [now === undefined ? undefined : at, before === undefined ? undefined : displaced?.at];
}

function statementOf({ resourceType, body }: NonNullable<StoredRecord['displaced']>): Statement | undefined {
  return readStatement(resourceType, parseExactly(body));
}

/** A species, class or enterprise that was not known when its events were booked, or was another. */
async function explainedByAnimals(
  tx: Sql,
  farm: StoredFarm,
  stored: readonly StoredRecord[],
): Promise<number | undefined> {
  const said = changed(stored, 'animal', ({ animal }) => ({
    key: animal.key,
    species: animal.species,
    ...animal.claim,
  }));
  if (said.length === 0) return undefined;
  return firstAt(
    tx,
    farm,
    `SELECT min(found.at) AS at
       FROM json_to_recordset($3::json) AS said(key text, species text, "ageClass" text, enterprise text, was boolean)
      CROSS JOIN LATERAL (
        SELECT min(at) AS at FROM head_line
         WHERE bucket = $1 AND farm_id = $2 AND animal = said.key COLLATE "C" AND animal <> ''
           AND (said.was OR species <> said.species OR age_class <> said."ageClass" OR enterprise <> said.enterprise)) AS found`,
    said,
  );
}

/** A mob's species is asked for only where nothing else tells one. One that was said and no longer is may stand anywhere. */
async function explainedByMobs(
  tx: Sql,
  farm: StoredFarm,
  stored: readonly StoredRecord[],
): Promise<number | undefined> {
  const said = changed(stored, 'mob', ({ named }) => ({ key: named.id, species: named.species }));
  if (said.length === 0) return undefined;
  if (said.some(({ was, species }) => was && species !== undefined)) {
    return firstAt(
      tx,
      farm,
      'SELECT min(at) AS at FROM head_line WHERE bucket = $1 AND farm_id = $2 AND $3::json IS NOT NULL',
      said,
    );
  }
  return firstAt(
    tx,
    farm,
    `SELECT min(found.at) AS at
       FROM json_to_recordset($3::json) AS said(key text)
      CROSS JOIN LATERAL (
        SELECT min(at) AS at FROM head_line
         WHERE bucket = $1 AND farm_id = $2 AND mob = said.key COLLATE "C" AND species = 'Unassigned') AS found`,
    said,
  );
}

/** Whoever writes the id of the medicine may name it so: as a text, as a number, or within another. */
async function explainedByMedicines(
  tx: Sql,
  farm: StoredFarm,
  stored: readonly StoredRecord[],
): Promise<number | undefined> {
  const said = changed(stored, 'medicine', ({ medicine }) => ({
    keys: [medicine.id, medicine.registrationNo].filter((key) => key !== undefined),
    whp: medicine.whpDays,
    esi: medicine.esiDays,
  }));
  if (said.length === 0) return undefined;
  return firstAt(
    tx,
    farm,
    `SELECT min(at) AS at FROM farm_record r, json_to_recordset($3::json) AS said(keys text[]), unnest(said.keys) AS key
      WHERE r.bucket = $1 AND r.farm_id = $2 AND r.resource_type = ${anyOf('treatments')} AND r.at IS NOT NULL
        AND strpos((r.body -> 'medicine')::text, btrim(to_json(key)::text, '"')) > 0`,
    said,
  );
}

async function explainedByPaddocks(
  tx: Sql,
  farm: StoredFarm,
  stored: readonly StoredRecord[],
): Promise<number | undefined> {
  const said = changed(stored, 'paddock', ({ paddock }) => ({ key: paddock.id, name: paddock.name }));
  if (said.length === 0) return undefined;
  return firstAt(
    tx,
    farm,
    `SELECT min(at) AS at FROM farm_record r
      WHERE r.bucket = $1 AND r.farm_id = $2 AND r.resource_type = ${anyOf('positions')} AND r.at IS NOT NULL AND $3::json IS NOT NULL`,
    said,
  );
}

/** A feed explains how long stock fed it are withheld, where it says so or other words on it do. */
async function explainedByFeeds(
  tx: Sql,
  farm: StoredFarm,
  stored: readonly StoredRecord[],
): Promise<number | undefined> {
  const said = changed(stored, 'feed', ({ feed }) => ({ key: feed.id, whp: feed.whpDays }));
  if (said.length === 0) return undefined;
  return firstAt(
    tx,
    farm,
    `SELECT min(r.at) AS at FROM farm_record r, json_to_recordset($3::json) AS said(key text, whp integer)
      WHERE r.bucket = $1 AND r.farm_id = $2 AND r.resource_type = ${anyOf('feedings')} AND r.at IS NOT NULL
        AND strpos(r.body::text, btrim(to_json(said.key)::text, '"')) > 0
        AND (said.whp IS NOT NULL OR EXISTS (
          SELECT FROM farm_record d
           WHERE d.bucket = $1 AND d.farm_id = $2 AND d.resource_type = 'icarFeedResource' AND d.resource_id = said.key COLLATE "C"
             AND d.at IS NULL AND d.body #> '{ext,whpDays}' IS NOT NULL))`,
    said,
  );
}

/** What declarations of a kind say now and what is new in it; `was` marks what they said before and no longer say. */
function changed<Kind extends 'animal' | 'mob' | 'medicine' | 'paddock' | 'feed', Said extends object>(
  stored: readonly StoredRecord[],
  kind: Kind,
  gist: (declaration: Declared<Kind>) => Said,
): (Said & { was: boolean })[] {
  return stored.flatMap(({ record, displaced }) => {
    const now = gistOf(record.statement);
    const before =
      displaced === undefined || displaced.at !== undefined ? undefined : gistOf(statementOf(displaced));
    if (JSON.stringify(now) === JSON.stringify(before)) return [];
    return [...(now ? [{ ...now, was: false }] : []), ...(before ? [{ ...before, was: true }] : [])];
  });

  function gistOf(statement: object | undefined): Said | undefined {
    if (!statement || !('declares' in statement) || statement.declares !== kind) return undefined;
    return gist(statement as Declared<Kind>);
  }
}

/** An operand of `=` in SQL. */
function anyOf(told: keyof typeof TELLING_OF): string {
  return `ANY('{${TELLING_OF[told].join(',')}}')`;
}

async function firstAt(
  tx: Sql,
  farm: StoredFarm,
  text: string,
  said: readonly object[],
): Promise<number | undefined> {
  const { rows } = await tx.query<{ at: Date | null }>(text, [farm.bucket, farm.id, JSON.stringify(said)]);
  return rows[0]?.at?.getTime();
}

export function earlier(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
