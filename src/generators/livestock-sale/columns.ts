import { type Decimal, money, over, rounded, sum } from '../decimals.js';
import { type ConsignedLot, type Lot, type LotFigures, otherFees } from '../lot.js';
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

export const DEDUCTIONS = ['commission', 'yardage', 'levy', 'freight'] as const;

/** Gross less all deductions; tax stands apart. */
export function netOf({ gross, fees }: LotFigures): Decimal | undefined {
  return gross?.minus(sum(fees.values()));
}

function dressingPercent({ liveKilograms, carcassKilograms }: Lot): Decimal | undefined {
  return over(carcassKilograms?.times(100), liveKilograms);
}

const sold = column<ConsignedLot>;
const total = { controlTotal: true };

export const COLUMNS: readonly RowColumn<ConsignedLot>[] = [
  sold(
    'date',
    'date',
    'day',
    'Local day of the departure, or of the return',
    ({ consignment }) => consignment.day,
  ),
  LOT.reference,
  sold(
    'sale_type',
    'text',
    'none',
    'Saleyard, over the hooks, private …, as it was recorded',
    ({ consignment }) => consignment.saleType,
  ),
  sold('buyer', 'text', 'none', 'Who bought', ({ consignment }) => consignment.counterparty),
  sold(
    'destination_pic',
    'text',
    'none',
    'Property identification code of the destination',
    ({ consignment }) => consignment.counterpartyPic,
  ),
  LOT.agent,
  LOT.nvd,
  LOT.species,
  LOT.breed,
  LOT.sex,
  LOT.ageClass,
  enterpriseColumn('Business line the stock belonged to'),
  LOT.enterpriseId,
  mobColumn('Mob they were drawn from'),
  LOT.mobId,
  LOT.management,
  ...paddockColumns('source_paddock', 'Paddock they left'),
  headColumn('Head sold; negative for stock that came back'),
  LOT.headInvoiced,
  LOT.avgWeight,
  LOT.totalWeight,
  LOT.weightType,
  sold('live_weight', 'decimal', 'kg', 'Live weight of all head', ({ lot }) => rounded(lot.liveKilograms, 2)),
  sold('carcass_weight', 'decimal', 'kg', 'Carcass weight of all head', ({ lot }) =>
    rounded(lot.carcassKilograms, 2),
  ),
  sold('dressing_pct', 'decimal', '%', '100 × carcass_weight / live_weight', ({ lot }) =>
    rounded(dressingPercent(lot), 2),
  ),
  LOT.priceBasis,
  LOT.unitPrice,
  LOT.pricePerHead,
  LOT.pricePerKg,
  amountColumn('gross', 'Proceeds before deductions', (lot) => lot.gross),
  feeColumn('commission', "Agent's commission"),
  feeColumn('yardage', 'Yard fees'),
  feeColumn('levy', 'Levies'),
  feeColumn('freight', 'Freight'),
  amountColumn('other_deductions', 'Deductions of every other kind', (lot) => otherFees(lot, DEDUCTIONS)),
  LOT.tax,
  amountColumn('net', 'gross less all deductions', netOf),
  sold('net_per_head', 'decimal', 'currency/head', 'net / head', ({ lot }) =>
    money(over(netOf(lot), lot.head)),
  ),
  LOT.currency,
  sold(
    'whp_active_head',
    'integer',
    'head',
    'Head sold before the day on which they were clear for slaughter',
    ({ lot }) => lot.whp.head,
    total,
  ),
  sold(
    'whp_clear_date',
    'date',
    'day',
    'Day on which the last of them would have been clear',
    ({ lot }) => lot.whp.clearDate,
  ),
  sold(
    'esi_active_head',
    'integer',
    'head',
    'Head sold before the day on which they were clear for export slaughter',
    ({ lot }) => lot.esi.head,
    total,
  ),
  sold(
    'esi_clear_date',
    'date',
    'day',
    'Day on which the last of them would have been clear for export',
    ({ lot }) => lot.esi.clearDate,
  ),
];
