/** SQL that adds to the sums of the ledger (migrations/053-ledger-sums.sql); $1 and $2 are the farm's bucket and id. */

const ADDED = `delta = f.delta + excluded.delta, value = f.value + excluded.value,
  valued_head = f.valued_head + excluded.valued_head, lines = f.lines + excluded.lines`;
const SUMS = 'delta, value, valued_head, lines';

const FLOW_KEY = 'month, species, enterprise, age_class, mob, paddock, category';
const CLASS_KEY = 'unit, begins, species, enterprise, age_class, category';
const BALANCE_KEY = 'mob, species, enterprise, age_class, paddock, managed';

/** `from`: rows of a month, a class, a place and a category with their sums. */
export const addFlows = (from: string) => `
  INSERT INTO monthly_flow AS f (bucket, farm_id, ${FLOW_KEY}, ${SUMS})
  SELECT $1::smallint, $2::text, ${FLOW_KEY}, ${SUMS} FROM ${from}
  ON CONFLICT (bucket, farm_id, ${FLOW_KEY}) DO UPDATE SET ${ADDED}`;

/** `from`: rows of a day, a class and a category with their sums, which are added to the day's, its month's, its quarter's and its year's. */
export const addClassFlows = (from: string) => `
  INSERT INTO class_flow AS f (bucket, farm_id, ${CLASS_KEY}, ${SUMS})
  SELECT $1::smallint, $2::text, unit, date_trunc(unit, day::timestamp)::date, species, enterprise, age_class, category,
         sum(delta), sum(value), sum(valued_head), sum(lines)
    FROM ${from} CROSS JOIN unnest(ARRAY['day', 'month', 'quarter', 'year']) AS unit
   GROUP BY 3, 4, 5, 6, 7, 8
  ON CONFLICT (bucket, farm_id, ${CLASS_KEY}) DO UPDATE SET ${ADDED}`;

/** `from`: rows of a place, a class and a management with their head and lines. */
export const addBalances = (from: string) => `
  INSERT INTO head_balance AS b (bucket, farm_id, ${BALANCE_KEY}, head, lines)
  SELECT $1::smallint, $2::text, ${BALANCE_KEY}, head, lines FROM ${from}
  ON CONFLICT (bucket, farm_id, ${BALANCE_KEY}) DO UPDATE SET head = b.head + excluded.head, lines = b.lines + excluded.lines`;

/** Sums that no line stands behind any more. */
export const SWEEPS = ['monthly_flow', 'class_flow', 'head_balance'].map(
  (table) => `DELETE FROM ${table} WHERE bucket = $1 AND farm_id = $2 AND lines = 0`,
);
