import type { Declaration, StockEvent } from '../statement.js';
import type { Fields } from './fields.js';
import { readSubject, type Whom } from './subject.js';
import { present } from './trade.js';
import { utc, type When } from './when.js';

/** Whole days of withholding; absent: not known. */
interface Withholding {
  readonly whpDays?: number;
  readonly esiDays?: number;
}

interface Dose {
  readonly quantity: string;
  readonly unit: string;
}

export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface Treatment extends Withholding {
  readonly courseId?: string;
  /** What the medicine is called by: its id first, its registration last. */
  readonly medicineIds: readonly string[];
  readonly product?: string;
  readonly registrationNo?: string;
  readonly procedure?: string;
  readonly reason?: string;
  readonly batches: readonly { readonly id?: string; readonly expiry?: When }[];
  readonly dosePerHead?: Dose;
  readonly totalUsed?: Dose;
  readonly site?: string;
  /** ICAR's own ends of withholding, used where no days are known. */
  readonly whpEnd?: When;
  readonly esiEnd?: When;
  readonly unitCost?: Money;
  readonly operator?: string;
  readonly note?: string;
}

export interface Medicine extends Withholding {
  readonly id: string;
  readonly name?: string;
  readonly registrationNo?: string;
}

const QUANTITY = { min: 0, max: 1_000_000_000 };
const PRODUCTS = ['Meat', 'Milk', 'Eggs', 'Honey', 'Velvet', 'Fibre', 'Other'] as const;
const DAYS = { min: 0, max: 3650 };
/** Characters. A cell of a spreadsheet holds three times as many. */
const NOTE = 10_000;

export const readTreatment =
  (whom: Whom) =>
  (event: Fields): StockEvent => {
    const ext = event.object('ext');
    const subject = readSubject(whom, event, ext);
    return { does: 'treat', subject, treatment: readDetails(event, ext, whom) };
  };

export function readMedicine(resource: Fields): Declaration {
  const registrationNo = resource.object('registeredID')?.id('id');
  const id = resource.id('id') ?? registrationNo ?? resource.object('meta')?.id('sourceId') ?? '';
  const ext = resource.object('ext');
  const said = { name: resource.text('name'), registrationNo, ...(ext && readDays(ext)) };
  return { declares: 'medicine', medicine: { id, ...present(said) } };
}

function readDetails(event: Fields, ext: Fields | undefined, whom: Whom): Treatment {
  const medicine = event.object('medicine');
  const registrationNo = medicine?.object('registeredIdentifier')?.id('id');
  const ends = readEnds(event);
  const said = {
    courseId: ext?.id('courseId'),
    product: medicine?.text('name'),
    registrationNo,
    procedure: event.text('procedure', 200),
    reason: ext?.text('reason', 200),
    dosePerHead: readDose(event, whom === 'animal' ? 'dose' : 'dosePerAnimal'),
    totalUsed: readDose(event, 'totalMedicineUsed'),
    site: event.text('site') ?? ext?.text('route'),
    whpEnd: ends.whp,
    esiEnd: ends.esi,
    unitCost: ext && readMoney(ext, 'unitCost'),
    operator: event.text('responsible'),
    note: event.text('comment', NOTE) ?? event.text('remark', NOTE),
    ...(ext && readDays(ext)),
  };
  const batches = event.list('batches', (batch) =>
    present({ id: batch.text('identifier'), expiry: batch.when('expiryDate') }),
  );
  return { ...present(said), medicineIds: medicine ? readMedicineIds(medicine) : [], batches };
}

function readMedicineIds(medicine: Fields): string[] {
  const said = [
    medicine.object('identifier')?.id('id'),
    ...medicine.list('identifiers', (identifier) => identifier.id('id')),
    medicine.id('@id'),
    medicine.object('registeredIdentifier')?.id('id'),
  ];
  return [...new Set(said.filter((id) => id !== undefined))];
}

/** Hours round up to whole days. */
function readDays(ext: Fields): Withholding {
  const days = (name: 'whp' | 'esi') => {
    const given = ext.decimal(`${name}Days`, DAYS);
    const hours = ext.decimal(`${name}Hours`, { min: 0, max: DAYS.max * 24 });
    if (given !== undefined) return Math.ceil(Number(given));
    return hours === undefined ? undefined : Math.ceil(Number(hours) / 24);
  };
  return present({ whpDays: days('whp'), esiDays: days('esi') });
}

/** Of several ends for meat, as for several markets, the latest holds. */
function readEnds(event: Fields): { whp?: When; esi?: When } {
  const ends: { whp?: When; esi?: When } = {};
  event.list('withdrawals', (withdrawal) => {
    const end = withdrawal.when('endDate');
    const product = withdrawal.oneOf('productType', PRODUCTS) ?? 'Meat';
    const interval = withdrawal.text('market', 200)?.toLowerCase().includes('esi') ? 'esi' : 'whp';
    if (!end || product !== 'Meat') return;
    const other = ends[interval];
    if (!other || utc(end) > utc(other)) ends[interval] = end;
  });
  return ends;
}

function readDose(event: Fields, name: string): Dose | undefined {
  const dose = event.object(name);
  const quantity = dose?.decimal('doseQuantity', QUANTITY);
  return quantity === undefined ? undefined : { quantity, unit: dose?.text('doseUnits') ?? '' };
}

export function readMoney(fields: Fields, name: string): Money | undefined {
  const money = fields.object(name);
  if (!money) return undefined;
  return { amount: money.needDecimal('amount', QUANTITY), currency: money.needCurrency('currency') };
}
