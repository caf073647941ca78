import type { Feeding, When } from './resources/index.js';

/** The last local day of a feeding. One that ends as a day begins ends with the day before. */
export function lastDayFed(
  firstDay: string,
  end: When | undefined,
  dayOf: (instant: number) => string,
): string {
  const last = end && ('day' in end ? end.day : dayOf(end.instant - 1));
  return last !== undefined && last > firstDay ? last : firstDay;
}

/** Days of withholding of a feed in a feeding: those said with the feeding, else the feed's; undefined when none are known. */
export function feedWhpDays(feeding: Feeding, declared: number | undefined): number | undefined {
  return feeding.whpDays ?? declared;
}
