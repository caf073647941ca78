import type { Diary } from './diary.js';
import { groupOf } from './head-changes.js';
import type { Kind } from './kinds.js';

export interface Medicine {
  readonly id: string;
  readonly name: string;
  /** Number under which the authority has it. */
  readonly registration: string;
  readonly whpDays: number;
  /** Absent: none is set, so the stock are not for export. */
  readonly esiDays?: number;
  readonly doseUnits: 'MLT' | 'GRM';
  /** Dollars per dose unit. */
  readonly unitCost: string;
  readonly site: string;
}

export const SIX_IN_ONE: Medicine = {
  id: 'clostrivac-6',
  name: 'Clostrivac 6-in-1 vaccine',
  registration: '59102',
  whpDays: 0,
  esiDays: 0,
  doseUnits: 'MLT',
  unitCost: '0.31',
  site: 'Subcutaneous',
};
export const LAMB_DRENCH: Medicine = {
  id: 'ovidrench-triple',
  name: 'Ovidrench Triple oral',
  registration: '63877',
  whpDays: 14,
  esiDays: 28,
  doseUnits: 'MLT',
  unitCost: '0.085',
  site: 'Oral',
};
export const FLY_SPRAY: Medicine = {
  id: 'fleeceguard',
  name: 'Fleeceguard dicyclanil spray-on',
  registration: '54310',
  whpDays: 7,
  esiDays: 21,
  doseUnits: 'MLT',
  unitCost: '0.062',
  site: 'Topical',
};
export const CATTLE_POUR_ON: Medicine = {
  id: 'taurapour',
  name: 'Taurapour pour-on',
  registration: '66245',
  whpDays: 14,
  esiDays: 42,
  doseUnits: 'MLT',
  unitCost: '0.11',
  site: 'Topical',
};
export const ANTIBIOTIC: Medicine = {
  id: 'oxycline-la',
  name: 'Oxycline LA 200',
  registration: '40871',
  whpDays: 42,
  doseUnits: 'MLT',
  unitCost: '0.48',
  site: 'Intramuscular',
};

const CABINET = [SIX_IN_ONE, LAMB_DRENCH, FLY_SPRAY, CATTLE_POUR_ON, ANTIBIOTIC];

export function declareMedicines(diary: Diary): void {
  for (const { id, name, registration, whpDays, esiDays } of CABINET)
    diary.declare('icarMedicineResource', id, {
      name,
      approved: 'APVMA',
      registeredID: { scheme: 'au.apvma', id: registration },
      ext: { whpDays, ...(esiDays !== undefined && { esiDays }) },
    });
}

interface Batch {
  readonly identifier: string;
  readonly expiryDate: string;
}

export interface Dosing {
  readonly medicine: Medicine;
  readonly dose: number;
  readonly batch: Batch;
  readonly procedure: string;
  readonly reason: string;
  readonly note?: string;
}

/** All of a kind in a mob get the same. */
export function treatMob(diary: Diary, mob: string, kind: Kind, dosing: Dosing): void {
  const head = diary.book.head(mob, kind);
  const { medicine, dose } = dosing;
  if (head === 0) return;
  diary.event('icarGroupTreatmentEventResource', `treatment-${medicine.id}-${mob}`, {
    ...groupOf(diary, { mob, kind, head }, costAndReason(dosing)),
    ...given(dosing),
    dosePerAnimal: { doseQuantity: dose, doseUnits: medicine.doseUnits },
    totalMedicineUsed: { doseQuantity: head * dose, doseUnits: medicine.doseUnits },
  });
}

/** One animal gets something, perhaps as a dose of a course. */
export function treatAnimal(diary: Diary, tag: string, dosing: Dosing, courseId?: string): void {
  const { medicine, dose } = dosing;
  diary.event('icarTreatmentEventResource', `treatment-${medicine.id}-${tag}`, {
    animal: animalOf(tag),
    ...given(dosing),
    dose: { doseQuantity: dose, doseUnits: medicine.doseUnits },
    ext: { ...costAndReason(dosing), ...(courseId && { courseId }) },
  });
}

export function animalOf(tag: string): { scheme: string; id: string } {
  return { scheme: 'au.nlis', id: tag };
}

function given({ medicine, batch, procedure, note }: Dosing): object {
  return {
    responsible: 'Jo Hartigan',
    procedure,
    medicine: {
      identifier: { scheme: 'product', id: medicine.id },
      family: 'Veterinary Supplies',
      name: medicine.name,
      registeredIdentifier: { scheme: 'au.apvma', id: medicine.registration },
    },
    batches: [batch],
    site: medicine.site,
    ...(note && { remark: note }),
  };
}

function costAndReason({ medicine, reason }: Dosing): object {
  return { reason, unitCost: { amount: medicine.unitCost, currency: 'AUD' } };
}
