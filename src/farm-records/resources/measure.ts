import Big from 'big.js';
import type { Fields } from './fields.js';

const KILOGRAMS: Readonly<Record<string, string>> = { t: '1000', g: '0.001', lb: '0.45359237' };
const SPELLINGS: Readonly<Record<string, string>> = {
  KGM: 'kg',
  KG: 'kg',
  TNE: 't',
  T: 't',
  TONNE: 't',
  GRM: 'g',
  G: 'g',
  LBR: 'lb',
  LB: 'lb',
  BALE: 'bale',
  BALES: 'bale',
  BL: 'bale',
  BAG: 'bag',
  BAGS: 'bag',
  BG: 'bag',
};

/** `kg`, `t`, `g`, `lb`, or a unit that is no weight: `bale`, `bag`. */
export type FeedUnit = 'kg' | 't' | 'g' | 'lb' | 'bale' | 'bag';
export type MassUnit = 'kg' | 't' | 'g' | 'lb';

/** A unit by its usual or its UN/CEFACT name; notes an unknown one. */
export function feedUnit(fields: Fields, name: string): FeedUnit | undefined {
  const text = fields.text(name);
  if (text === undefined) return undefined;
  const unit = SPELLINGS[text.toUpperCase()] as FeedUnit | undefined;
  if (unit === undefined)
    fields.reject(name, `${name} must be kg, t, g, lb, bale or bag, or a UN/CEFACT code of these.`);
  return unit;
}

export function massUnit(fields: Fields, name: string): MassUnit | undefined {
  const unit = feedUnit(fields, name);
  if (unit !== 'bale' && unit !== 'bag') return unit;
  fields.reject(name, `${name} must be a unit of weight: kg, t, g or lb.`);
  return undefined;
}

/** Exact kilograms of a quantity; undefined for bales and bags. */
export function kilograms(quantity: string, unit: FeedUnit): string | undefined {
  if (unit === 'kg') return quantity;
  const factor = KILOGRAMS[unit];
  return factor === undefined ? undefined : new Big(quantity).times(factor).toFixed();
}
