import Big from 'big.js';

/** To which places a quotient is carried. */
const CARRIED = 40;

/** Exact decimals for generators: quotients are carried to 40 places, rounding is half-up and at output only. */
export const Decimal = Big();
Decimal.DP = CARRIED;
Decimal.RM = Big.roundHalfUp;

export type Decimal = Big;

export const ZERO = new Decimal(0);

/** With `places` places, half-up; null for what is not known. */
export function rounded(value: Decimal | undefined, places: number): string | null {
  if (value === undefined) return null;
  const text = value.toFixed(places, Big.roundHalfUp);
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
}

/** Money of any currency: 2 places. */
export function money(value: Decimal | undefined): string | null {
  return rounded(value, 2);
}

/** Without trailing zeros, with at most `places` places. */
export function trimmed(value: Decimal | undefined, places: number): string | null {
  const text = rounded(value, places);
  return text?.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

export function sum(values: Iterable<Decimal>): Decimal {
  let total: Decimal = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
}

/**
 * Splits an amount by weights into parts of `places` places that add up to it exactly; the remainder stands with the last
 * part that has a weight.
 */
export function split(amount: Decimal, weights: readonly number[], places = 2): Decimal[] {
  if (weights.length === 1) return [amount];
  const whole = weights.reduce((total, weight) => total + weight, 0);
  if (whole === 0) return weights.map((_, index) => (index === weights.length - 1 ? amount : ZERO));
  const parts = weights.map((weight) => quotient(amount.times(weight), whole).round(places, Big.roundDown));
  const last = weights.findLastIndex((weight) => weight !== 0);
  const rest = amount.minus(sum(parts));
  return parts.map((part, index) => (index === last ? part.plus(rest) : part));
}

/** A quotient; undefined when a side is not known or the divisor is zero. */
export function over(amount: Decimal | undefined, by: Decimal | number | undefined): Decimal | undefined {
  return amount === undefined || by === undefined || Number(by) === 0 ? undefined : quotient(amount, by);
}

/** What `amount.div(by)` is, which goes digit by digit, several times faster. The divisor is not zero. */
export function quotient(amount: Decimal, by: Decimal | number): Decimal {
  const divisor = typeof by === 'number' ? new Decimal(by) : by;
  const shift = CARRIED + placesOf(divisor) - placesOf(amount);
  const above = digitsOf(amount) * (shift > 0 ? 10n ** BigInt(shift) : 1n);
  const below = digitsOf(divisor) * (shift < 0 ? 10n ** BigInt(-shift) : 1n);
  const digits = (2n * above + below) / (2n * below);
  return new Decimal(`${amount.s === divisor.s ? '' : '-'}${digits}e-${CARRIED}`);
}

function digitsOf({ c }: Decimal): bigint {
  return BigInt(c.join(''));
}

/** Of the last of its digits, after the point. */
function placesOf({ c, e }: Decimal): number {
  return c.length - 1 - e;
}
