import Big from 'big.js';
import type { Fields } from './fields.js';

/** Kilograms of one, exact. */
const KILOGRAMS = {
  kg: '1',
  t: '1000',
  g: '0.001',
  mg: '0.000001',
  ug: '0.000000001',
  lb: '0.45359237',
  oz: '0.028349523125',
} as const;
/** How units are written, the UN/CEFACT codes of the standard among them. */
const SPELLINGS: Readonly<Record<string, FeedUnit>> = {
  KGM: 'kg',
  KG: 'kg',
  TNE: 't',
  T: 't',
  TONNE: 't',
  GRM: 'g',
  G: 'g',
  MGM: 'mg',
  MG: 'mg',
  MC: 'ug',
  UG: 'ug',
  LBR: 'lb',
  LB: 'lb',
  PN: 'lb',
  ONZ: 'oz',
  OZ: 'oz',
  BALE: 'bale',
  BALES: 'bale',
  BL: 'bale',
  BAG: 'bag',
  BAGS: 'bag',
  BG: 'bag',
};

export type MassUnit = keyof typeof KILOGRAMS;
/** Of weight, or one that is none: `bale`, `bag`. */
export type FeedUnit = MassUnit | 'bale' | 'bag';

/** A unit by its usual or its UN/CEFACT name; notes an unknown one. */
export function feedUnit(fields: Fields, name: string): FeedUnit | undefined {
  const text = fields.text(name);
  if (text === undefined) return undefined;
  const unit = SPELLINGS[text.toUpperCase()];
  if (unit === undefined)
    fields.reject(name, `${name} must be kg, t, g, mg, lb, oz, bale or bag, or a UN/CEFACT code of these.`);
  return unit;
}

export function massUnit(fields: Fields, name: string): MassUnit | undefined {
  const unit = feedUnit(fields, name);
  if (unit !== 'bale' && unit !== 'bag') return unit;
  fields.reject(name, `${name} must be a unit of weight: kg, t, g, mg, lb or oz.`);
  return undefined;
}

/** Exact kilograms of a quantity; undefined for bales and bags. */
export function kilograms(quantity: string, unit: FeedUnit): string | undefined {
  if (unit === 'kg') return quantity;
  return unit === 'bale' || unit === 'bag' ? undefined : new Big(quantity).times(KILOGRAMS[unit]).toFixed();
}
