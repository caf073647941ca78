import { FIRST_DAY, LAST_DAY } from '../calendar.js';

/** When something happened: on a farm-local day, or at an instant (Unix milliseconds). */
export type When = { readonly day: string } | { readonly instant: number };

const PATTERN =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d)))?$/;
const RANGE = `from ${FIRST_DAY} to ${LAST_DAY}`;
const FIRST_INSTANT = Date.parse(FIRST_DAY);
const LAST_INSTANT = Date.parse(LAST_DAY);

/** Reads `2024-07-01` or an RFC 3339 instant such as `2024-07-01T09:30:00Z`; a text says what is wrong. */
export function readWhen(text: string): When | string {
  const match = PATTERN.exec(text);
  if (!match) return 'must be a day (2024-07-01) or an instant of RFC 3339 (2024-07-01T09:30:00Z).';
  const [, year, month, date, hour, minute, second = '0', fraction = '', , sign, offsetHour, offsetMinute] =
    match;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(date));
  if (
    Number(year) < 1900 ||
    new Date(midnight).getUTCDate() !== Number(date) ||
    Number(month) > 12 ||
    Number(month) < 1
  ) {
    return Number(year) < 1900 ? `must lie ${RANGE}.` : 'is not a day of the calendar.';
  }
  if (hour === undefined) return text <= LAST_DAY ? { day: text } : `must lie ${RANGE}.`;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return 'is not a time of day.';
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return 'has an impossible UTC offset.';
  const offset =
    (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000 * (sign === '-' ? -1 : 1);
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Math.min(Number(second), 59);
  const instant = midnight + seconds * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3)) - offset;
  return instant >= FIRST_INSTANT && instant < LAST_INSTANT ? { instant } : `must lie ${RANGE}.`;
}

/** Unix milliseconds; a day's midnight in UTC, for comparing where a zone does not matter. */
export function utc(when: When): number {
  return 'instant' in when ? when.instant : Date.parse(when.day);
}
