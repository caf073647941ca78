import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { plusDays } from './calendar.js';
import { type Span, spansOf } from './day-spans.js';

const told = ({ sign, unit, from, until }: Span) => `${sign > 0 ? '+' : '-'}${unit} ${from} ${until}`;
const day = fc.integer({ min: 0, max: 1500 }).map((days) => plusDays('2022-11-29', days));

describe('a stretch of days as whole units of the calendar', () => {
  it.each([
    ['a financial year', '2024-07-01', '2025-07-01', ['+quarter 2024-07-01 2025-07-01']],
    ['a calendar year', '2024-01-01', '2025-01-01', ['+year 2024-01-01 2025-01-01']],
    [
      'a year but its first day',
      '2024-07-02',
      '2025-07-01',
      ['+quarter 2024-07-01 2025-07-01', '-day 2024-07-01 2024-07-02'],
    ],
    [
      'a British year of tax',
      '2024-04-06',
      '2025-04-06',
      [
        '+year 2024-01-01 2025-01-01',
        '-quarter 2024-01-01 2024-04-01',
        '-day 2024-04-01 2024-04-06',
        '+quarter 2025-01-01 2025-04-01',
        '+day 2025-04-01 2025-04-06',
      ],
    ],
    ['days of a month', '2024-02-28', '2024-03-02', ['+day 2024-02-28 2024-03-02']],
    ['no day', '2024-02-28', '2024-02-28', []],
  ])('%s', (_, from, until, spans) => {
    expect(spansOf(from, until).map(told)).toEqual(spans);
  });

  it('counts every day of it once and no other', () => {
    fc.assert(
      fc.property(day, day, (one, other) => {
        const [from, until] = one < other ? [one, other] : [other, one];
        const counts = new Map<string, number>();
        for (const { sign, from: first, until: last } of spansOf(from, until))
          for (let at = first; at < last; at = plusDays(at, 1)) counts.set(at, (counts.get(at) ?? 0) + sign);
        const wrong = [...counts].filter(([at, count]) => count !== (at >= from && at < until ? 1 : 0));
        expect(wrong).toEqual([]);
        expect(counts.has(from)).toBe(from < until);
      }),
    );
  });
});
