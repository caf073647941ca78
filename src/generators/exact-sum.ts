const SAFE_DIGITS = 15;
const SPILL = 2 ** 52;

/** Adds exact decimals, millions of them, faster than a decimal library would: whole numbers by number of places. */
export class ExactSum {
  private readonly small: number[] = [];
  private readonly large: bigint[] = [];

  /** `value` is a whole number or a decimal in plain notation such as "-12.50". */
  add(value: number | string): void {
    if (typeof value === 'number') {
      this.addUnits(value, 0);
      return;
    }
    const point = value.indexOf('.');
    const places = point < 0 ? 0 : value.length - point - 1;
    const digits = point < 0 ? value : value.slice(0, point) + value.slice(point + 1);
    if (digits.length <= SAFE_DIGITS) this.addUnits(Number(digits), places);
    else this.large[places] = (this.large[places] ?? 0n) + BigInt(digits);
  }

  /** The sum in plain notation, with as many places as the finest summand had. */
  toString(): string {
    const places = Math.max(this.small.length, this.large.length, 1) - 1;
    let units = 0n;
    for (let scale = 0; scale <= places; scale++) {
      units += (BigInt(this.small[scale] ?? 0) + (this.large[scale] ?? 0n)) * 10n ** BigInt(places - scale);
    }
    if (places === 0) return units.toString();
    const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
    return `${units < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
  }

  private addUnits(units: number, places: number): void {
    const sum = (this.small[places] ?? 0) + units;
    if (sum < SPILL && sum > -SPILL) {
      this.small[places] = sum;
      return;
    }
    this.large[places] = (this.large[places] ?? 0n) + BigInt(sum);
    this.small[places] = 0;
  }
}
