import type {
  Category,
  DatedLine,
  FarmRecords,
  HeadLine,
  LocalDate,
  Period,
} from '../farm-records/reader.js';

/** Longer than withholding of any registered product lasts. */
const LONGEST_DAYS = 366;

const CLEAR = { whpClear: 'withholding', esiClear: 'export slaughter interval' } as const;
type Clear = keyof typeof CLEAR;

/** How stock come to be withheld, or come into a mob withheld. */
const COMING: readonly Category[] = ['treatment', 'feeding', 'mob_transfer', 'purchase', 'transfer_in'];

interface Merge {
  readonly mob: string;
  readonly day: LocalDate;
  readonly what: Clear;
  /** The later date, which all head of the mob carry from then on. */
  readonly clear: LocalDate;
}

/** Warns of what happened in a period to any mob. */
export async function warnOfMerges(
  records: FarmRecords,
  { start, end }: Period,
  warn: (text: string) => void,
): Promise<void> {
  const merges = await unequalMerges(records, { start, end });
  for (const merge of merges) if (merge.day >= start) warn(textOf(merge, records));
}

/** Remembers which mobs left the farm withheld, and warns where that stands on the later date of a merge. */
export class WithheldMobs {
  /** The days on which they left. */
  private readonly left = new Map<string, LocalDate[]>();

  see(mob: string, day: LocalDate): void {
    this.left.set(mob, [...(this.left.get(mob) ?? []), day]);
  }

  async warnOfMerges(records: FarmRecords, warn: (text: string) => void): Promise<void> {
    const days = [...this.left.values()].flat().toSorted();
    const [start, end] = [days[0], days.at(-1)];
    if (start === undefined || end === undefined) return;
    for (const merge of await unequalMerges(records, { start, end }, new Set(this.left.keys()))) {
      const { mob, day, clear } = merge;
      if (this.left.get(mob)?.some((leaving) => leaving >= day && leaving < clear))
        warn(textOf(merge, records));
    }
  }
}

function textOf({ mob, day, what, clear }: Merge, { names }: FarmRecords): string {
  return `Stock of unequal ${CLEAR[what]} came together in mob ${names.mob(mob)} on ${day}: all its head carry the later date, ${clear}.`;
}

/**
 * Mobs counted by head in which stock of unequal withholding came together, up to the end of a period: nobody can tell who is who, so all
 * carry the later date.
 */
async function unequalMerges(
  records: FarmRecords,
  { start, end }: Period,
  mobs?: ReadonlySet<string>,
): Promise<Merge[]> {
  const period = { start: records.calendar.plusDays(start, -LONGEST_DAYS), end };
  const candidates: Merge[] = [];
  const held = new Map<string, Partial<Record<Clear, LocalDate>>>();
  const coming = records.mobLines(period, COMING);
  for await (const lines of coming) {
    for (const line of lines) {
      if (line.empties) held.delete(line.mob);
      if (line.delta < 0 || mobs?.has(line.mob) === false) continue;
      const before = held.get(line.mob) ?? {};
      candidates.push(...mergesOf(line, before));
      held.set(line.mob, {
        ...before,
        ...latest('whpClear', before, line),
        ...latest('esiClear', before, line),
      });
    }
  }
  return withStock(records, candidates);
}

function mergesOf(line: DatedLine, before: Partial<Record<Clear, LocalDate>>): Merge[] {
  const { day, delta } = line;
  if (delta === 0) return [];
  return (Object.keys(CLEAR) as Clear[]).flatMap((what) => {
    const [own, there] = [lasting(line[what], day), lasting(before[what], day)];
    return own === there ? [] : [{ mob: line.mob, day, what, clear: own > there ? own : there }];
  });
}

/** The day itself where nothing lasts beyond it. */
function lasting(clear: LocalDate | undefined, day: LocalDate): LocalDate {
  return clear !== undefined && clear > day ? clear : day;
}

function latest(
  what: Clear,
  before: Partial<Record<Clear, LocalDate>>,
  line: HeadLine,
): Partial<Record<Clear, LocalDate>> {
  const clear = line[what];
  return clear !== undefined && clear > (before[what] ?? '') ? { [what]: clear } : {};
}

/** Stock that come into a mob with none merge with nobody. One reading of the ledger for all the days. */
async function withStock(records: FarmRecords, merges: readonly Merge[]): Promise<Merge[]> {
  const byDay = Map.groupBy(merges, ({ day }) => day);
  const days = [...byDay.keys()].toSorted();
  const [first] = days;
  if (first === undefined) return [];
  const held = new Map((await records.balances(first, ['mob'])).map(({ mob, head }) => [mob, head]));
  const flows = await records.flowsBetween(days, ['mob']);
  return days.flatMap((day, index) => {
    const found = (byDay.get(day) ?? []).filter(({ mob }) => (held.get(mob) ?? 0) !== 0);
    for (const { mob, head } of flows[index] ?? []) held.set(mob, (held.get(mob) ?? 0) + head);
    return found;
  });
}
