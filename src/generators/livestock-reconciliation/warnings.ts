import type { Category } from '../../farm-records/reader.js';
import type { GenerationInput } from '../generator.js';
import type { AccountFlows } from './opening-values.js';
import type { TradingStock, Valuation } from './valuation.js';

/** Says why value columns of a species are blank or stand on less than all its head. */
export function warnOfValues(
  species: string,
  stock: TradingStock,
  valuation: Valuation,
  { firstDay, after }: AccountFlows,
  warn: GenerationInput['warn'],
): void {
  if (stock.openingHead !== 0 && stock.openingValue === undefined) {
    warn(
      `${species}: the value of the ${stock.openingHead} head at the opening is not known, so value columns are blank.`,
    );
  } else if (valuation.birthsValue === undefined) {
    warn(`${species}: no natural-increase value is set, so value columns are blank.`);
  } else if (valuation.closingValue === undefined) {
    warn(
      `${species}: nothing was there, born or bought to take an average cost from, so value columns are blank.`,
    );
  }
  const flows = [...firstDay, ...after].filter((flow) => flow.species === species);
  const unpriced = (category: Category) =>
    flows
      .filter((flow) => flow.category === category)
      .reduce((head, flow) => head + Math.abs(flow.head) - flow.valuedHead, 0);
  const purchases = unpriced('purchase');
  if (purchases > 0)
    warn(
      `${species}: ${purchases} head were bought without a price in the farm's currency and count for nothing in purchase_value.`,
    );
  const sales = unpriced('sale');
  if (sales > 0)
    warn(
      `${species}: ${sales} head were sold without a price in the farm's currency and count for nothing in sales_value.`,
    );
}
