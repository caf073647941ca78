import {
  daysStated,
  type FarmRecords,
  type HeadLine,
  type TreatmentAct,
  type When,
} from '../../farm-records/reader.js';

/** A withholding after a treatment. `clearDate` is null when nothing is known of it. */
export interface Interval {
  readonly days: number | null;
  readonly clearDate: string | null;
}

/**
 * The days said with the treatment, else the medicine's, counted from the last administration of the course; else the end given; else
 * the days that the ledger withheld the stock for, which are those of the doses before in the course.
 */
export function intervalOf(
  kind: 'whp' | 'esi',
  { record, what, medicine, lastOfCourse }: TreatmentAct,
  line: HeadLine,
  { calendar }: FarmRecords,
): Interval {
  const end = what[`${kind}End`];
  const stated = daysStated(what, medicine)[kind];
  if (stated === undefined && end !== undefined) return { days: null, clearDate: dayOf(end, calendar) };
  const clear = line[`${kind}Clear`];
  const booked = clear === undefined ? null : calendar.days({ start: record.day, end: clear }) - 1;
  const days = stated ?? booked;
  return { days, clearDate: days === null ? null : calendar.plusDays(lastOfCourse(line), days) };
}

export function dayOf(when: When, calendar: FarmRecords['calendar']): string {
  return 'day' in when ? when.day : calendar.dayOf(when.instant);
}
