import { Decimal } from '../decimals.js';

/** Of volume in ml, of mass in mg: usual names and the UN/CEFACT codes of the standard. */
const MEASURES: readonly Readonly<Record<string, number>>[] = [
  { ML: 1, MLT: 1, L: 1000, LTR: 1000 },
  { MG: 1, MGM: 1, G: 1000, GRM: 1000, KG: 1_000_000, KGM: 1_000_000 },
];

/** A quantity in another unit, exact; undefined where the units say nothing of each other. */
export function inUnit(quantity: Decimal, unit: string, other: string): Decimal | undefined {
  const [from, to] = [unit.toUpperCase(), other.toUpperCase()];
  if (from === to) return quantity;
  const measure = MEASURES.find((units) => units[from] !== undefined && units[to] !== undefined);
  return measure && quantity.times(measure[from] ?? 1).div(new Decimal(measure[to] ?? 1));
}
