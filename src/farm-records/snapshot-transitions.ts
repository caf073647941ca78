import { type CellKind, codesOf } from './snapshot-sql.js';
import type { Transition } from './reader.js';

/**
 * Reclassifications of a period, $3 to $4 (exclusive), netted over the local day: an animal by what it was before and is after; head by
 * number pair by pair within their mob, where an exact reverse cancels. $5 is the category.
 */
export const TRANSITIONS = `
WITH line AS MATERIALIZED (
  SELECT l.*, coalesce(r.body ->> 'cause', '') AS cause
    FROM head_line l
    JOIN farm_record r ON r.bucket = l.bucket AND r.farm_id = l.farm_id AND r.at = l.at AND r.number = l.record
   WHERE l.bucket = $1 AND l.farm_id = $2 AND l.at >= $3 AND l.at < $4 AND l.category = ANY($5)
     AND r.bucket = $1 AND r.farm_id = $2 AND r.at >= $3 AND r.at < $4
), net AS (
  SELECT day, animal, species, age_class, enterprise, sign(sum(delta)) AS side,
         row_number() OVER (PARTITION BY day, animal, sign(sum(delta)) ORDER BY species, age_class, enterprise) AS nth
    FROM line WHERE animal <> '' GROUP BY day, animal, species, age_class, enterprise HAVING sum(delta) <> 0
), cause_of_animal AS (
  SELECT DISTINCT day, animal, cause FROM line WHERE animal <> ''
), individual AS (
  SELECT f.day, f.animal, f.species, f.age_class AS from_class, f.enterprise AS from_enterprise,
         t.age_class AS to_class, t.enterprise AS to_enterprise
    FROM net f JOIN net t ON t.day = f.day AND t.animal = f.animal AND t.nth = f.nth AND f.side < 0 AND t.side > 0
), pair AS (
  SELECT f.day, f.mob, f.species, f.age_class AS from_class, f.enterprise AS from_enterprise,
         t.age_class AS to_class, t.enterprise AS to_enterprise, t.delta AS head, f.cause
    FROM line f JOIN line t ON t.at = f.at AND t.record = f.record AND t.line = f.line + 1
   WHERE f.animal = '' AND f.line % 2 = 0
), both_ways AS (
  SELECT day, mob, species, from_class, from_enterprise, to_class, to_enterprise, head AS there, 0 AS back, cause FROM pair
  UNION ALL
  SELECT day, mob, species, to_class, to_enterprise, from_class, from_enterprise, 0, head, NULL FROM pair
), part AS (
  SELECT day, species, from_class, from_enterprise, to_class, to_enterprise, sum(there) - sum(back) AS head_mob,
         0 AS head_individual, array_agg(cause) AS causes
    FROM both_ways GROUP BY day, mob, species, from_class, from_enterprise, to_class, to_enterprise HAVING sum(there) > sum(back)
  UNION ALL
  SELECT i.day, i.species, i.from_class, i.from_enterprise, i.to_class, i.to_enterprise, 0, 1, array_agg(c.cause)
    FROM individual i JOIN cause_of_animal c ON c.day = i.day AND c.animal = i.animal
   GROUP BY i.day, i.animal, i.species, i.from_class, i.from_enterprise, i.to_class, i.to_enterprise
), total AS (
  SELECT day, species, from_class, from_enterprise, to_class, to_enterprise,
         sum(head_mob) AS head_mob, sum(head_individual) AS head_individual
    FROM part GROUP BY 1, 2, 3, 4, 5, 6
), told AS (
  SELECT day, species, from_class, from_enterprise, to_class, to_enterprise, string_agg(DISTINCT cause COLLATE "C", '; ') AS cause
    FROM part, unnest(causes) AS cause WHERE cause <> '' GROUP BY 1, 2, 3, 4, 5, 6
)
SELECT day::text, species, from_class, from_enterprise, to_class, to_enterprise, head_mob::float8, head_individual::float8, coalesce(cause, '')
  FROM total LEFT JOIN told USING (day, species, from_class, from_enterprise, to_class, to_enterprise)
 ORDER BY day, species, from_class, from_enterprise, to_class, to_enterprise`;

export const TRANSITION_KINDS: readonly CellKind[] = [
  ...(['text', 'text', 'text', 'text', 'text', 'text'] as const),
  'number',
  'number',
  'text',
];

export type TransitionRow = [
  day: string,
  species: string,
  fromAgeClass: string,
  fromEnterprise: string,
  toAgeClass: string,
  toEnterprise: string,
  headMob: number,
  headIndividual: number,
  cause: string,
];

export const RECLASSIFICATION = codesOf(['reclassification']);

export function toTransition(row: TransitionRow): Transition {
  const [
    day,
    species,
    fromAgeClass,
    fromEnterprise,
    toAgeClass,
    toEnterprise,
    headMob,
    headIndividual,
    cause,
  ] = row;
  const kind =
    fromAgeClass === toAgeClass ? 'enterprise' : fromEnterprise === toEnterprise ? 'age_class' : 'both';
  const places = { day, species, fromAgeClass, fromEnterprise, toAgeClass, toEnterprise };
  return { ...places, kind, head: headMob + headIndividual, headMob, headIndividual, cause };
}
