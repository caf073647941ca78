import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, quotient } from './decimals.js';

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: -25, max: 12 }))
  .map(([digits, exponent]) => new Decimal(`${digits}e${exponent}`));

it('divides to the digit as the library of decimals does', () => {
  fc.assert(
    fc.property(
      decimal,
      decimal.filter((by) => !by.eq(0)),
      (amount, by) => {
        expect(quotient(amount, by).toFixed()).toBe(amount.div(by).toFixed());
      },
    ),
    { numRuns: 2_000 },
  );
});

it.each([
  ['1', '3', '0.3333333333333333333333333333333333333333'],
  ['-2', '3', '-0.6666666666666666666666666666666666666667'],
  ['10', '4', '2.5'],
  ['0', '7', '0'],
  ['1e20', '1e-20', '10000000000000000000000000000000000000000'],
])('%s / %s = %s', (amount, by, answer) => {
  expect(quotient(new Decimal(amount), new Decimal(by)).toFixed()).toBe(answer);
});
