import { money, over, rounded, trimmed } from './decimals.js';
import { type ConsignedLot, feeOf, type Lot, pricedKilograms } from './lot.js';
import { column, mobName, paddockName, type RowColumn } from './row-columns.js';

const of = column<ConsignedLot>;
const total = { controlTotal: true };
const json = { jsonOnly: true };

/** Columns that purchases and sales have alike. */
export const LOT = {
  reference: text('reference', 'Reference of the consignment', ({ consignment }) => consignment.reference),
  agent: text('agent', 'Agent', ({ consignment }) => consignment.agent),
  nvd: text('nvd', 'Number of the vendor declaration', ({ consignment }) => consignment.nvd),
  species: text('species', 'Species', ({ lot }) => lot.species),
  breed: text('breed', 'Breed', ({ lot }) => lot.breed),
  sex: text('sex', 'Sex', ({ lot }) => lot.sex),
  ageClass: text('age_class', 'Age class', ({ lot }) => lot.ageClass),
  enterpriseId: of(
    'enterprise_id',
    'text',
    'none',
    'Id of the enterprise',
    ({ lot }) => lot.enterprise,
    json,
  ),
  mobId: of('mob_id', 'text', 'none', 'Id of the mob', ({ lot }) => lot.mob || null, json),
  management: text(
    'management',
    'mob: counted by head; individual: by their own records',
    ({ lot }) => lot.management,
  ),
  headInvoiced: of(
    'head_invoiced',
    'integer',
    'head',
    'Head consigned, on the first row of the consignment',
    ({ consignment, lot }) => (consignment.lots[0] === lot ? consignment.headInvoiced : null),
  ),
  avgWeight: of('avg_weight', 'decimal', 'kg/head', 'total_weight / head', ({ lot }) =>
    rounded(over(pricedKilograms(lot), lot.head), 2),
  ),
  totalWeight: of(
    'total_weight',
    'decimal',
    'kg',
    'Weight of all head, live or carcass as weight_type says; blank unless every head was weighed',
    ({ lot }) => rounded(pricedKilograms(lot), 2),
  ),
  weightType: text('weight_type', 'live or carcass: the weight that was priced', ({ lot }) => lot.weightType),
  priceBasis: text('price_basis', 'perHead, perKg or total; blank when several', ({ lot }) => lot.priceBasis),
  unitPrice: of(
    'unit_price',
    'decimal',
    'currency/price basis',
    'Price as agreed, on its basis; blank when several',
    ({ lot }) => lot.unitPrice,
  ),
  pricePerHead: of('price_per_head', 'decimal', 'currency/head', 'gross / head', ({ lot }) =>
    money(over(lot.gross, lot.head)),
  ),
  pricePerKg: of('price_per_kg', 'decimal', 'currency/kg', 'gross / total_weight', ({ lot }) =>
    trimmed(over(lot.gross, pricedKilograms(lot)), 4),
  ),
  tax: of(
    'tax',
    'decimal',
    'currency',
    'Tax, shown apart: in no other amount',
    ({ lot }) => money(lot.tax),
    total,
  ),
  currency: text(
    'currency',
    'ISO 4217 code of every amount of the row',
    ({ consignment }) => consignment.currency,
  ),
} as const;

/** Fees of one kind: the lot's share by head of what the consignment was charged. */
export function feeColumn(kind: string, description: string): RowColumn<ConsignedLot> {
  return of(kind, 'decimal', 'currency', description, ({ lot }) => money(feeOf(lot, kind)), total);
}

export function headColumn(description: string): RowColumn<ConsignedLot> {
  return of('head', 'integer', 'head', description, ({ lot }) => lot.head, total);
}

export function enterpriseColumn(description: string): RowColumn<ConsignedLot> {
  return text('enterprise', description, ({ records, lot }) => records.names.enterprise(lot.enterprise));
}

export function mobColumn(description: string): RowColumn<ConsignedLot> {
  return text('mob', description, ({ records, lot }) => mobName(records, lot.mob));
}

/** A paddock's name and id. */
export function paddockColumns(name: string, description: string): RowColumn<ConsignedLot>[] {
  return [
    text(name, description, ({ records, lot }) => paddockName(records, lot.paddock)),
    of(`${name}_id`, 'text', 'none', 'Id of the paddock', ({ lot }) => lot.paddock || null, json),
  ];
}

export function amountColumn(
  name: string,
  description: string,
  amount: (lot: Lot) => Parameters<typeof money>[0],
): RowColumn<ConsignedLot> {
  return of(name, 'decimal', 'currency', description, ({ lot }) => money(amount(lot)), total);
}

function text(
  name: string,
  description: string,
  cell: (of: ConsignedLot) => string | null,
): RowColumn<ConsignedLot> {
  return of(name, 'text', 'none', description, cell);
}
