import { type Decimal, money, over, rounded, trimmed, ZERO } from '../decimals.js';
import { explainSubjects, type RowMaking } from '../evidence.js';
import {
  type GenerationInput,
  type Generator,
  ReportGenerator,
  type Row,
  type RowExplanation,
  type RowInQuestion,
} from '../generator.js';
import { inOrderOfKeys, joinedKey } from '../keys.js';
import {
  cellsNamed,
  cellsOf,
  column,
  declared,
  mobName,
  paddockName,
  type RowColumn,
} from '../row-columns.js';
import { type FedStock, fedStock } from './fed-stock.js';

const fed = column<FedStock>;
const json = { jsonOnly: true };
const total = { controlTotal: true };

function dryMatter({ kilograms, dryMatterPercent }: FedStock): Decimal | undefined {
  return dryMatterPercent && kilograms?.times(dryMatterPercent).div(100);
}

const COLUMNS: readonly RowColumn<FedStock>[] = [
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

@ReportGenerator({
  type: 'livestock-feed.v1',
  title: 'Livestock feed',
  description:
    'What stock were fed, how much of it a head, at what cost, and until when it withholds them from slaughter.',
  version: '1.0',
  columns: declared(COLUMNS),
  rules: [
    'A row per feeding, feed and stock of one mob, class, enterprise, paddock and management; a subtotal per feed, unit and currency; a total of the cost per currency.',
    'A quantity a head counts for the head that were there at the moment of feeding. A quantity for all is split over mixed stock by head, the remainder with the largest group.',
    'A feeding over several days is split evenly by local day, and cut at the edges of the period.',
    "Quantities convert between units of weight; bales and bags keep their unit. A cost per another unit than the quantity's counts where the two convert, and else leaves the cost blank, with a warning.",
    "The cost, dry matter and withholding said with the feeding come before the feed's own.",
    'Stock sold before they are clear of a feed are flagged in the livestock sales. Of a mob fed in part all head by number are withheld.',
  ],
})
export class LivestockFeed implements Generator {
  async *rows(input: GenerationInput): AsyncIterable<readonly Row[]> {
    const sums = new FeedSums();
    for await (const stock of allFedStock(input)) {
      for (const part of stock) sums.add(part);
      yield stock.map((part) => ({ rowType: 'detail', cells: cellsOf(COLUMNS, part) }));
    }
    yield sums.rows();
  }

  async explain(input: GenerationInput, row: RowInQuestion): Promise<RowExplanation> {
    return explainSubjects(input, row, MAKING);
  }
}

const MAKING: RowMaking<FedStock> = {
  columns: COLUMNS,
  subjects: allFedStock,
  evidenceOf: (stock) => [
    {
      record: stock.record,
      brings: {
        head_fed: stock.head,
        quantity: stock.quantity,
        quantity_kg: stock.kilograms ?? 0,
        quantity_kg_dm: dryMatter(stock) ?? 0,
        total_cost: stock.totalCost ?? 0,
      },
    },
  ],
  totalledBy: ['feed_id', 'unit', 'currency'],
  lasting: true,
};

async function* allFedStock({ records, period, warn }: GenerationInput): AsyncIterable<FedStock[]> {
  const feeds = await records.feeds();
  for await (const acts of records.feedings(period))
    yield acts.flatMap((act) => fedStock(act, feeds, records, period, warn));
}

interface FeedSum {
  readonly feed: string;
  readonly feedId: string;
  readonly unit: string;
  readonly currency: string | null;
  quantity: Decimal;
  kilograms: Decimal | undefined;
  dryMatter: Decimal | undefined;
  cost: Decimal | undefined;
}

/** Sums by feed, unit and currency; quantities in different units and amounts in different currencies are never added. */
class FeedSums {
  private readonly byFeed = new Map<string, FeedSum>();

  add(stock: FedStock): void {
    const { feedId, unit } = stock.fed;
    const feed = stock.feed?.name ?? feedId;
    const key = joinedKey(feed, feedId, unit, stock.currency);
    const sum = this.byFeed.get(key) ?? {
      feed,
      feedId,
      unit,
      currency: stock.currency,
      quantity: ZERO,
      kilograms: undefined,
      dryMatter: undefined,
      cost: undefined,
    };
    this.byFeed.set(key, sum);
    sum.quantity = sum.quantity.plus(stock.quantity);
    sum.kilograms = added(sum.kilograms, stock.kilograms);
    sum.dryMatter = added(sum.dryMatter, dryMatter(stock));
    sum.cost = added(sum.cost, stock.totalCost);
  }

  rows(): Row[] {
    const sums = inOrderOfKeys(this.byFeed).map(([, sum]) => sum);
    const byCurrency = Map.groupBy(
      sums.filter((sum) => sum.currency !== null),
      (sum) => sum.currency as string,
    );
    return [
      ...sums.map((sum): Row => ({ rowType: 'subtotal', cells: subtotalCells(sum) })),
      ...inOrderOfKeys(byCurrency).map(([currency, parts]): Row => {
        const cost = parts.reduce<Decimal | undefined>((total, part) => added(total, part.cost), undefined);
        return { rowType: 'total', cells: cellsNamed(COLUMNS, { total_cost: money(cost), currency }) };
      }),
    ];
  }
}

function subtotalCells({ feed, feedId, unit, currency, quantity, kilograms, dryMatter, cost }: FeedSum) {
  const amounts = {
    quantity: trimmed(quantity, 6),
    quantity_kg: trimmed(kilograms, 6),
    quantity_kg_dm: trimmed(dryMatter, 6),
    total_cost: rounded(cost, 2),
  };
  return cellsNamed(COLUMNS, { feed, feed_id: feedId, unit, currency, ...amounts });
}

function added(total: Decimal | undefined, amount: Decimal | undefined): Decimal | undefined {
  return amount === undefined ? total : (total ?? ZERO).plus(amount);
}
