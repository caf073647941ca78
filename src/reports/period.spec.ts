import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PeriodBackwards, readPeriod } from './period.js';

const DOTNET = 62_135_596_800_000;
const ms = (text: string): number => Temporal.ZonedDateTime.from(text).epochMilliseconds;

describe('a requested period', () => {
  it('becomes farm-local days, both inclusive, when clients send local midnights', () => {
    const { period } = readPeriod(
      ms('2024-07-01T00:00[Australia/Sydney]'),
      ms('2025-06-30T00:00[Australia/Sydney]'),
      'Australia/Sydney',
    );
    expect(period).toEqual({ start: '2024-07-01', end: '2025-06-30', timeZone: 'Australia/Sydney' });
  });

  it('is a day earlier west of the sender', () => {
    const midnight = ms('2024-07-01T00:00[Australia/Sydney]');
    expect(readPeriod(midnight, midnight, 'America/Denver').period.start).toBe('2024-06-30');
  });

  it('is shifted, with a warning, when it counts from year 1', () => {
    const start = ms('2024-07-01T00:00[Australia/Sydney]');
    const read = readPeriod(start + DOTNET, start + DOTNET, 'Australia/Sydney');
    expect(read.period.start).toBe('2024-07-01');
    expect(read.warnings).toHaveLength(2);
    expect(read.warnings[0]).toContain('62135596800000');
  });

  it.each([
    ['the largest value', Number.MAX_SAFE_INTEGER, '+275760-09-13'],
    ['the largest value before the shift', DOTNET - 1, '3938-12-31'],
    ['the first shifted value', DOTNET, '1970-01-01'],
  ])('holds %s', (_name, end, expected) => {
    expect(readPeriod(0, end, 'UTC').period.end).toBe(expected);
  });

  it('is refused when it runs backwards', () => {
    expect(() => readPeriod(2, 1, 'UTC')).toThrow(PeriodBackwards);
  });

  it('never crashes, whatever is sent and wherever the farm lies', () => {
    const zones = [
      'UTC',
      'Pacific/Kiritimati',
      'Pacific/Apia',
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Africa/Cairo',
    ];
    const instant = fc.maxSafeNat();
    fc.assert(
      fc.property(instant, instant, fc.constantFrom(...zones), (start, end, zone) => {
        try {
          const { period } = readPeriod(start, end, zone);
          expect(Temporal.PlainDate.compare(period.start, period.end)).toBeLessThanOrEqual(0);
        } catch (error) {
          expect(error).toBeInstanceOf(PeriodBackwards);
        }
      }),
    );
  });
});
