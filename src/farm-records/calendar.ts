const DAY = 86_400_000;

/** The days that records can have; nobody keeps stock outside them, and PostgreSQL and Temporal hold them with ease. */
export const FIRST_DAY = '1900-01-01';
export const LAST_DAY = '2199-12-31';

/** A farm's days: when each begins in the farm's zone, and which day an instant belongs to. Days are YYYY-MM-DD. */
export class FarmCalendar {
  private readonly starts = new Map<string, number>();
  private recent = { day: FIRST_DAY, from: NaN, until: NaN };
  private plain = { from: NaN, until: NaN };

  /** Throws RangeError for a zone that is not an IANA zone. */
  constructor(readonly timeZone: string) {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone);
  }

  /** Unix milliseconds at which a day begins: not always midnight; a day the zone skipped begins with the next. */
  startOf(day: string): number {
    let start = this.starts.get(day);
    if (start === undefined) {
      start = Temporal.PlainDate.from(day).toZonedDateTime(this.timeZone).epochMilliseconds;
      this.starts.set(day, start);
    }
    return start;
  }

  /** False for a day that the zone skipped, such as 2011-12-30 in Pacific/Apia. */
  exists(day: string): boolean {
    return this.startOf(day) < this.startOf(plusDays(day, 1));
  }

  dayOf(at: number): string {
    if (at >= this.recent.from && at < this.recent.until) return this.recent.day;
    let day = dayOfUtc(at - DAY);
    let until = this.startOf(plusDays(day, 1));
    while (until <= at) {
      day = plusDays(day, 1);
      until = this.startOf(plusDays(day, 1));
    }
    this.recent = { day, from: this.startOf(day), until };
    return day;
  }

  /** The instant when the farm's clocks show a time (HH:MM or HH:MM:SS), the first where they show it twice; undefined where they never do. */
  instantAt(day: string, time: string): number | undefined {
    const shown = Temporal.PlainDateTime.from(`${day}T${time}`);
    const at = shown.toZonedDateTime(this.timeZone, { disambiguation: 'earlier' });
    return at.toPlainDateTime().equals(shown) ? at.epochMilliseconds : undefined;
  }

  /** HH:MM:SS on the farm's clocks. */
  timeOf(at: number): string {
    if (at >= this.plain.from && at < this.plain.until) return clockTime(at - this.plain.from);
    const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(this.timeZone);
    this.notePlainDay(time);
    return time.toPlainTime().toString({ smallestUnit: 'second' });
  }

  /** A day from midnight to midnight on which no clock is put forward or back: its times are simple sums. */
  private notePlainDay(time: Temporal.ZonedDateTime): void {
    const from = time.startOfDay();
    const until = from.add({ days: 1 });
    const change = from.getTimeZoneTransition('next');
    if (
      from.hour + from.minute + from.second > 0 ||
      (change && change.epochMilliseconds < until.epochMilliseconds)
    )
      return;
    this.plain = { from: from.epochMilliseconds, until: until.epochMilliseconds };
  }
}

/** Whether a text is a day that the calendar has, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text)
  );
}

export function plusDays(day: string, days: number): string {
  return dayOfUtc(Date.parse(day) + days * DAY);
}

/** HH:MM:SS so many milliseconds after midnight. */
function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${twoDigits(seconds / 3600)}:${twoDigits((seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
}

function twoDigits(count: number): string {
  return count < 10 ? `0${Math.floor(count)}` : String(Math.floor(count));
}

/** Days from one day to another, by the calendar. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY;
}

/** Days by their number, as far as they were asked for: of a farm's records there are few, and each is asked for often. */
const DAYS = new Map<number, string>();

function dayOfUtc(at: number): string {
  const number = Math.floor(at / DAY);
  let day = DAYS.get(number);
  if (day === undefined) {
    day = new Date(at).toISOString().slice(0, 10);
    DAYS.set(number, day);
  }
  return day;
}
