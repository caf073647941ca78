import { explainSubjects, type RowMaking } from '../evidence.js';
import {
  type GenerationInput,
  type Generator,
  ReportGenerator,
  type Row,
  type RowExplanation,
  type RowInQuestion,
} from '../generator.js';
import { cellsOf, declared } from '../row-columns.js';
import { COLUMNS, dryMatter } from './columns.js';
import { type FedStock, fedStock } from './fed-stock.js';
import { FeedSums } from './feed-sums.js';

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
