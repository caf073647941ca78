import {
  type Act,
  type FarmRecords,
  type Feed,
  type FeedSale as Sale,
  kilograms,
  type RecordRef,
} from '../../farm-records/reader.js';
import { Decimal, money, over, sum, trimmed, ZERO } from '../decimals.js';
import { type Brings, explainSubjects, type RowMaking } from '../evidence.js';
import {
  type GenerationInput,
  type Generator,
  ReportGenerator,
  type Row,
  type RowExplanation,
  type RowInQuestion,
} from '../generator.js';
import { cellsNamed, cellsOf, column, declared, type RowColumn } from '../row-columns.js';
import { TradeTotals } from '../trade-totals.js';

/** A line of a feed sale with its amounts, unrounded; undefined without a price. A return is negative throughout. */
interface SoldFeed {
  readonly record: RecordRef;
  readonly sale: Sale;
  readonly feed: Feed | undefined;
  readonly currency: string;
  readonly kilograms: Decimal | undefined;
  readonly gross: Decimal | undefined;
  readonly freight: Decimal;
  readonly otherFees: Decimal;
  readonly tax: Decimal;
  readonly net: Decimal | undefined;
}

const sold = column<SoldFeed>;
const total = { controlTotal: true };

const COLUMNS: readonly RowColumn<SoldFeed>[] = [
  sold('date', 'date', 'day', 'Local day of the sale, or of the return', ({ record }) => record.day),
  sold('reference', 'text', 'none', 'Reference of the sale', ({ sale }) => sale.reference ?? null),
  sold('buyer', 'text', 'none', 'Who bought', ({ sale }) => sale.buyer ?? null),
  sold('feed', 'text', 'none', 'Feed', ({ sale, feed }) => feed?.name ?? sale.feedId),
  sold('feed_id', 'text', 'none', 'Id of the feed', ({ sale }) => sale.feedId, { jsonOnly: true }),
  sold('category', 'text', 'none', 'Category of the feed', ({ feed }) => feed?.category ?? null),
  sold('batch', 'text', 'none', 'Batch', ({ sale }) => sale.batch ?? null),
  sold(
    'quantity',
    'decimal',
    'row unit',
    'Quantity in the unit of the row; negative for feed that came back',
    ({ sale }) => sale.quantity,
  ),
  sold('unit', 'text', 'none', 'kg, t, g, mg, ug, lb, oz, bale or bag', ({ sale }) => sale.unit),
  sold(
    'quantity_kg',
    'decimal',
    'kg',
    'Quantity in kilograms; blank for bales and bags',
    ({ kilograms }) => trimmed(kilograms, 6),
    total,
  ),
  sold('unit_price', 'decimal', 'currency/row unit', 'Price of a unit', (line) =>
    trimmed(unitPrice(line), 6),
  ),
  sold(
    'price_basis',
    'text',
    'none',
    'perUnit or total, as it was agreed',
    ({ sale }) => sale.price?.basis ?? null,
  ),
  sold('gross', 'decimal', 'currency', 'Price of the quantity', ({ gross }) => money(gross), total),
  sold('freight', 'decimal', 'currency', 'Freight', ({ freight }) => money(freight), total),
  sold('other_fees', 'decimal', 'currency', 'All other fees', ({ otherFees }) => money(otherFees), total),
  sold('tax', 'decimal', 'currency', 'Tax, outside gross and net', ({ tax }) => money(tax), total),
  sold('net', 'decimal', 'currency', 'gross - freight - other_fees', ({ net }) => money(net), total),
  sold('currency', 'text', 'none', 'ISO 4217 code of every amount of the row', ({ currency }) => currency),
];

@ReportGenerator({
  type: 'feed-sale.v1',
  title: 'Feed sales',
  description: 'Which feed was sold, to whom and for how much, line by line, returns included.',
  version: '1.0',
  columns: declared(COLUMNS),
  rules: [
    'A row per sale line; a total per currency. Feed that came back is a line with negative amounts on the day of its return.',
    'net = gross - freight - other_fees; tax stands apart.',
    'Feed disposed of without a buyer is waste and no sale. What has no price is listed with blank amounts, with a warning.',
  ],
})
export class FeedSale implements Generator {
  async *rows(input: GenerationInput): AsyncIterable<readonly Row[]> {
    const totals = new TradeTotals();
    let unpriced = 0;
    for await (const lines of soldFeed(input)) {
      for (const line of lines) totals.add(line.currency, amountsOf(line));
      unpriced += lines.filter(({ gross }) => gross === undefined).length;
      yield lines.map((line) => ({ rowType: 'detail', cells: cellsOf(COLUMNS, line) }));
    }
    if (unpriced > 0)
      input.warn(`${unpriced} feed sales have no price: their amounts are blank and outside the totals.`);
    yield totals.cells.map((cells) => ({ rowType: 'total', cells: cellsNamed(COLUMNS, cells) }));
  }

  async explain(input: GenerationInput, row: RowInQuestion): Promise<RowExplanation> {
    return explainSubjects(input, row, MAKING);
  }
}

const MAKING: RowMaking<SoldFeed> = {
  columns: COLUMNS,
  subjects: soldFeed,
  evidenceOf: (line) => [{ record: line.record, brings: figuresOf(line) }],
  totalledBy: ['currency'],
};

async function* soldFeed({ records, period }: GenerationInput): AsyncIterable<SoldFeed[]> {
  const feeds = await records.feeds();
  for await (const sales of records.feedSales(period)) yield sales.map((act) => lineOf(act, feeds, records));
}

function figuresOf(line: SoldFeed): Brings {
  const { sale, kilograms = ZERO } = line;
  return { quantity: new Decimal(sale.quantity), quantity_kg: kilograms, ...amountsOf(line) };
}

function amountsOf({ gross = ZERO, freight, otherFees, tax, net = ZERO }: SoldFeed): Brings {
  return { gross, freight, other_fees: otherFees, tax, net };
}

function lineOf(
  { record, what: sale }: Act<Sale>,
  feeds: ReadonlyMap<string, Feed>,
  { farm }: FarmRecords,
): SoldFeed {
  const quantity = new Decimal(sale.quantity);
  const signed = (amount: Decimal | string) =>
    quantity.lt(0) ? new Decimal(amount).abs().neg() : new Decimal(amount);
  const gross = grossOf(sale, quantity);
  const freight = sale.freight === undefined ? ZERO : signed(sale.freight);
  const otherFees = signed(sum(sale.fees.map(({ amount }) => new Decimal(amount))));
  const kilos = kilograms(sale.quantity, sale.unit);
  return {
    record,
    sale,
    feed: feeds.get(sale.feedId),
    currency: sale.currency ?? farm.currency,
    kilograms: kilos === undefined ? undefined : new Decimal(kilos),
    gross,
    freight,
    otherFees,
    tax: sale.tax === undefined ? ZERO : signed(sale.tax),
    net: gross?.minus(freight).minus(otherFees),
  };
}

/** A total price may be written with either sign: the quantity says which way the feed went. */
function grossOf({ price }: Sale, quantity: Decimal): Decimal | undefined {
  if (!price) return undefined;
  const amount = new Decimal(price.amount);
  return price.basis === 'total' ? amount.abs().times(quantity.lt(0) ? -1 : 1) : quantity.times(amount);
}

function unitPrice({ sale, gross }: SoldFeed): Decimal | undefined {
  return sale.price?.basis === 'perUnit'
    ? new Decimal(sale.price.amount)
    : over(gross, new Decimal(sale.quantity));
}
