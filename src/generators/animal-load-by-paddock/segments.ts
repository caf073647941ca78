import type { FarmRecords, LocalDate, PaddockVersion, Period } from '../../farm-records/reader.js';

/** A stretch of days of one month in which every rating and every area stays as it is. */
export interface Segment {
  readonly period: Period;
  readonly month: string;
  readonly days: number;
}

/** Cuts a period at the months and at the days given. */
export function segmentsOf({ calendar }: FarmRecords, period: Period, cuts: readonly LocalDate[]): Segment[] {
  return calendar.months(period).flatMap(({ month, period: whole }) => {
    const inside = [...new Set(cuts)].filter((day) => day > whole.start && day <= whole.end).toSorted();
    const starts = [whole.start, ...inside];
    return starts.map((start, index) => {
      const next = starts[index + 1];
      const part = { start, end: next === undefined ? whole.end : calendar.plusDays(next, -1) };
      return { period: part, month, days: calendar.days(part) };
    });
  });
}

/** The paddocks of a farm and what they were like on a day. */
export class Paddocks {
  private readonly versions: ReadonlyMap<
    string,
    readonly { readonly from: LocalDate; readonly version: PaddockVersion }[]
  >;

  constructor(versions: readonly PaddockVersion[], { calendar }: FarmRecords) {
    const fromOf = ({ validFrom }: PaddockVersion) => {
      if (!validFrom) return '';
      return 'day' in validFrom ? validFrom.day : calendar.dayOf(validFrom.instant);
    };
    this.versions = Map.groupBy(
      versions.map((version) => ({ from: fromOf(version), version })),
      ({ version }) => version.id,
    );
  }

  /** Days on which a paddock changes. */
  get days(): LocalDate[] {
    return [...this.versions.values()]
      .flat()
      .map(({ from }) => from)
      .filter((day) => day !== '');
  }

  get ids(): string[] {
    return [...this.versions.keys()];
  }

  declares(id: string): boolean {
    return this.versions.has(id);
  }

  /** The version in force; undefined before the first, and for a paddock nobody declared. */
  on(day: LocalDate, id: string): PaddockVersion | undefined {
    return this.versions.get(id)?.findLast(({ from }) => from <= day)?.version;
  }
}
