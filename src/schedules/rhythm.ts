import { financialYearBegin } from '../farm-records/index.js';

export const PERIODS = ['month', 'week', 'financial-year'] as const;

/** When reports recur: after every month, ISO week or financial year of the farm. */
export interface Rhythm {
  readonly every: (typeof PERIODS)[number];
  /** Days after the last day of the period on which the report is made, from 1 on: records arrive late. */
  readonly daysAfter: number;
  /** The time of that day, HH:MM on the farm's clocks. */
  readonly at: string;
}

/** What of a farm decides when its periods end. */
export interface FarmDays {
  /** IANA. */
  readonly timeZone: string;
  /** MM-DD; where a year lacks that day, the day before it. */
  readonly financialYearStart: string;
}

/** A period, both days inclusive and YYYY-MM-DD, and the instant, in Unix milliseconds, at which its report falls due. */
export interface Due {
  readonly at: number;
  readonly start: string;
  readonly end: string;
}

/** The last period whose report is due at `now` or was before. Time that a zone skips is taken as the time after the gap, doubled time as the first. */
export function latestDue(rhythm: Rhythm, farm: FarmDays, now: number): Due {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(farm.timeZone).toPlainDate();
  // A day on: a zone that skips days can have a due instant after the day that its date says.
  let end = periodStart(rhythm, farm, today.add({ days: 2 }));
  for (;;) {
    const due = dueOf(rhythm, farm, end);
    if (due.at <= now) return due;
    end = periodStart(rhythm, farm, end.subtract({ days: 1 }));
  }
}

/** The period whose report falls due first after `now`. */
export function dueAfter(rhythm: Rhythm, farm: FarmDays, now: number): Due {
  const { end } = latestDue(rhythm, farm, now);
  const start = Temporal.PlainDate.from(end).add({ days: 1 });
  return dueOf(rhythm, farm, nextStart(rhythm, farm, start));
}

/** How many periods fell due from the instant `from` on, and before `until`. */
export function countDues(rhythm: Rhythm, farm: FarmDays, from: number, until: number): number {
  let count = 0;
  for (let due = dueAfter(rhythm, farm, from - 1); due.at < until; due = dueAfter(rhythm, farm, due.at))
    count++;
  return count;
}

const DAY_MS = 86_400_000;
/** No zone's clocks, one of which may skip a day, are further from UTC. */
const ZONE_MS = 2 * DAY_MS;

/**
 * Why what is noted as a rhythm's next report cannot be it, whatever zone and financial year the farm had when it was noted;
 * undefined when it can be.
 */
export function faultOf(rhythm: Rhythm, { at, start, end }: Due, now: number): string | undefined {
  const farm = { timeZone: 'UTC', financialYearStart: start.slice(5) };
  const [first, next] = [Temporal.PlainDate.from(start), Temporal.PlainDate.from(end).add({ days: 1 })];
  const named = `${start} to ${end}`;
  const off = nextStart(rhythm, farm, first).until(next).days;
  // A financial year that begins on 29 February is a day shorter or longer than one of its first day.
  const whole = Math.abs(off) <= (rhythm.every === 'financial-year' ? 1 : 0);
  if (!whole || !periodStart(rhythm, farm, first).equals(first)) return `${named} is no ${rhythm.every}`;
  if (Math.abs(at - dueOf(rhythm, farm, next).at) > ZONE_MS)
    return `${named} is not due at ${new Date(at).toISOString()}`;
  const length = first.until(next).days * DAY_MS;
  return at > now + length + ZONE_MS ? `${named} is not the next that is due` : undefined;
}

/** Of the period that ends before the day `next`, on which another begins. */
function dueOf(rhythm: Rhythm, farm: FarmDays, next: Temporal.PlainDate): Due {
  const last = next.subtract({ days: 1 });
  const at = last
    .add({ days: rhythm.daysAfter })
    .toZonedDateTime({ timeZone: farm.timeZone, plainTime: Temporal.PlainTime.from(rhythm.at) });
  return {
    at: at.epochMilliseconds,
    start: periodStart(rhythm, farm, last).toString(),
    end: last.toString(),
  };
}

/** The first day of the period that a day lies in. */
function periodStart({ every }: Rhythm, farm: FarmDays, day: Temporal.PlainDate): Temporal.PlainDate {
  if (every === 'month') return day.with({ day: 1 });
  if (every === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  const start = yearStart(farm, day.year);
  return Temporal.PlainDate.compare(start, day) <= 0 ? start : yearStart(farm, day.year - 1);
}

/** The first day of the period after the one that begins on a day. */
function nextStart({ every }: Rhythm, farm: FarmDays, start: Temporal.PlainDate): Temporal.PlainDate {
  if (every === 'month') return start.add({ months: 1 });
  if (every === 'week') return start.add({ weeks: 1 });
  return yearStart(farm, start.year + 1);
}

function yearStart(farm: FarmDays, year: number): Temporal.PlainDate {
  return Temporal.PlainDate.from(financialYearBegin(farm, year));
}
