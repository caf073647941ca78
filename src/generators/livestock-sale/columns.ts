import type { FarmRecords } from '../../farm-records/reader.js';
import { type Consignment, feeOf, type Lot, otherFees, pricedKilograms } from '../lot.js';
import { type Decimal, money, over, rounded, sum, trimmed } from '../decimals.js';
import { column, mobName, paddockName, type RowColumn } from '../row-columns.js';

/** A lot of a sale consignment, as a row shows it. */
export interface SoldLot {
  readonly records: FarmRecords;
  readonly consignment: Consignment;
  readonly lot: Lot;
}

export const DEDUCTIONS = ['commission', 'yardage', 'levy', 'freight'] as const;

/** Gross less all deductions; tax stands apart. */
export function netOf(lot: Lot): Decimal | undefined {
  return lot.gross?.minus(sum(lot.fees.values()));
}

function dressingPercent({ liveKilograms, carcassKilograms }: Lot): Decimal | undefined {
  return over(carcassKilograms?.times(100), liveKilograms);
}

const sold = column<SoldLot>;
const total = { controlTotal: true };
const json = { jsonOnly: true };

export const COLUMNS: readonly RowColumn<SoldLot>[] = [
  sold(
    'date',
    'date',
    'day',
    'Local day of the departure, or of the return',
    ({ consignment }) => consignment.day,
  ),
  sold(
    'reference',
    'text',
    'none',
    'Reference of the consignment',
    ({ consignment }) => consignment.reference,
  ),
  sold(
    'sale_type',
    'text',
    'none',
    'Saleyard, over the hooks, private …',
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
  sold('agent', 'text', 'none', 'Selling agent', ({ consignment }) => consignment.agent),
  sold('nvd', 'text', 'none', 'Number of the vendor declaration', ({ consignment }) => consignment.nvd),
  sold('species', 'text', 'none', 'Species', ({ lot }) => lot.species),
  sold('breed', 'text', 'none', 'Breed', ({ lot }) => lot.breed),
  sold('sex', 'text', 'none', 'Sex', ({ lot }) => lot.sex),
  sold('age_class', 'text', 'none', 'Age class', ({ lot }) => lot.ageClass),
  sold('enterprise', 'text', 'none', 'Business line the stock belonged to', ({ records, lot }) =>
    records.names.enterprise(lot.enterprise),
  ),
  sold('enterprise_id', 'text', 'none', 'Id of the enterprise', ({ lot }) => lot.enterprise, json),
  sold('mob', 'text', 'none', 'Mob they were drawn from', ({ records, lot }) => mobName(records, lot.mob)),
  sold('mob_id', 'text', 'none', 'Id of the mob', ({ lot }) => lot.mob || null, json),
  sold(
    'management',
    'text',
    'none',
    'mob: counted by head; individual: by their own records',
    ({ lot }) => lot.management,
  ),
  sold('source_paddock', 'text', 'none', 'Paddock they left', ({ records, lot }) =>
    paddockName(records, lot.paddock),
  ),
  sold('source_paddock_id', 'text', 'none', 'Id of the paddock', ({ lot }) => lot.paddock || null, json),
  sold(
    'head',
    'integer',
    'head',
    'Head sold; negative for stock that came back',
    ({ lot }) => lot.head,
    total,
  ),
  sold(
    'head_invoiced',
    'integer',
    'head',
    'Head consigned, on the first row of the consignment',
    ({ consignment, lot }) => (consignment.lots[0] === lot ? consignment.headInvoiced : null),
  ),
  sold('avg_weight', 'decimal', 'kg/head', 'Weight a head that was priced', ({ lot }) =>
    rounded(over(pricedKilograms(lot), lot.head), 2),
  ),
  sold('total_weight', 'decimal', 'kg', 'Weight of all head that was priced', ({ lot }) =>
    rounded(pricedKilograms(lot), 2),
  ),
  sold('weight_type', 'text', 'none', 'live or carcass', ({ lot }) => lot.weightType),
  sold('live_weight', 'decimal', 'kg', 'Live weight of all head', ({ lot }) => rounded(lot.liveKilograms, 2)),
  sold('carcass_weight', 'decimal', 'kg', 'Carcass weight of all head', ({ lot }) =>
    rounded(lot.carcassKilograms, 2),
  ),
  sold('dressing_pct', 'decimal', '%', 'Carcass weight as a share of live weight', ({ lot }) =>
    rounded(dressingPercent(lot), 2),
  ),
  sold(
    'price_basis',
    'text',
    'none',
    'perHead, perKg or total; blank when several',
    ({ lot }) => lot.priceBasis,
  ),
  sold(
    'unit_price',
    'decimal',
    'currency',
    'Price as agreed, on its basis; blank when several',
    ({ lot }) => lot.unitPrice,
  ),
  sold('price_per_head', 'decimal', 'currency/head', 'gross / head', ({ lot }) =>
    money(over(lot.gross, lot.head)),
  ),
  sold('price_per_kg', 'decimal', 'currency/kg', 'gross / total_weight', ({ lot }) =>
    trimmed(over(lot.gross, pricedKilograms(lot)), 4),
  ),
  sold('gross', 'decimal', 'currency', 'Proceeds before deductions', ({ lot }) => money(lot.gross), total),
  sold(
    'commission',
    'decimal',
    'currency',
    "Agent's commission",
    ({ lot }) => money(feeOf(lot, 'commission')),
    total,
  ),
  sold('yardage', 'decimal', 'currency', 'Yard fees', ({ lot }) => money(feeOf(lot, 'yardage')), total),
  sold('levy', 'decimal', 'currency', 'Levies', ({ lot }) => money(feeOf(lot, 'levy')), total),
  sold('freight', 'decimal', 'currency', 'Freight', ({ lot }) => money(feeOf(lot, 'freight')), total),
  sold(
    'other_deductions',
    'decimal',
    'currency',
    'Fees of every other kind',
    ({ lot }) => money(otherFees(lot, DEDUCTIONS)),
    total,
  ),
  sold('tax', 'decimal', 'currency', 'Tax, outside gross and net', ({ lot }) => money(lot.tax), total),
  sold('net', 'decimal', 'currency', 'gross less all deductions', ({ lot }) => money(netOf(lot)), total),
  sold('net_per_head', 'decimal', 'currency/head', 'net / head', ({ lot }) =>
    money(over(netOf(lot), lot.head)),
  ),
  sold(
    'currency',
    'text',
    'none',
    'ISO 4217 code of every amount of the row',
    ({ consignment }) => consignment.currency,
  ),
  sold(
    'whp_active_head',
    'integer',
    'head',
    'Head sold inside a withholding period',
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
    'Head sold inside an export slaughter interval',
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
