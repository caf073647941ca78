import { type Diary, FINANCIAL_YEARS } from './diary.js';
import { groupOf } from './head-changes.js';
import type { Kind } from './kinds.js';
import type { Lot } from './stock-book.js';

interface Cause {
  readonly reason: string;
  readonly method: string;
  readonly explanation: string;
  /** Times as many losses as in an ordinary month. */
  readonly times: number;
}

const ORDINARY: Cause = { reason: 'Unknown', method: 'Perished', explanation: 'Found dead', times: 1 };
const FLYSTRIKE: Cause = { reason: 'Disease', method: 'Perished', explanation: 'Flystrike', times: 2 };
const LAMBING: Cause = {
  reason: 'Parturition',
  method: 'Perished',
  explanation: 'Lost at lambing',
  times: 3,
};
const EXPOSURE: Cause = { reason: 'Other', method: 'Perished', explanation: 'Cold wind and rain', times: 3 };
const CALVING: Cause = {
  reason: 'Parturition',
  method: 'Perished',
  explanation: 'Lost at calving',
  times: 3,
};
const DROUGHT: Cause = {
  reason: 'Nutrition',
  method: 'Perished',
  explanation: 'Weak in the dry autumn',
  times: 3,
};

/** Head that die. */
export function die(diary: Diary, lot: Lot, { reason, method, explanation }: Omit<Cause, 'times'>): void {
  const group = groupOf(diary, lot);
  diary.book.add({ ...lot, head: -lot.head });
  diary.event('icarGroupMovementDeathEventResource', `deaths-${lot.mob}`, {
    ...group,
    deathreason: reason,
    deathMethod: method,
    explanation,
    disposalMethod: reason === 'Consumption' ? 'Consumption' : 'OnPremise',
  });
}

/** Deaths through both years: so many of a hundred head in a year, more in their bad seasons. */
export function loseSome(diary: Diary, mob: string, kind: Kind, percentPerYear: number): void {
  for (const { year, month } of months()) {
    const day = `${year}-${two(month)}-${two(diary.chance.between(2, 27))}T16:30`;
    const cause = causeOf(kind, year, month);
    diary.on(day, () => {
      const expected = (diary.book.head(mob, kind) * percentPerYear * cause.times) / 1200;
      const head = Math.min(diary.chance.round(expected), diary.book.head(mob, kind));
      if (head > 0) die(diary, { mob, kind, head }, cause);
    });
  }
}

/** A sheep for the house every six weeks or so. */
export function rations(diary: Diary, mob: string, kind: Kind): void {
  for (const { year, month } of months()) {
    if (month % 3 === 0) continue;
    diary.on(`${year}-${two(month)}-${two(diary.chance.between(3, 26))}T07:15`, () => {
      const consumed = { reason: 'Consumption', method: 'Slaughter', explanation: 'Killed for the house' };
      if (diary.book.head(mob, kind) > 0) die(diary, { mob, kind, head: 1 }, consumed);
    });
  }
}

function causeOf({ species, ageClass }: Kind, year: number, month: number): Cause {
  if (year === 2026 && month >= 3 && month <= 5) return DROUGHT;
  if (species === 'Cattle') return month >= 8 && month <= 9 && ageClass !== 'steer' ? CALVING : ORDINARY;
  if (ageClass === 'ewe' && month >= 8 && month <= 9) return LAMBING;
  if (ageClass === 'lamb' && month >= 8 && month <= 9) return EXPOSURE;
  return month >= 11 || month <= 3 ? FLYSTRIKE : ORDINARY;
}

function months(): { year: number; month: number }[] {
  return FINANCIAL_YEARS.flatMap((year) =>
    Array.from({ length: 12 }, (_, index) => ({
      year: index < 6 ? year : year + 1,
      month: ((index + 6) % 12) + 1,
    })),
  );
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
