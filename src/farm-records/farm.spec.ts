import { expect, it } from '@jest/globals';
import { financialYearBegin } from './farm.js';

it.each([
  ['07-01', 2025, '2025-07-01'],
  ['02-29', 2024, '2024-02-29'],
  ['02-29', 2025, '2025-02-28'],
])('a financial year from %s begins in %i on %s', (financialYearStart, year, day) => {
  expect(financialYearBegin({ financialYearStart }, year)).toBe(day);
});
