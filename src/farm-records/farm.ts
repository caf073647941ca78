export const ANIMAL_UNITS = ['dse', 'ae', 'lsu', 'au'] as const;
export const AREA_UNITS = ['ha', 'ac'] as const;

export type AnimalUnit = (typeof ANIMAL_UNITS)[number];
type AreaUnit = (typeof AREA_UNITS)[number];

/** What a farm says about itself (`PUT /v2/farms/{farmId}`). */
export interface Farm {
  readonly id: string;
  readonly name: string;
  /** IANA; every day of the farm is a day of this zone. */
  readonly timeZone: string;
  readonly animalUnit: AnimalUnit;
  readonly areaUnit: AreaUnit;
  /** ISO 4217. */
  readonly currency: string;
  /** MM-DD; where a year lacks that day, the day before it. */
  readonly financialYearStart: string;
  /** Farm currency per head born, by lower-case species, such as `{"sheep": "54"}`; the prescribed values where unsaid. */
  readonly naturalIncreaseValues: Readonly<Record<string, string>>;
}

/** The day, YYYY-MM-DD, of a calendar year on which a financial year begins. */
export function financialYearBegin(
  { financialYearStart }: Pick<Farm, 'financialYearStart'>,
  year: number,
): string {
  const [month = 1, day = 1] = financialYearStart.split('-').map(Number);
  return Temporal.PlainDate.from({ year, month, day }, { overflow: 'constrain' }).toString();
}

/** Prescribed by the Australian tax rules (Income Tax Assessment Regulations); what a farm does not say itself. */
export const PRESCRIBED_NATURAL_INCREASE: Readonly<Record<string, string>> = {
  cattle: '20',
  deer: '20',
  horse: '20',
  pig: '12',
  emu: '8',
  goat: '4',
  sheep: '4',
  poultry: '0.35',
};

/** Farm currency per head of natural increase; undefined when neither the farm nor the prescribed table has the species. */
export function naturalIncreaseValue(farm: Farm, species: string): string | undefined {
  const key = species.toLowerCase();
  return farm.naturalIncreaseValues[key] ?? PRESCRIBED_NATURAL_INCREASE[key];
}
