import { expect, it } from '@jest/globals';
import { FarmCalendar, plusDays } from './calendar.js';

const at = (instant: string) => Date.parse(instant);

it.each([
  ['a plain day', 'Australia/Sydney', '2024-07-01', '2024-06-30T14:00:00Z'],
  ['the 23-hour day', 'Australia/Sydney', '2024-10-06', '2024-10-05T14:00:00Z'],
  ['a day without a midnight', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
  ['a zone of a quarter hour', 'Asia/Kathmandu', '2024-01-01', '2023-12-31T18:15:00Z'],
])('%s begins where the zone says', (_what, zone, day, start) => {
  expect(new FarmCalendar(zone).startOf(day)).toBe(at(start));
});

it('knows the day that a zone skipped', () => {
  const apia = new FarmCalendar('Pacific/Apia');
  expect(apia.exists('2011-12-30')).toBe(false);
  expect(apia.exists('2011-12-29')).toBe(true);
  expect(apia.dayOf(apia.startOf('2011-12-31') - 1)).toBe('2011-12-29');
});

it.each([
  ['Australia/Sydney', '2024-10-05', 24],
  ['Australia/Sydney', '2024-10-06', 23],
  ['Australia/Sydney', '2024-04-07', 25],
  ['Australia/Lord_Howe', '2024-04-07', 24.5],
  ['Australia/Lord_Howe', '2024-10-06', 23.5],
])('in %s the day %s has %d hours', (zone, day, hours) => {
  const calendar = new FarmCalendar(zone);
  expect((calendar.startOf(plusDays(day, 1)) - calendar.startOf(day)) / 3_600_000).toBe(hours);
});

it('puts each instant on the day that the zone itself would say', () => {
  for (const zone of [
    'Australia/Sydney',
    'America/Sao_Paulo',
    'Pacific/Apia',
    'Pacific/Kiritimati',
    'Etc/GMT+12',
    'Africa/Cairo',
  ]) {
    const calendar = new FarmCalendar(zone);
    for (
      let instant = at('2011-12-20T00:00:00Z');
      instant < at('2012-01-10T00:00:00Z');
      instant += 1_700_000
    ) {
      const expected = Temporal.Instant.fromEpochMilliseconds(instant)
        .toZonedDateTimeISO(zone)
        .toPlainDate()
        .toString();
      expect(calendar.dayOf(instant)).toBe(expected);
    }
  }
});

it.each([
  ['Australia/Sydney', '2024-10-05T00:00:00Z'],
  ['Australia/Lord_Howe', '2024-04-05T00:00:00Z'],
  ['America/Sao_Paulo', '2018-11-02T00:00:00Z'],
  ['Pacific/Apia', '2011-12-28T00:00:00Z'],
])('tells the time that clocks in %s show, also when they are put forward or back', (zone, from) => {
  const calendar = new FarmCalendar(zone);
  for (let instant = at(from); instant < at(from) + 4 * 86_400_000; instant += 977_000) {
    const time = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainTime();
    expect(calendar.timeOf(instant)).toBe(time.toString({ smallestUnit: 'second' }));
  }
});
