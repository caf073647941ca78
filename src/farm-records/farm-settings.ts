import { FarmCalendar } from './calendar.js';
import { ANIMAL_UNITS, AREA_UNITS, type Farm } from './farm.js';
import { type FieldProblem, Fields, isObject, speciesNamed } from './resources/index.js';

const DEFAULTS: Omit<Farm, 'id' | 'name' | 'timeZone'> = {
  animalUnit: 'ae',
  areaUnit: 'ha',
  currency: 'AUD',
  financialYearStart: '07-01',
  naturalIncreaseValues: {},
};

export class InvalidFarm extends Error {
  constructor(readonly problems: readonly FieldProblem[]) {
    super(problems.map(({ detail }) => detail).join(' '));
  }
}

/**
 * The farm that a body of `PUT /v2/farms/{farmId}` describes. `name` and `timeZone` are always needed; what else is left out stays as it
 * is (`before`), or is the default for a new farm. Throws InvalidFarm naming every bad field.
 */
export function readFarm(id: string, body: unknown, before: Farm | undefined): Farm {
  if (!isObject(body)) throw new InvalidFarm([{ pointer: '', detail: 'The body must be a JSON object.' }]);
  const problems: FieldProblem[] = [];
  const fields = new Fields(body, '', problems);
  const unsaid = before ?? DEFAULTS;
  if (!isStorableName(id))
    problems.push({ pointer: '', detail: 'A farm id has 1 to 100 characters and no control characters.' });
  const farm: Farm = {
    id,
    name: fields.needText('name'),
    timeZone: readTimeZone(fields),
    animalUnit: fields.oneOf('animalUnit', ANIMAL_UNITS) ?? unsaid.animalUnit,
    areaUnit: fields.oneOf('areaUnit', AREA_UNITS) ?? unsaid.areaUnit,
    currency: fields.currency('currency') ?? unsaid.currency,
    financialYearStart: readMonthDay(fields, 'financialYearStart') ?? unsaid.financialYearStart,
    naturalIncreaseValues: readValues(fields) ?? unsaid.naturalIncreaseValues,
  };
  if (problems.length > 0) throw new InvalidFarm(problems);
  return farm;
}

function isStorableName(name: string): boolean {
  return name.length >= 1 && name.length <= 100 && name.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(name);
}

/** An offset such as +10:00 is no zone: it knows no summer time. */
function readTimeZone(fields: Fields): string {
  const zone = fields.needText('timeZone');
  if (zone === '') return zone;
  try {
    if (!/^[+-]/.test(zone)) return new FarmCalendar(zone).timeZone;
  } catch {
    // A RangeError, for the same reason:
  }
  fields.reject('timeZone', 'timeZone must be a time zone of the IANA database, such as Australia/Sydney.');
  return zone;
}

function readMonthDay(fields: Fields, name: string): string | undefined {
  const text = fields.text(name);
  if (text === undefined) return undefined;
  const date = /^\d\d-\d\d$/.test(text) ? new Date(`2024-${text}T00:00:00Z`) : undefined;
  if (date && !Number.isNaN(date.getTime()) && date.toISOString().slice(5, 10) === text) return text;
  fields.reject(name, `${name} must be a day of the year, MM-DD, such as 07-01.`);
}

function readValues(fields: Fields): Record<string, string> | undefined {
  const values = fields.object('naturalIncreaseValues');
  if (!values) return undefined;
  for (const species of values.names())
    if (!isStorableName(species))
      values.reject('', 'A species has 1 to 100 characters and no control characters.');
  const read = values
    .names()
    .map(
      (species) =>
        [
          speciesNamed(species)?.toLowerCase() ?? '',
          values.decimal(species, { min: 0, max: 1_000_000 }),
        ] as const,
    );
  return Object.fromEntries(
    read.flatMap(([species, value]) => (value === undefined ? [] : [[species, value]])),
  );
}
