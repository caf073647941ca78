import type { Category, FarmRecords } from '../../farm-records/reader.js';
import type { GenerationInput } from '../generator.js';
import { type Book, describe } from './book.js';
import type { AccountFlows } from './opening-values.js';
import { type TradingStock, valueOf } from './valuation.js';

type Warn = GenerationInput['warn'];

/** Says where head were less than none, and what opened inside the period. */
export function warnOfBook(book: Book, { after }: AccountFlows, records: FarmRecords, warn: Warn): void {
  for (const flow of after) {
    if (flow.category !== 'opening') continue;
    warn(
      `Opening stock of ${describe(flow, records)} lies inside the period: ${flow.head} head are shown under adjust_in.`,
    );
  }
  for (const entry of book.entries) {
    const { opening, closing } = entry.account;
    const who = describe(entry, records);
    if (opening < 0) warn(`${who} opens with ${opening} head: more left than was ever there.`);
    if (closing < 0) warn(`${who} closes with ${closing} head: more left than was there.`);
  }
}

/** Says why value columns of a species are blank or stand on less than all its head. */
export function warnOfValues(
  species: string,
  stock: TradingStock,
  { firstDay, after }: AccountFlows,
  warn: Warn,
): void {
  const { birthsValue, closingValue } = valueOf(stock);
  if (stock.openingHead !== 0 && stock.openingValue === undefined) {
    warn(
      `${species}: the value of the ${stock.openingHead} head at the opening is not known, so value columns are blank.`,
    );
  } else if (birthsValue === undefined) {
    warn(`${species}: no natural-increase value is set, so value columns are blank.`);
  } else if (closingValue === undefined) {
    warn(
      `${species}: nothing was there, born or bought to take an average cost from, so value columns are blank.`,
    );
  }
  const flows = [...firstDay, ...after].filter((flow) => flow.species === species);
  const unpriced = (category: Category) =>
    flows
      .filter((flow) => flow.category === category)
      .reduce((head, flow) => head + Math.abs(flow.head) - flow.valuedHead, 0);
  const [bought, sold] = [unpriced('purchase'), unpriced('sale')];
  if (bought > 0)
    warn(
      `${species}: ${bought} head were bought without a price in the farm's currency and count for nothing in purchase_value.`,
    );
  if (sold > 0)
    warn(
      `${species}: ${sold} head were sold without a price in the farm's currency and count for nothing in sales_value.`,
    );
}
