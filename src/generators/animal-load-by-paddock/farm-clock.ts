import type { FarmRecords, LocalDate } from '../../farm-records/reader.js';
import type { Moment } from './head-time.js';
import type { Segment } from './segments.js';

/** Turns instants into moments of the farm's days. */
export class FarmClock {
  private today: { day: LocalDate; index: number; start: number; length: number } | undefined;

  constructor(
    private readonly records: FarmRecords,
    private readonly first: LocalDate,
  ) {}

  startOf(day: LocalDate): number {
    return this.records.calendar.startOf(day);
  }

  momentOf(at: number, day: LocalDate): Moment {
    if (this.today?.day !== day) {
      const start = this.startOf(day);
      this.today = {
        day,
        index: this.indexOf(day),
        start,
        length: this.startOf(this.records.calendar.plusDays(day, 1)) - start,
      };
    }
    const { index, start, length } = this.today;
    return { day: index, ms: Math.min(Math.max(at - start, 0), length), length: Math.max(length, 1) };
  }

  /** The beginning of the day after a segment. */
  after({ period }: Segment): Moment {
    return { day: this.indexOf(period.end) + 1, ms: 0, length: 1 };
  }

  private indexOf(day: LocalDate): number {
    return day === this.first ? 0 : this.records.calendar.days({ start: this.first, end: day }) - 1;
  }
}
