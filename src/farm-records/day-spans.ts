import { daysBetween } from './calendar.js';
import type { LocalDate } from './reader.js';

export type Unit = 'year' | 'quarter' | 'month' | 'day';

/** A stretch of whole units of the calendar, `until` exclusive, that is part of a sum, or, with sign -1, taken from it. */
export interface Span {
  readonly unit: Unit;
  readonly sign: 1 | -1;
  readonly from: LocalDate;
  readonly until: LocalDate;
}

/** Financial years begin with a quarter almost everywhere. */
const UNITS: readonly Unit[] = ['year', 'quarter', 'month', 'day'];
const MONTHS = { year: 12, quarter: 3, month: 1 };

/**
 * A stretch of days as few units: of what a large one covers too little or too much, smaller ones are added or taken away.
 * 2 July to 30 June are four quarters less a day.
 */
export function spansOf(from: LocalDate, until: LocalDate, units = UNITS, sign: 1 | -1 = 1): Span[] {
  if (from === until) return [];
  if (from > until) return spansOf(until, from, units, sign === 1 ? -1 : 1);
  const [unit = 'day', ...smaller] = units;
  if (unit === 'day') return [{ unit, sign, from, until }];
  const without = spansOf(from, until, smaller, sign);
  const [first, last] = [nearest(unit, from), nearest(unit, until)];
  if (first >= last) return without;
  const spans = [
    { unit, sign, from: first, until: last },
    ...spansOf(from, first, smaller, sign),
    ...spansOf(last, until, smaller, sign),
  ];
  return size(spans) < size(without) ? spans : without;
}

/** Where the unit that a day lies in begins or ends, whichever is nearer. */
function nearest(unit: keyof typeof MONTHS, day: LocalDate): LocalDate {
  const begin = Math.floor(monthsOf(day) / MONTHS[unit]) * MONTHS[unit];
  const [before, after] = [firstOf(begin), firstOf(begin + MONTHS[unit])];
  return daysBetween(before, day) <= daysBetween(day, after) ? before : after;
}

function size(spans: readonly Span[]): number {
  return spans.reduce((units, { unit, from, until }) => {
    const inUnit =
      unit === 'day' ? daysBetween(from, until) : (monthsOf(until) - monthsOf(from)) / MONTHS[unit];
    return units + inUnit;
  }, 0);
}

function monthsOf(day: LocalDate): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function firstOf(months: number): LocalDate {
  return new Date(Date.UTC(Math.floor(months / 12), months % 12)).toISOString().slice(0, 10);
}
