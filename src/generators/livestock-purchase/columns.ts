import type { FarmRecords } from '../../farm-records/reader.js';
import { type Consignment, feeOf, type Lot, otherFees, pricedKilograms } from '../lot.js';
import { type Decimal, money, over, rounded, sum, trimmed } from '../decimals.js';
import { column, mobName, paddockName, type RowColumn } from '../row-columns.js';

/** A lot of a purchase consignment, as a row shows it. */
export interface BoughtLot {
  readonly records: FarmRecords;
  readonly consignment: Consignment;
  readonly lot: Lot;
}

export const COSTS = ['freight', 'commission', 'insurance'] as const;

/** Gross and all costs; tax stands apart. */
export function landedOf(lot: Lot): Decimal | undefined {
  return lot.gross?.plus(sum(lot.fees.values()));
}

const bought = column<BoughtLot>;
const total = { controlTotal: true };
const json = { jsonOnly: true };

export const COLUMNS: readonly RowColumn<BoughtLot>[] = [
  bought('date', 'date', 'day', 'Local day of the arrival', ({ consignment }) => consignment.day),
  bought(
    'reference',
    'text',
    'none',
    'Reference of the consignment',
    ({ consignment }) => consignment.reference,
  ),
  bought('vendor', 'text', 'none', 'Who sold', ({ consignment }) => consignment.counterparty),
  bought(
    'vendor_pic',
    'text',
    'none',
    'Property identification code of the vendor',
    ({ consignment }) => consignment.counterpartyPic,
  ),
  bought('agent', 'text', 'none', 'Agent', ({ consignment }) => consignment.agent),
  bought('nvd', 'text', 'none', 'Number of the vendor declaration', ({ consignment }) => consignment.nvd),
  bought('species', 'text', 'none', 'Species', ({ lot }) => lot.species),
  bought('breed', 'text', 'none', 'Breed', ({ lot }) => lot.breed),
  bought('sex', 'text', 'none', 'Sex', ({ lot }) => lot.sex),
  bought('age_class', 'text', 'none', 'Age class', ({ lot }) => lot.ageClass),
  bought('enterprise', 'text', 'none', 'Business line the stock belong to', ({ records, lot }) =>
    records.names.enterprise(lot.enterprise),
  ),
  bought('enterprise_id', 'text', 'none', 'Id of the enterprise', ({ lot }) => lot.enterprise, json),
  bought('mob', 'text', 'none', 'Mob they went into', ({ records, lot }) => mobName(records, lot.mob)),
  bought('mob_id', 'text', 'none', 'Id of the mob', ({ lot }) => lot.mob || null, json),
  bought(
    'management',
    'text',
    'none',
    'mob: counted by head; individual: by their own records',
    ({ lot }) => lot.management,
  ),
  bought('head', 'integer', 'head', 'Head that arrived', ({ lot }) => lot.head, total),
  bought(
    'head_invoiced',
    'integer',
    'head',
    'Head consigned, on the first row of the consignment',
    ({ consignment, lot }) => (consignment.lots[0] === lot ? consignment.headInvoiced : null),
  ),
  bought('avg_weight', 'decimal', 'kg/head', 'Weight a head', ({ lot }) =>
    rounded(over(pricedKilograms(lot), lot.head), 2),
  ),
  bought('total_weight', 'decimal', 'kg', 'Weight of all head', ({ lot }) =>
    rounded(pricedKilograms(lot), 2),
  ),
  bought('weight_type', 'text', 'none', 'live or carcass', ({ lot }) => lot.weightType),
  bought(
    'price_basis',
    'text',
    'none',
    'perHead, perKg or total; blank when several',
    ({ lot }) => lot.priceBasis,
  ),
  bought(
    'unit_price',
    'decimal',
    'currency',
    'Price as agreed, on its basis; blank when several',
    ({ lot }) => lot.unitPrice,
  ),
  bought('price_per_head', 'decimal', 'currency/head', 'gross / head', ({ lot }) =>
    money(over(lot.gross, lot.head)),
  ),
  bought('price_per_kg', 'decimal', 'currency/kg', 'gross / total_weight', ({ lot }) =>
    trimmed(over(lot.gross, pricedKilograms(lot)), 4),
  ),
  bought('gross', 'decimal', 'currency', 'Price of the stock alone', ({ lot }) => money(lot.gross), total),
  bought('freight', 'decimal', 'currency', 'Freight', ({ lot }) => money(feeOf(lot, 'freight')), total),
  bought(
    'commission',
    'decimal',
    'currency',
    "Agent's commission",
    ({ lot }) => money(feeOf(lot, 'commission')),
    total,
  ),
  bought('insurance', 'decimal', 'currency', 'Insurance', ({ lot }) => money(feeOf(lot, 'insurance')), total),
  bought(
    'other_costs',
    'decimal',
    'currency',
    'Fees of every other kind',
    ({ lot }) => money(otherFees(lot, COSTS)),
    total,
  ),
  bought(
    'tax',
    'decimal',
    'currency',
    'Tax, outside gross and landed_total',
    ({ lot }) => money(lot.tax),
    total,
  ),
  bought(
    'landed_total',
    'decimal',
    'currency',
    'gross and all costs',
    ({ lot }) => money(landedOf(lot)),
    total,
  ),
  bought('landed_per_head', 'decimal', 'currency/head', 'landed_total / head', ({ lot }) =>
    money(over(landedOf(lot), lot.head)),
  ),
  bought(
    'currency',
    'text',
    'none',
    'ISO 4217 code of every amount of the row',
    ({ consignment }) => consignment.currency,
  ),
  bought('destination_paddock', 'text', 'none', 'Paddock they went to', ({ records, lot }) =>
    paddockName(records, lot.paddock),
  ),
  bought(
    'destination_paddock_id',
    'text',
    'none',
    'Id of the paddock',
    ({ lot }) => lot.paddock || null,
    json,
  ),
];
