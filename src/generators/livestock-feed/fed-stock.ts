import {
  type Act,
  type FarmRecords,
  type Fed,
  type Feed,
  type Feeding,
  feedWhpDays,
  type HeadLine,
  kilograms,
  lastDayFed,
  type Period,
  type RecordRef,
} from '../../farm-records/reader.js';
import { Decimal, sum, ZERO } from '../decimals.js';
import { inOrderOfKeys, joinedKey } from '../keys.js';

/** What one mob or class of animals had of one feed in one feeding, as far as it lies in the period. Exact, unrounded. */
export interface FedStock {
  readonly records: FarmRecords;
  readonly record: RecordRef;
  /** The first local day of the feeding inside the period. */
  readonly date: string;
  /** Where the stock stood. */
  readonly line: HeadLine;
  readonly head: number;
  readonly fed: Fed;
  readonly feed: Feed | undefined;
  readonly batch: string | null;
  readonly quantity: Decimal;
  /** undefined for bales and bags. */
  readonly kilograms: Decimal | undefined;
  readonly dryMatterPercent: Decimal | undefined;
  /** Per unit of the row; undefined when there is no cost, or one per a unit that cannot be converted. */
  readonly unitCost: Decimal | undefined;
  readonly totalCost: Decimal | undefined;
  readonly currency: string | null;
  readonly whpDays: number | null;
  readonly whpClearDate: string | null;
}

/** A feeding as rows; a cost whose unit does not convert is told to `warn`. */
export function fedStock(
  act: Act<Feeding>,
  feeds: ReadonlyMap<string, Feed>,
  records: FarmRecords,
  period: Period,
  warn: (text: string) => void,
): FedStock[] {
  const days = feedingDays(act, records);
  const inside = { start: later(days.start, period.start), end: earlier(days.end, period.end) };
  if (inside.start > inside.end) return [];
  const share = [records.calendar.days(inside), records.calendar.days(days)] as const;
  const groups = inOrderOfKeys(Map.groupBy(act.lines, groupKey)).map(([, lines]) => lines);
  const heads = groups.map((lines) => sumOfHead(lines));
  return act.what.fed.flatMap((fed) => {
    const feed = feeds.get(fed.feedId);
    const quantities = quantitiesOf(fed, heads).map((quantity) => quantity.times(share[0]).div(share[1]));
    const cost = costOf(fed, act.what.unitCost ?? feed?.unitCost, feed, warn);
    const whpDays = feedWhpDays(act.what, feed?.whpDays) ?? null;
    return groups.map((lines, index) => {
      const quantity = quantities[index] ?? ZERO;
      const unitCost = cost?.perUnit;
      return {
        records,
        record: act.record,
        date: inside.start,
        line: lines[0] as HeadLine,
        head: heads[index] ?? 0,
        fed,
        feed,
        batch: act.what.batch ?? null,
        quantity,
        kilograms: factorOf(fed.unit)?.times(quantity),
        dryMatterPercent: percentOf(fed.dryMatterPct ?? act.what.dryMatterPct ?? feed?.dryMatterPct),
        unitCost,
        totalCost: unitCost?.times(quantity),
        currency: cost?.currency ?? null,
        whpDays,
        whpClearDate: whpDays === null ? null : records.calendar.plusDays(days.end, whpDays),
      };
    });
  });
}

/** The local days of a feeding, both inclusive. */
function feedingDays({ record, what }: Act<Feeding>, { calendar }: FarmRecords): Period {
  return { start: record.day, end: lastDayFed(record.day, what.end, (at) => calendar.dayOf(at)) };
}

function groupKey({ mob, species, enterprise, ageClass, paddock, managed }: HeadLine): string {
  return joinedKey(mob, species, enterprise, ageClass, paddock, managed);
}

/** Per head, or all together split by head, the remainder with the largest group. */
function quantitiesOf(fed: Fed, heads: readonly number[]): Decimal[] {
  const quantity = new Decimal(fed.quantity);
  if (fed.per === 'head') return heads.map((head) => quantity.times(head));
  const whole = heads.reduce((total, head) => total + head, 0);
  if (whole === 0) return heads.map((_, index) => (index === 0 ? quantity : ZERO));
  const parts = heads.map((head) => quantity.times(head).div(whole).round(3, Decimal.roundDown));
  const largest = heads.indexOf(Math.max(...heads));
  const rest = quantity.minus(sum(parts));
  return parts.map((part, index) => (index === largest ? part.plus(rest) : part));
}

function costOf(fed: Fed, cost: Feeding['unitCost'], feed: Feed | undefined, warn: (text: string) => void) {
  if (!cost) return undefined;
  const { amount, currency, unit } = cost;
  if (unit === fed.unit) return { perUnit: new Decimal(amount), currency };
  const [from, to] = [factorOf(unit), factorOf(fed.unit)];
  if (from && to) return { perUnit: new Decimal(amount).times(to).div(from), currency };
  warn(
    `${feed?.name ?? fed.feedId}: a cost per ${unit} says nothing of a quantity in ${fed.unit}; its cost columns are blank.`,
  );
  return undefined;
}

/** Kilograms of one unit. */
function factorOf(unit: Fed['unit']): Decimal | undefined {
  const kilos = kilograms('1', unit);
  return kilos === undefined ? undefined : new Decimal(kilos);
}

function percentOf(percent: string | undefined): Decimal | undefined {
  return percent === undefined ? undefined : new Decimal(percent);
}

function sumOfHead(lines: readonly HeadLine[]): number {
  return lines.reduce((head, line) => head + line.head, 0);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}
