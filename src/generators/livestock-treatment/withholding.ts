import type { FarmRecords, HeadLine, TreatmentAct, When } from '../../farm-records/reader.js';

/** A withholding after a treatment. `clearDate` is null when nothing is known of it. */
export interface Interval {
  readonly days: number | null;
  readonly clearDate: string | null;
}

/** The days said with the treatment, else the medicine's, counted from the last administration of the course; else the end given. */
export function intervalOf(
  kind: 'whp' | 'esi',
  { what, medicine, lastOfCourse }: TreatmentAct,
  line: HeadLine,
  { calendar }: FarmRecords,
): Interval {
  const days = what[`${kind}Days`] ?? medicine?.[`${kind}Days`];
  if (days !== undefined) return { days, clearDate: calendar.plusDays(lastOfCourse(line), days) };
  const end = what[`${kind}End`];
  return { days: null, clearDate: end === undefined ? null : dayOf(end, calendar) };
}

export function dayOf(when: When, calendar: FarmRecords['calendar']): string {
  return 'day' in when ? when.day : calendar.dayOf(when.instant);
}
