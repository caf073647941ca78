/**
 * Questions about the ledger of a bucket, $1, or of one farm in it, $2. Lines of a farm are those of its records before
 * `unsettled_from`; what an import has marked there is booked later and no difference.
 */

/** Events before the mark that have no line. */
export const UNBOOKED = `
SELECT r.farm_id AS farm, r.source || ' ' || r.source_id AS record, r.resource_type, r.body::text
  FROM farm_record r JOIN farm f ON f.bucket = $1::smallint AND f.farm_id = r.farm_id
 WHERE r.bucket = $1::smallint AND ($2::text IS NULL OR r.farm_id = $2) AND r.at IS NOT NULL AND NOT r.deleted
   AND (f.unsettled_from IS NULL OR r.at < f.unsettled_from)
   AND NOT EXISTS (SELECT FROM head_line l
                    WHERE l.bucket = $1::smallint AND l.farm_id = r.farm_id AND l.at = r.at AND l.record = r.number)`;

/** Lines of no record, of a deleted one, or at another time than their record. */
export const STRAY_LINES = `
SELECT l.farm_id AS farm, 'record ' || l.record AS what, count(*) || ' lines at ' || l.at AS kept, 'none' AS summed
  FROM head_line l LEFT JOIN farm f ON f.bucket = $1::smallint AND f.farm_id = l.farm_id
 WHERE l.bucket = $1::smallint AND ($2::text IS NULL OR l.farm_id = $2)
   AND coalesce(l.at < f.unsettled_from, true)
   AND NOT EXISTS (
     SELECT FROM farm_record r
      WHERE r.bucket = $1::smallint AND r.farm_id = l.farm_id AND r.at = l.at AND r.number = l.record AND r.day = l.day AND NOT r.deleted)
 GROUP BY l.farm_id, l.record, l.at`;

/** Monthly flows that are not the sums of their lines. */
export const FLOW_DIFFERENCES = `
SELECT farm_id AS farm,
       concat_ws(' ', to_char(month, 'YYYY-MM'), species, enterprise, age_class, 'mob', mob, 'paddock', paddock, 'category', category) AS what,
       concat_ws(' ', sum(delta) FILTER (WHERE kept), 'head worth', sum(value) FILTER (WHERE kept), 'in', sum(lines) FILTER (WHERE kept), 'lines') AS kept,
       concat_ws(' ', -sum(delta) FILTER (WHERE NOT kept), 'head worth', -sum(value) FILTER (WHERE NOT kept), 'in', -sum(lines) FILTER (WHERE NOT kept), 'lines') AS summed
  FROM (
    SELECT farm_id, month, species, enterprise, age_class, mob, paddock, category, true AS kept, delta, value, valued_head, lines
      FROM monthly_flow WHERE bucket = $1::smallint AND ($2::text IS NULL OR farm_id = $2)
    UNION ALL
    SELECT farm_id, date_trunc('month', day)::date, species, enterprise, age_class, mob, paddock, category, false,
           -sum(delta), -coalesce(sum(value), 0), -coalesce(sum(head) FILTER (WHERE value IS NOT NULL), 0), -count(*)
      FROM head_line WHERE bucket = $1::smallint AND ($2::text IS NULL OR farm_id = $2) AND delta <> 0
     GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) AS flow
 GROUP BY farm_id, month, species, enterprise, age_class, mob, paddock, category
HAVING (sum(delta), sum(value), sum(valued_head), sum(lines)) IS DISTINCT FROM (0, 0, 0, 0)`;

/** Balances that are not the sums of all lines. */
export const HEAD_DIFFERENCES = `
SELECT farm_id AS farm, concat_ws(' ', species, enterprise, age_class, 'mob', mob, 'paddock', paddock, CASE WHEN managed THEN 'managed' END) AS what,
       coalesce(sum(head) FILTER (WHERE kept), 0) || ' head' AS kept, coalesce(-sum(head) FILTER (WHERE NOT kept), 0) || ' head' AS summed
  FROM (
    SELECT farm_id, species, enterprise, age_class, mob, paddock, managed, true AS kept, head, lines
      FROM head_balance WHERE bucket = $1::smallint AND ($2::text IS NULL OR farm_id = $2)
    UNION ALL
    SELECT farm_id, species, enterprise, age_class, mob, paddock, managed, false, -sum(delta), -count(*)
      FROM head_line WHERE bucket = $1::smallint AND ($2::text IS NULL OR farm_id = $2) AND delta <> 0
     GROUP BY 1, 2, 3, 4, 5, 6, 7) AS balance
 GROUP BY farm_id, species, enterprise, age_class, mob, paddock, managed
HAVING (sum(head), sum(lines)) IS DISTINCT FROM (0, 0)`;

/** Sums of a class by day, month, quarter and year that are not those of their lines. */
export const CLASS_DIFFERENCES = `
SELECT farm_id AS farm, concat_ws(' ', unit, begins, species, enterprise, age_class, 'category', category) AS what,
       concat_ws(' ', sum(delta) FILTER (WHERE kept), 'head worth', sum(value) FILTER (WHERE kept), 'in', sum(lines) FILTER (WHERE kept), 'lines') AS kept,
       concat_ws(' ', -sum(delta) FILTER (WHERE NOT kept), 'head worth', -sum(value) FILTER (WHERE NOT kept), 'in', -sum(lines) FILTER (WHERE NOT kept), 'lines') AS summed
  FROM (
    SELECT farm_id, unit, begins, species, enterprise, age_class, category, true AS kept, delta, value, valued_head, lines
      FROM class_flow WHERE bucket = $1::smallint AND ($2::text IS NULL OR farm_id = $2)
    UNION ALL
    SELECT farm_id, unit, date_trunc(unit, day::timestamp)::date, species, enterprise, age_class, category, false,
           -sum(delta), -sum(value), -sum(valued_head), -sum(lines)
      FROM (
        SELECT farm_id, day, species, enterprise, age_class, category, sum(delta) AS delta, coalesce(sum(value), 0) AS value,
               coalesce(sum(head) FILTER (WHERE value IS NOT NULL), 0) AS valued_head, count(*) AS lines
          FROM head_line WHERE bucket = $1::smallint AND ($2::text IS NULL OR farm_id = $2) AND delta <> 0
         GROUP BY 1, 2, 3, 4, 5, 6) AS daily
     CROSS JOIN unnest(ARRAY['day', 'month', 'quarter', 'year']) AS unit
     GROUP BY 1, 2, 3, 4, 5, 6, 7) AS flow
 GROUP BY farm_id, unit, begins, species, enterprise, age_class, category
HAVING (sum(delta), sum(value), sum(valued_head), sum(lines)) IS DISTINCT FROM (0, 0, 0, 0)`;
