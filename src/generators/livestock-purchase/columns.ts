import { type Decimal, money, over, sum } from '../decimals.js';
import { type ConsignedLot, type LotFigures, otherFees } from '../lot.js';
import {
  amountColumn,
  enterpriseColumn,
  feeColumn,
  headColumn,
  LOT,
  mobColumn,
  paddockColumns,
} from '../lot-columns.js';
import { column, type RowColumn } from '../row-columns.js';

export const COSTS = ['freight', 'commission', 'insurance'] as const;

/** Gross and all costs; tax stands apart. */
export function landedOf({ gross, fees }: LotFigures): Decimal | undefined {
  return gross?.plus(sum(fees.values()));
}

const bought = column<ConsignedLot>;

export const COLUMNS: readonly RowColumn<ConsignedLot>[] = [
  bought('date', 'date', 'day', 'Local day of the arrival', ({ consignment }) => consignment.day),
  LOT.reference,
  bought('vendor', 'text', 'none', 'Who sold', ({ consignment }) => consignment.counterparty),
  bought(
    'vendor_pic',
    'text',
    'none',
    'Property identification code of the vendor',
    ({ consignment }) => consignment.counterpartyPic,
  ),
  LOT.agent,
  LOT.nvd,
  LOT.species,
  LOT.breed,
  LOT.sex,
  LOT.ageClass,
  enterpriseColumn('Business line the stock belong to'),
  LOT.enterpriseId,
  mobColumn('Mob they went into'),
  LOT.mobId,
  LOT.management,
  headColumn('Head that arrived'),
  LOT.headInvoiced,
  LOT.avgWeight,
  LOT.totalWeight,
  LOT.weightType,
  LOT.priceBasis,
  LOT.unitPrice,
  LOT.pricePerHead,
  LOT.pricePerKg,
  amountColumn('gross', 'Price of the stock alone', (lot) => lot.gross),
  feeColumn('freight', 'Freight'),
  feeColumn('commission', "Agent's commission"),
  feeColumn('insurance', 'Insurance'),
  amountColumn('other_costs', 'Costs of every other kind', (lot) => otherFees(lot, COSTS)),
  LOT.tax,
  amountColumn('landed_total', 'gross and all costs', landedOf),
  bought('landed_per_head', 'decimal', 'currency/head', 'landed_total / head', ({ lot }) =>
    money(over(landedOf(lot), lot.head)),
  ),
  LOT.currency,
  ...paddockColumns('destination_paddock', 'Paddock they went to'),
];
