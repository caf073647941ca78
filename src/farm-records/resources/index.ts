export type { AnimalSet, DeclaredAnimal } from './animals.js';
export { READERS } from './catalogue.js';
export { parseExactly, parseLeniently, UnreadableJson } from './exact-json.js';
export {
  type Fed,
  type Feed,
  type Feeding,
  type FeedSale,
  LONGEST_FEEDING_DAYS,
  type UnitCost,
} from './feeds.js';
export { type FieldProblem, Fields, isObject } from './fields.js';
export type { Paddock } from './land.js';
export { type FeedUnit, kilograms, type MassUnit } from './measure.js';
export type { Named } from './mobs.js';
export type { AnimalUnitRating } from './ratings.js';
export { feesOf, grossOf, present, type PriceBasis, type Trade, type Weight } from './trade.js';
export type { Dose, Medicine, Money, Treatment, Withholding } from './treatments.js';
export { utc, type When } from './when.js';
