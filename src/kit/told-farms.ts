import { plusDays } from '../farm-records/calendar.js';
import { chores, farmland, type Said, stockWork } from './story.js';
import type { TestFarm, TestFarms } from './test-farms.js';
import type { Days } from './trial.js';

const DAY = 86_400_000;

/** A farm of the conformance suite and the days its reports are about. */
export interface ToldFarm {
  readonly id: string;
  readonly days: Days;
}

/** A zone with a day that is not like others. */
export interface OddDay {
  readonly zone: string;
  readonly day: string;
  readonly what: string;
}

export const ODD_DAYS: readonly OddDay[] = [
  { zone: 'Australia/Sydney', day: '2024-10-06', what: 'a day of 23 hours' },
  { zone: 'Australia/Lord_Howe', day: '2024-10-06', what: 'a day of 23.5 hours' },
  { zone: 'Australia/Lord_Howe', day: '2025-04-06', what: 'a day of 24.5 hours' },
  { zone: 'Australia/Sydney', day: '2025-04-06', what: 'a day of 25 hours' },
  { zone: 'America/Santiago', day: '2024-09-08', what: 'a day without midnight' },
];

/** Pacific/Apia went from the 29th straight to the 31st. */
export const MISSING_DAY: OddDay = {
  zone: 'Pacific/Apia',
  day: '2011-12-30',
  what: 'a day that does not exist',
};

const QUIET_HALF: Days = { start: '2024-07-01', end: '2024-12-31' };
const BUSY_HALF: Days = { start: '2025-01-01', end: '2025-06-30' };
const QUIET_ROUNDS = 100;
const BUSY_ROUNDS = 1_500;

/** The farms that report types are tried on, each told when it is first asked for and shared from then on. */
export class ToldFarms {
  private readonly told = new Map<string, Promise<ToldFarm>>();

  constructor(private readonly farms: TestFarms) {}

  /** A week of everything that can happen. */
  plain(): Promise<ToldFarm> {
    return this.once('plain', () => this.week('Australia/Sydney', '2024-08-05', [], {}));
  }

  /** The same week with names that a spreadsheet, a terminal or a careless program would stumble over. */
  hostile(): Promise<ToldFarm> {
    return this.once('hostile', () => this.week('Australia/Sydney', '2024-08-05', [], { name: hostile }));
  }

  empty(): Promise<ToldFarm> {
    return this.once('empty', async () => {
      const { id } = await this.farms.farm();
      return { id, days: { start: '2024-07-01', end: '2025-06-30' } };
    });
  }

  /** The week around an odd day, told by the days and clocks of the farm. In another zone the same is told. */
  around({ day }: OddDay, zone: string): Promise<ToldFarm> {
    const missing = day === MISSING_DAY.day ? [day] : [];
    return this.once(`${zone} ${day}`, () => this.week(zone, plusDays(day, -3), missing, {}));
  }

  /** A farm whose second half-year has fifteen times as many records as its first. */
  async busy(): Promise<{ readonly id: string; readonly quiet: Days; readonly busy: Days }> {
    const { id } = await this.once('busy', async () => {
      const rounds = [...instants(QUIET_HALF, QUIET_ROUNDS), ...instants(BUSY_HALF, BUSY_ROUNDS)];
      const work = rounds.flatMap((eventDateTime, round) => [
        ...stockWork({ eventDateTime }, round),
        ...chores({ eventDateTime }),
      ]);
      return told(await this.farms.farm([...farmland(QUIET_HALF.start), ...work]), QUIET_HALF);
    });
    return { id, quiet: QUIET_HALF, busy: BUSY_HALF };
  }

  /** Work by the day on every day, and late and early on ordinary ones: odd days have hours of their own. */
  private async week(
    timeZone: string,
    first: string,
    missing: readonly string[],
    options: { name?: (plain: string) => string },
  ): Promise<ToldFarm> {
    const week = Array.from({ length: 7 }, (_, index) => plusDays(first, index));
    const clock = (day: string, time: string) => ({
      eventDateTime: Temporal.PlainDateTime.from(`${day}T${time}`)
        .toZonedDateTime(timeZone)
        .toInstant()
        .toString(),
    });
    const records = week.flatMap((day, round): Said[] => {
      if (missing.includes(day)) return [];
      const late = round === 1 ? [...stockWork(clock(day, '23:30'), 10, options)] : [];
      return [
        ...stockWork({ date: day }, round, options),
        // Every zone's odd day has this hour; none but an ordinary one need have half past midnight.
        ...chores(clock(day, round === 3 ? '01:15' : '00:30'), options),
        ...late,
        ...chores(clock(day, '23:30'), options),
      ];
    });
    const days = { start: first, end: plusDays(first, 6) };
    return told(await this.farms.farm([...farmland(first, options), ...records], { timeZone }), days);
  }

  private once(name: string, tell: () => Promise<ToldFarm>): Promise<ToldFarm> {
    const known = this.told.get(name) ?? tell();
    this.told.set(name, known);
    return known;
  }
}

function told({ id }: TestFarm, days: Days): ToldFarm {
  return { id, days };
}

/** Evenly from the second day to the last but one. */
function instants({ start, end }: Days, count: number): string[] {
  const from = Date.parse(start) + DAY;
  const step = (Date.parse(end) - from) / count;
  return Array.from({ length: count }, (_, index) => new Date(Math.round(from + index * step)).toISOString());
}

const BEGINNINGS = [
  '=',
  '+',
  '-',
  '@',
  '=1+1;',
  `=cmd|' /C calc'!A0`,
  '"',
  "'",
  ',',
  ';',
  '<b>',
  '\\',
  '%s',
  '\u202e',
];

/** As hostile as a name may be, and still to be recognised by what stands between the guillemets. */
export function hostile(plain: string): string {
  const beginning =
    BEGINNINGS[Array.from(plain).reduce((sum, char) => sum + char.charCodeAt(0), 0) % BEGINNINGS.length];
  const prose = plain === 'Comment' ? '\u0001\t\r\n' : '';
  return `${beginning}«${plain}»${prose}, "é\u0301"; \u{1d11e}\u{1f411}\u2028'`;
}
