import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExactSum } from './exact-sum.js';

function sumOf(...values: (number | string)[]): string {
  const sum = new ExactSum();
  for (const value of values) sum.add(value);
  return sum.toString();
}

it.each([
  [[], '0'],
  [[1, 2, -5], '-2'],
  [['0.1', '0.2'], '0.3'],
  [['-0.05', '0.04'], '-0.01'],
  [['12', '0.005', 3], '15.005'],
  [['9007199254740993', '0.01'], '9007199254740993.01'],
  [['-99999999999999999999.99', '0.99'], '-99999999999999999999.00'],
])('%j add up to %s', (values, expected) => {
  expect(sumOf(...(values as (number | string)[]))).toBe(expected);
});

it('adds any amounts of money to the cent', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), { minLength: 1 }), (cents) => {
      const text = (amount: bigint) => {
        const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
        return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
      };
      expect(sumOf(...cents.map(text))).toBe(text(cents.reduce((a, b) => a + b)));
    }),
  );
});
