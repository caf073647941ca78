import type { Diary } from './diary.js';

interface PaddockVersion {
  readonly id: string;
  readonly name: string;
  readonly total: string;
  readonly grazable: string;
  readonly landUse?: string;
  readonly from?: string;
}

const PADDOCKS: readonly PaddockVersion[] = [
  { id: 'river-flat', name: 'River Flat', total: '64.5', grazable: '58' },
  { id: 'creek', name: 'Creek', total: '92', grazable: '88.5' },
  // Trees were planted along the water and fenced off.
  { id: 'creek', name: 'Creek', total: '92', grazable: '71.2', from: '2025-10-01' },
  { id: 'woolshed', name: 'Woolshed', total: '75.8', grazable: '74' },
  { id: 'top-ridge', name: 'Top Ridge', total: '168', grazable: '121.5' },
  { id: 'middle', name: 'Middle', total: '96.4', grazable: '95' },
  { id: 'shelter', name: 'Shelter', total: '48', grazable: '44.6' },
  { id: 'stony', name: 'Stony', total: '134', grazable: '102' },
  { id: 'lucerne', name: 'Back Lucerne', total: '41.5', grazable: '41.5' },
  { id: 'horse', name: 'Horse', total: '12.2', grazable: '11.4' },
  { id: 'boundary', name: 'Boundary', total: '118.6', grazable: '109' },
  { id: 'wheat', name: 'Wheat', total: '112', grazable: '110', landUse: 'Cropping' },
  // A bare pen: stock are kept in it so that the paddocks rest.
  { id: 'pens', name: 'Containment pens', total: '1.6', grazable: '0', landUse: 'Feeding pen' },
];

const ENTERPRISES = [
  ['merino', 'Self-replacing Merino', 'Sheep'],
  ['prime-lamb', 'Prime lamb', 'Sheep'],
  ['beef', 'Beef breeding', 'Cattle'],
  ['steers', 'Trading steers', 'Cattle'],
] as const;

const MOBS = [
  ['merino-ewes', 'Merino ewes', 'Sheep'],
  ['merino-hoggets', 'Merino hoggets', 'Sheep'],
  ['merino-weaners', 'Merino weaners', 'Sheep'],
  ['wethers', 'Wethers', 'Sheep'],
  ['rams', 'Rams and teasers', 'Sheep'],
  ['lamb-ewes', 'Prime lamb ewes', 'Sheep'],
  ['prime-lambs', 'Prime lambs', 'Sheep'],
  ['cows', 'Cows', 'Cattle'],
  ['stud-cows', 'Stud cows', 'Cattle'],
  ['stud-weaners', 'Stud weaners', 'Cattle'],
  ['heifers', 'Heifers', 'Cattle'],
  ['weaners', 'Weaner calves', 'Cattle'],
  ['bulls', 'Bulls', 'Cattle'],
  ['steers', 'Steers', 'Cattle'],
  ['bought-steers', 'Bought steers, in quarantine', 'Cattle'],
] as const;

/** DSE a head, by what is rated; a mob's beats its class's. */
const RATINGS: readonly { scope: object; value: string; from: string }[] = [
  { scope: { species: 'Sheep', ageClass: 'ewe' }, value: '1.5', from: '2024-07-01' },
  { scope: { species: 'Sheep', ageClass: 'ewe_hogget' }, value: '1.1', from: '2024-07-01' },
  { scope: { species: 'Sheep', ageClass: 'wether' }, value: '1.0', from: '2024-07-01' },
  { scope: { species: 'Sheep', ageClass: 'lamb' }, value: '0.6', from: '2024-07-01' },
  { scope: { species: 'Sheep', ageClass: 'ram' }, value: '1.8', from: '2024-07-01' },
  { scope: { species: 'Cattle', ageClass: 'cow' }, value: '9', from: '2024-07-01' },
  // Weighed again: the cows have grown.
  { scope: { species: 'Cattle', ageClass: 'cow' }, value: '10.5', from: '2025-09-01' },
  { scope: { species: 'Cattle', ageClass: 'heifer' }, value: '8', from: '2024-07-01' },
  { scope: { species: 'Cattle', ageClass: 'calf' }, value: '4.5', from: '2024-07-01' },
  { scope: { species: 'Cattle', ageClass: 'bull' }, value: '12', from: '2024-07-01' },
  { scope: { species: 'Cattle', ageClass: 'steer' }, value: '8.5', from: '2024-07-01' },
  // Ewes in milk eat more; after weaning they count as before.
  { scope: { species: 'Sheep', ageClass: 'ewe' }, value: '1.9', from: '2024-08-15' },
  { scope: { species: 'Sheep', ageClass: 'ewe' }, value: '1.5', from: '2024-12-06' },
  { scope: { species: 'Sheep', ageClass: 'ewe' }, value: '1.9', from: '2025-08-15' },
  { scope: { species: 'Sheep', ageClass: 'ewe' }, value: '1.5', from: '2025-12-06' },
  { scope: { mobId: 'merino-hoggets' }, value: '1.2', from: '2025-08-01' },
];

export function declareCountry(diary: Diary): void {
  for (const { id, name, total, grazable, landUse = 'Grazing', from } of PADDOCKS)
    diary.declare('Paddock', from ? `${id}-${from}` : id, {
      id,
      name,
      landUse,
      totalArea: total,
      grazableArea: grazable,
      ...(from && { validFrom: from }),
    });
  for (const [id, name, species] of ENTERPRISES) diary.declare('Enterprise', id, { name, species });
  for (const [id, name, species] of MOBS) diary.declare('Mob', id, { name, species });
  for (const { scope, value, from } of RATINGS)
    diary.declare('AnimalUnitRating', `${Object.values(scope).join('-').toLowerCase()}-${from}`, {
      scope,
      unit: 'dse',
      value,
      validFrom: from,
    });
}
