import { type FarmRecords, type HeadLine, tagOf, type TreatmentAct } from '../../farm-records/reader.js';
import { type Decimal, money, trimmed } from '../decimals.js';
import { column, mobName, paddockName, type RowColumn } from '../row-columns.js';
import type { Interval } from './withholding.js';

/** Part of a treatment: of one mob, paddock and class, or of one animal. */
export interface TreatedStock {
  readonly records: FarmRecords;
  readonly act: TreatmentAct;
  /** Where the stock stood; for a mob the first of its lines. */
  readonly line: HeadLine;
  readonly head: number;
  readonly totalUsed: Decimal | undefined;
  readonly cost: Decimal | undefined;
  readonly whp: Interval;
  readonly esi: Interval;
  /** The earliest expiry of the batches used. */
  readonly batchExpiry: string | null;
}

export function productOf({ what, medicine }: TreatmentAct): string | null {
  return what.product ?? medicine?.name ?? what.medicineIds[0] ?? null;
}

/** The unit of a row's quantities: the dose's, or the total's where no dose is known. */
export function doseUnitOf({ what: { dosePerHead, totalUsed } }: TreatmentAct): string | null {
  return (dosePerHead?.unit || totalUsed?.unit) ?? null;
}

const treated = column<TreatedStock>;
const json = { jsonOnly: true };
const total = { controlTotal: true };

export const COLUMNS: readonly RowColumn<TreatedStock>[] = [
  treated('date', 'date', 'day', 'Local day', ({ act }) => act.record.day),
  treated(
    'time',
    'time',
    'local time',
    'Local time; blank when only the day is known',
    ({ act }) => act.record.time,
  ),
  treated(
    'course',
    'text',
    'none',
    'Course the treatment belongs to',
    ({ act }) => act.what.courseId ?? null,
  ),
  treated('mob', 'text', 'none', 'Mob', ({ records, line }) => mobName(records, line.mob)),
  treated('mob_id', 'text', 'none', 'Id of the mob', ({ line }) => line.mob || null, json),
  treated('tag', 'text', 'none', 'Tag of an individually managed animal', ({ line }) =>
    line.animal === '' ? null : tagOf(line.animal),
  ),
  treated(
    'animal_id',
    'text',
    'none',
    'Scheme and id of the animal',
    ({ line }) => line.animal || null,
    json,
  ),
  treated(
    'management',
    'text',
    'none',
    'mob: counted by head; individual: by their own records',
    ({ line }) => (line.managed ? 'individual' : 'mob'),
  ),
  treated('paddock', 'text', 'none', 'Paddock they stood in', ({ records, line }) =>
    paddockName(records, line.paddock),
  ),
  treated('paddock_id', 'text', 'none', 'Id of the paddock', ({ line }) => line.paddock || null, json),
  treated('species', 'text', 'none', 'Species', ({ line }) => line.species),
  treated('age_class', 'text', 'none', 'Age class', ({ line }) => line.ageClass),
  treated('enterprise', 'text', 'none', 'Business line the stock belong to', ({ records, line }) =>
    records.names.enterprise(line.enterprise),
  ),
  treated('enterprise_id', 'text', 'none', 'Id of the enterprise', ({ line }) => line.enterprise, json),
  treated('head_treated', 'integer', 'head', 'Head treated', ({ head }) => head, total),
  treated('product', 'text', 'none', 'Product', ({ act }) => productOf(act)),
  treated(
    'registration_no',
    'text',
    'none',
    'Registration of the product',
    ({ act }) => act.what.registrationNo ?? act.medicine?.registrationNo ?? null,
  ),
  treated('procedure', 'text', 'none', 'Procedure', ({ act }) => act.what.procedure ?? null),
  treated('reason', 'text', 'none', 'Reason', ({ act }) => act.what.reason ?? null),
  treated(
    'batch',
    'text',
    'none',
    'Batches used',
    ({ act }) =>
      act.what.batches
        .map(({ id }) => id)
        .filter((id) => id !== undefined)
        .join('; ') || null,
  ),
  treated(
    'batch_expiry',
    'date',
    'day',
    'The earliest expiry of these batches',
    ({ batchExpiry }) => batchExpiry,
  ),
  treated(
    'dose_per_head',
    'decimal',
    'dose_unit',
    'Dose a head',
    ({ act }) => act.what.dosePerHead?.quantity ?? null,
  ),
  treated('dose_unit', 'text', 'none', 'Unit of the dose and of the total used', ({ act }) =>
    doseUnitOf(act),
  ),
  treated(
    'total_used',
    'decimal',
    'dose_unit',
    'Used in all, in dose_unit: as recorded, by head share, else dose times head',
    ({ totalUsed }) => trimmed(totalUsed, 6),
  ),
  treated('route', 'text', 'none', 'Route or site', ({ act }) => act.what.site ?? null),
  treated('whp_days', 'integer', 'days', 'Withholding period', ({ whp }) => whp.days),
  treated(
    'whp_clear_date',
    'date',
    'day',
    'Clear for slaughter: the last administration of the course and the withholding period',
    ({ whp }) => whp.clearDate,
  ),
  treated('esi_days', 'integer', 'days', 'Export slaughter interval', ({ esi }) => esi.days),
  treated('esi_clear_date', 'date', 'day', 'Clear for export slaughter', ({ esi }) => esi.clearDate),
  treated(
    'cost',
    'decimal',
    'currency',
    'Unit cost times the total used, or times head where no quantity is known',
    ({ cost }) => money(cost),
  ),
  treated(
    'currency',
    'text',
    'none',
    'ISO 4217 code of the cost',
    ({ act, cost }) => (cost && act.what.unitCost?.currency) ?? null,
  ),
  treated('operator', 'text', 'none', 'Who treated', ({ act }) => act.what.operator ?? null),
  treated('note', 'text', 'none', 'Note', ({ act }) => act.what.note ?? null),
];
