import type { Exit, MovementDetails, StockEvent, Subject } from '../statement.js';
import { type DeclaredAnimal, readAnimalDetail } from './animals.js';
import type { Fields } from './fields.js';
import { readSubject, type Whom } from './subject.js';
import { present, readTrade } from './trade.js';

const ARRIVALS = [
  'Purchase',
  'InternalTransfer',
  'Imported',
  'StudService',
  'StudServiceReturn',
  'Slaughter',
  'Agistment',
  'AgistmentReturn',
  'Show',
  'ShowReturn',
  'Sale',
  'SaleReturn',
  'Other',
] as const;
const DEPARTURES = [
  'InternalTransfer',
  'Export',
  'Slaughter',
  'Newborn',
  'StudService',
  'StudServiceReturn',
  'Agistment',
  'AgistmentReturn',
  'Show',
  'ShowReturn',
  'Sale',
  'SaleReturn',
  'Other',
] as const;
const DEPARTURE_REASONS = [
  'Age',
  'Superfluous',
  'Slaughter',
  'Sale',
  'Newborn',
  'LegOrClaw',
  'Nutrition',
  'Parturition',
  'Mastitis',
  'Fertility',
  'Health',
  'Production',
  'MilkingAbility',
  'BadType',
  'Behaviour',
  'Other',
  'Unknown',
] as const;
const DEATH_REASONS = [
  'Missing',
  'Parturition',
  'Disease',
  'Accident',
  'Consumption',
  'Culled',
  'Other',
  'Unknown',
  'Age',
  'Mastitis',
  'Production',
  'LegOrClaw',
  'MilkingAbility',
  'Nutrition',
  'Fertility',
] as const;
const DEATH_METHODS = ['Perished', 'Slaughter', 'Culled', 'Theft', 'Lost', 'Accident', 'Other'] as const;
const SALES: readonly string[] = ['Sale', 'Slaughter', 'Export'];
const ENTRY_OF_ARRIVAL: Readonly<Record<string, 'purchase' | 'sale'>> = {
  Purchase: 'purchase',
  Imported: 'purchase',
  SaleReturn: 'sale',
};

/** A birth; a registration of an animal of a mob is its tagging, which changes management and not head. */
export const readBirth =
  (whom: Whom) =>
  (event: Fields): StockEvent => {
    const ext = event.object('ext');
    const subject = readSubject(whom, event, ext, false);
    const registered = event.oneOf('registrationReason', ['Born', 'Registered']) === 'Registered';
    const details = readDetails(event, ext, 'origin', subject);
    if (registered && subject.mob !== undefined && subject.animals.length > 0)
      return { does: 'tag', subject, details };
    return { does: 'enter', as: 'birth', subject, details };
  };

export const readArrival =
  (whom: Whom) =>
  (event: Fields): StockEvent => {
    const ext = event.object('ext');
    const subject = readSubject(whom, event, ext, false);
    const reason = event.oneOf('arrivalReason', ARRIVALS);
    const details = readDetails(event, ext, 'origin', subject);
    return { does: 'enter', as: ENTRY_OF_ARRIVAL[reason ?? ''] ?? 'transfer_in', subject, details };
  };

export const readDeparture =
  (whom: Whom) =>
  (event: Fields): StockEvent => {
    const ext = event.object('ext');
    const subject = readSubject(whom, event, ext);
    const reason = event.oneOf('departureReason', DEPARTURE_REASONS);
    const kind = event.oneOf('departureKind', DEPARTURES) ?? reason ?? '';
    const details = readDetails(event, ext, 'destination', subject);
    return { does: 'leave', as: SALES.includes(kind) ? 'sale' : 'transfer_out', subject, details };
  };

export const readDeath =
  (whom: Whom) =>
  (event: Fields): StockEvent => {
    const ext = event.object('ext');
    const subject = readSubject(whom, event, ext);
    const details = readDetails(event, ext, 'destination', subject);
    return { does: 'leave', as: lossOf(event), subject, details };
  };

/** The standard writes the reason of a group's death `deathreason`. */
function lossOf(event: Fields): Exit {
  const reason = event.oneOf('deathReason', DEATH_REASONS) ?? event.oneOf('deathreason', DEATH_REASONS);
  const method = event.oneOf('deathMethod', DEATH_METHODS);
  if (reason === 'Consumption') return 'ration';
  return reason === 'Missing' || method === 'Lost' || method === 'Theft' ? 'missing' : 'death';
}

function readDetails(
  event: Fields,
  ext: Fields | undefined,
  end: 'origin' | 'destination',
  subject: Subject,
): MovementDetails {
  const inventory = event.object('inventoryClassification');
  return {
    trade: readTrade(event, ext, end),
    ...present({
      sex: inventory?.text('sex'),
      breed: inventory?.object('primaryBreed')?.id('id'),
      animal: animalOf(event, subject),
    }),
  };
}

function animalOf(event: Fields, { animals: [key] }: Subject): DeclaredAnimal | undefined {
  const detail = event.object('animalDetail');
  return detail && key !== undefined ? readAnimalDetail(detail, key) : undefined;
}
