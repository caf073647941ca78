import { type Decimal, money, over, trimmed } from '../decimals.js';
import { column, mobName, paddockName, type RowColumn } from '../row-columns.js';
import type { FedStock } from './fed-stock.js';

const fed = column<FedStock>;
const json = { jsonOnly: true };
const total = { controlTotal: true };

/** Kilograms; undefined when the weight or the dry matter is not known. */
export function dryMatter({ kilograms, dryMatterPercent }: FedStock): Decimal | undefined {
  return dryMatterPercent && kilograms?.times(dryMatterPercent).div(100);
}

export const COLUMNS: readonly RowColumn<FedStock>[] = [
  fed(
    'date',
    'date',
    'day',
    'Local day on which the feeding began, or the first day of the period',
    ({ date }) => date,
  ),
  fed('paddock', 'text', 'none', 'Paddock they stood in', ({ records, line }) =>
    paddockName(records, line.paddock),
  ),
  fed('paddock_id', 'text', 'none', 'Id of the paddock', ({ line }) => line.paddock || null, json),
  fed('mob', 'text', 'none', 'Mob', ({ records, line }) => mobName(records, line.mob)),
  fed('mob_id', 'text', 'none', 'Id of the mob', ({ line }) => line.mob || null, json),
  fed('management', 'text', 'none', 'mob: counted by head; individual: by their own records', ({ line }) =>
    line.managed ? 'individual' : 'mob',
  ),
  fed('species', 'text', 'none', 'Species', ({ line }) => line.species),
  fed('enterprise', 'text', 'none', 'Business line the stock belong to', ({ records, line }) =>
    records.names.enterprise(line.enterprise),
  ),
  fed('enterprise_id', 'text', 'none', 'Id of the enterprise', ({ line }) => line.enterprise, json),
  fed('age_class', 'text', 'none', 'Age class', ({ line }) => line.ageClass),
  fed('head_fed', 'integer', 'head', 'Head at the moment of feeding', ({ head }) => head, total),
  fed('feed', 'text', 'none', 'Feed', ({ feed, fed: { feedId } }) => feed?.name ?? feedId),
  fed('feed_id', 'text', 'none', 'Id of the feed', ({ fed: { feedId } }) => feedId, json),
  fed('category', 'text', 'none', 'Category of the feed', ({ feed }) => feed?.category ?? null),
  fed('batch', 'text', 'none', 'Batch', ({ batch }) => batch),
  fed(
    'quantity',
    'decimal',
    'row unit',
    'Fed to all head on days of the period, in the unit of the row',
    ({ quantity }) => trimmed(quantity, 6),
  ),
  fed('unit', 'text', 'none', 'kg, t, g, mg, ug, lb, oz, bale or bag', ({ fed: { unit } }) => unit),
  fed(
    'quantity_kg',
    'decimal',
    'kg',
    'The same in kilograms; blank for bales and bags',
    ({ kilograms }) => trimmed(kilograms, 6),
    total,
  ),
  fed('dry_matter_pct', 'decimal', '%', 'Dry matter of the feed', ({ dryMatterPercent }) =>
    trimmed(dryMatterPercent, 2),
  ),
  fed(
    'quantity_kg_dm',
    'decimal',
    'kg dry matter',
    'quantity_kg times dry_matter_pct',
    (stock) => trimmed(dryMatter(stock), 6),
    total,
  ),
  fed('quantity_per_head', 'decimal', 'row unit/head', 'quantity / head_fed', ({ quantity, head }) =>
    trimmed(over(quantity, head), 6),
  ),
  fed('unit_cost', 'decimal', 'currency/row unit', 'Cost of a unit', ({ unitCost }) => trimmed(unitCost, 6)),
  fed(
    'total_cost',
    'decimal',
    'currency',
    'quantity times unit_cost',
    ({ totalCost }) => money(totalCost),
    total,
  ),
  fed('cost_per_head', 'decimal', 'currency/head', 'total_cost / head_fed', ({ totalCost, head }) =>
    money(over(totalCost, head)),
  ),
  fed('currency', 'text', 'none', 'ISO 4217 code of every amount of the row', ({ currency }) => currency),
  fed('feed_whp_days', 'integer', 'days', 'Withholding period of the feed', ({ whpDays }) => whpDays),
  fed(
    'feed_whp_clear_date',
    'date',
    'day',
    'The last day of the feeding and the withholding period',
    ({ whpClearDate }) => whpClearDate,
  ),
];
