import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countDues, dueAfter, faultOf, type FarmDays, latestDue, type Rhythm } from './rhythm.js';

const sydney: FarmDays = { timeZone: 'Australia/Sydney', financialYearStart: '07-01' };
const monthly: Rhythm = { every: 'month', daysAfter: 1, at: '06:00' };
const weekly: Rhythm = { ...monthly, every: 'week' };
const yearly: Rhythm = { ...monthly, every: 'financial-year' };
const at = (zoned: string) => Temporal.ZonedDateTime.from(zoned).epochMilliseconds;
const instant = (text: string) => Temporal.Instant.from(text).epochMilliseconds;

describe('the report that is due', () => {
  it.each<[string, Rhythm, FarmDays, string, string, string]>([
    [
      'of a month on its first morning',
      monthly,
      sydney,
      '2026-03-01T06:00[Australia/Sydney]',
      '2026-02-01',
      '2026-02-28',
    ],
    [
      'of a month, not a second earlier',
      monthly,
      sydney,
      '2026-03-01T05:59:59[Australia/Sydney]',
      '2026-01-01',
      '2026-01-31',
    ],
    ['of a leap February', monthly, sydney, '2028-03-15T12:00[Australia/Sydney]', '2028-02-01', '2028-02-29'],
    [
      'of a week, from Monday to Sunday',
      weekly,
      sydney,
      '2026-11-16T06:00[Australia/Sydney]',
      '2026-11-09',
      '2026-11-15',
    ],
    [
      'of a week on a Sunday',
      weekly,
      sydney,
      '2026-11-15T23:59[Australia/Sydney]',
      '2026-11-02',
      '2026-11-08',
    ],
    [
      'of a week over the turn of the year',
      weekly,
      sydney,
      '2027-01-04T06:00[Australia/Sydney]',
      '2026-12-28',
      '2027-01-03',
    ],
    ['of a financial year', yearly, sydney, '2026-07-01T06:00[Australia/Sydney]', '2025-07-01', '2026-06-30'],
    [
      'of a financial year that is a calendar year',
      yearly,
      { ...sydney, financialYearStart: '01-01' },
      '2026-07-01T06:00[Australia/Sydney]',
      '2025-01-01',
      '2025-12-31',
    ],
    [
      'of a financial year that begins on a leap day',
      yearly,
      { ...sydney, financialYearStart: '02-29' },
      '2027-03-01T06:00[Australia/Sydney]',
      '2026-02-28',
      '2027-02-27',
    ],
    [
      'of a month, a week later',
      { ...monthly, daysAfter: 8 },
      sydney,
      '2026-03-08T05:59[Australia/Sydney]',
      '2026-01-01',
      '2026-01-31',
    ],
    [
      'of a week, later than the next week',
      { ...weekly, daysAfter: 10 },
      sydney,
      '2026-11-18T06:00[Australia/Sydney]',
      '2026-11-02',
      '2026-11-08',
    ],
  ])('is %s', (_, rhythm, farm, now, start, end) => {
    expect(latestDue(rhythm, farm, at(now))).toMatchObject({ start, end });
  });

  it.each<[string, Rhythm, FarmDays, string, string]>([
    [
      'summer time begins and skips its hour: an hour later',
      { ...weekly, daysAfter: 7, at: '02:30' },
      sydney,
      '2026-10-04T00:00[Australia/Sydney]',
      '2026-10-03T16:30:00Z',
    ],
    [
      'summer time ends and doubles its hour: the first',
      { ...weekly, daysAfter: 7, at: '02:30' },
      sydney,
      '2026-04-05T00:00[Australia/Sydney]',
      '2026-04-04T15:30:00Z',
    ],
    [
      'the zone skips the day: the day after',
      { ...monthly, daysAfter: 30 },
      { ...sydney, timeZone: 'Pacific/Apia' },
      '2011-12-29T12:00[Pacific/Apia]',
      '2011-12-30T16:00:00Z',
    ],
    [
      'midnight does not exist: one o’clock',
      { ...monthly, daysAfter: 6, at: '00:00' },
      { ...sydney, timeZone: 'Africa/Cairo' },
      '2010-04-30T12:00[Africa/Cairo]',
      '2010-05-05T21:00:00Z',
    ],
  ])('falls due, when %s', (_, rhythm, farm, now, due) => {
    expect(new Date(dueAfter(rhythm, farm, at(now)).at).toISOString()).toBe(
      new Date(instant(due)).toISOString(),
    );
  });
});

describe('what is noted as the next report', () => {
  const november = { at: instant('2026-11-30T19:00:00Z'), start: '2026-11-01', end: '2026-11-30' };
  it.each<[string, Rhythm, Partial<typeof november>, string]>([
    ['is no whole period', monthly, { end: '2026-11-29' }, 'no month'],
    ['begins in the middle of one', weekly, { start: '2026-11-04', end: '2026-11-10' }, 'no week'],
    ['is due at another time than it says', monthly, { at: instant('2026-12-05T19:00:00Z') }, 'not due at'],
    [
      'is not the next',
      monthly,
      { at: instant('2027-03-31T19:00:00Z'), start: '2027-03-01', end: '2027-03-31' },
      'not the next',
    ],
  ])('%s', (_, rhythm, wrong, fault) => {
    const now = instant('2026-11-21T00:00:00Z');
    expect(faultOf(rhythm, { ...november, ...wrong }, now)).toContain(fault);
    expect(faultOf(monthly, november, now)).toBeUndefined();
  });
});

const zones = [
  'UTC',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Europe/Dublin',
  'Antarctica/Troll',
  'Pacific/Chatham',
];
const cases = fc.record({
  rhythm: fc.record<Rhythm>({
    every: fc.constantFrom('month', 'week', 'financial-year'),
    daysAfter: fc.integer({ min: 1, max: 60 }),
    at: fc.constantFrom('00:00', '01:30', '02:30', '06:00', '23:59'),
  }),
  farm: fc.record<FarmDays>({
    timeZone: fc.constantFrom(...zones),
    financialYearStart: fc.constantFrom('01-01', '02-29', '04-06', '07-01', '12-31'),
  }),
  now: fc.integer({ min: instant('1985-01-01T00:00:00Z'), max: instant('2090-01-01T00:00:00Z') }),
});
const dayAfter = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString();

describe('whatever the rhythm, the zone and the moment', () => {
  it('the last due is not in the future, the next is, and nothing lies between', () => {
    fc.assert(
      fc.property(cases, ({ rhythm, farm, now }) => {
        const [last, next] = [latestDue(rhythm, farm, now), dueAfter(rhythm, farm, now)];
        expect(last.at).toBeLessThanOrEqual(now);
        expect(next.at).toBeGreaterThan(now);
        expect(next.start).toBe(dayAfter(last.end));
      }),
      { numRuns: 400 },
    );
  });

  it('what is the next by the days of the farm is so without knowing them', () => {
    fc.assert(
      fc.property(cases, ({ rhythm, farm, now }) => {
        expect(faultOf(rhythm, dueAfter(rhythm, farm, now), now)).toBeUndefined();
      }),
      { numRuns: 400 },
    );
  });

  it('a due instant is its own last due, and the one before it is not yet', () => {
    fc.assert(
      fc.property(cases, ({ rhythm, farm, now }) => {
        const due = dueAfter(rhythm, farm, now);
        expect(latestDue(rhythm, farm, due.at)).toEqual(due);
        expect(latestDue(rhythm, farm, due.at - 1)).toEqual(latestDue(rhythm, farm, now));
      }),
      { numRuns: 400 },
    );
  });

  it('a period is over, in the days of the farm, before its report is due', () => {
    fc.assert(
      fc.property(cases, ({ rhythm, farm, now }) => {
        const { at: due, end } = latestDue(rhythm, farm, now);
        const over = Temporal.PlainDate.from(end).add({ days: 1 }).toZonedDateTime(farm.timeZone);
        expect(due).toBeGreaterThanOrEqual(over.epochMilliseconds);
      }),
      { numRuns: 400 },
    );
  });

  it('counting from one due to a later one counts the periods between', () => {
    fc.assert(
      fc.property(cases, fc.nat({ max: 8 }), ({ rhythm, farm, now }, steps) => {
        const first = dueAfter(rhythm, farm, now);
        let last = first;
        for (let step = 0; step < steps; step++) last = dueAfter(rhythm, farm, last.at);
        expect(countDues(rhythm, farm, first.at, last.at)).toBe(steps);
      }),
    );
  });
});
