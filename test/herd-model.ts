import { type Doing, type Happening, type Head, ZONE } from './herd-story.js';

const IN: Partial<Record<Doing, string>> = {
  birth: 'births',
  purchase: 'purchases',
  'agistment in': 'transfers_in',
};
const OUT: Partial<Record<Doing, string>> = {
  sale: 'sales',
  death: 'deaths',
  loss: 'missing',
  ration: 'rations',
  'agistment out': 'transfers_out',
};

/**
 * The reference: follows every head by itself, knows no ledger, no sums and no mobs by number. Answers head by enterprise and class as the
 * reconciliation shows them, columns that are 0 left out.
 */
export function reconciled(
  happenings: readonly Happening[],
  start: string,
  end: string,
): Record<string, Record<string, number>> {
  const accounts: Record<string, Record<string, number>> = {};
  const enter = ({ enterprise, ageClass }: Head, column: string, head: number) => {
    const account = (accounts[`${enterprise} ${ageClass}`] ??= {});
    account[column] = (account[column] ?? 0) + head;
  };
  for (const { does, day, stock, to } of happenings.filter((each) => each.day <= end)) {
    for (const head of stock) {
      const after = { ...head, ...to };
      const inside = day >= start;
      const changed =
        head.enterprise !== after.enterprise ? 'enterprise' : head.ageClass !== after.ageClass ? 'class' : '';
      if (does === 'opening') enter(head, day <= start ? 'opening' : 'adjust_in', 1);
      else if (IN[does]) enter(head, inside ? IN[does] : 'opening', 1);
      else if (OUT[does]) enter(head, inside ? OUT[does] : 'opening', inside ? 1 : -1);
      else if (changed) {
        enter(head, inside ? `${changed}_out` : 'opening', inside ? 1 : -1);
        enter(after, inside ? `${changed}_in` : 'opening', 1);
      }
    }
  }
  return Object.fromEntries(
    Object.entries(accounts)
      .map(([key, account]) => [key, someOf(account)] as const)
      .filter(([, account]) => Object.keys(account).length > 0),
  );
}

/** Head days by paddock and month (`p1 2024-09`); '' is stock in no paddock. A day is one day, however long. */
export function grazed(happenings: readonly Happening[], start: string, end: string): Record<string, number> {
  const days: Record<string, number> = {};
  const stays = new Map<string, { paddock: string; from: Moment }>();
  const leave = (tag: string, until: Moment) => {
    const stay = stays.get(tag);
    if (stay) addDays(days, stay.paddock, stay.from, until, start, end);
    stays.delete(tag);
  };
  for (const { does, day, hour, stock, to } of happenings) {
    const now = does === 'opening' ? { day, part: 0 } : { day, part: partOf(day, hour) };
    for (const head of stock) {
      leave(head.tag, now);
      if (!OUT[does]) stays.set(head.tag, { paddock: to.paddock ?? head.paddock, from: now });
    }
  }
  const over = { day: plusDays(end, 1), part: 0 };
  for (const tag of [...stays.keys()]) leave(tag, over);
  return Object.fromEntries(Object.entries(days).filter(([, head]) => Math.abs(head) > 1e-9));
}

interface Moment {
  readonly day: string;
  /** Of the day, 0 to 1. */
  readonly part: number;
}

function addDays(
  days: Record<string, number>,
  paddock: string,
  from: Moment,
  until: Moment,
  start: string,
  end: string,
): void {
  for (let day = from.day; day <= until.day && day <= end; day = plusDays(day, 1)) {
    if (day < start) continue;
    const [begins, ends] = [day === from.day ? from.part : 0, day === until.day ? until.part : 1];
    const key = `${paddock} ${day.slice(0, 7)}`;
    days[key] = (days[key] ?? 0) + ends - begins;
  }
}

function partOf(day: string, hour: number): number {
  const date = Temporal.PlainDate.from(day);
  const [dawn, next, now] = [
    date.toZonedDateTime(ZONE),
    date.add({ days: 1 }).toZonedDateTime(ZONE),
    date.toZonedDateTime({ timeZone: ZONE, plainTime: { hour } }),
  ].map((each) => each.epochMilliseconds) as [number, number, number];
  return (now - dawn) / (next - dawn);
}

function plusDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

function someOf(account: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(account).filter(([, head]) => head !== 0));
}
