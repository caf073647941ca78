import type { Chance } from './chance.js';
import { StockBook } from './stock-book.js';

export const FARM_ZONE = 'Australia/Sydney';
export const STORY = { start: '2024-07-01', end: '2026-06-30' } as const;
export const FINANCIAL_YEARS = [2024, 2025] as const;

const SOURCE = 'wirrabilla-diary';

/** A resource as the import takes it. */
export type FarmRecord = Readonly<Record<string, unknown>> & { readonly resourceType: string };

/** `2024-09-12`, or with a farm-local time `2024-09-12T14:30`. */
export type Moment = string;

/**
 * Tells the story of the sample farm: entries are planned in any order and happen in the order of their moments, so
 * that each finds the stock book as it stood then. What happens is written down as records.
 */
export class Diary {
  readonly book = new StockBook();
  readonly records: FarmRecord[] = [];
  private readonly plans: { readonly when: Moment; readonly happens: () => void }[] = [];
  private readonly ids = new Set<string>();
  private now: Moment = STORY.start;

  constructor(readonly chance: Chance) {}

  on(when: Moment, happens: () => void): void {
    this.plans.push({ when, happens });
  }

  /** Lets everything happen that is planned, a day's undated entries first. */
  tell(): readonly FarmRecord[] {
    for (const { when, happens } of this.plans.toSorted((a, b) => compare(a.when, b.when))) {
      this.now = when;
      happens();
    }
    return this.records;
  }

  get today(): string {
    return this.now.slice(0, 10);
  }

  /** Writes what stands whatever the day. */
  declare(resourceType: string, id: string, body: object): void {
    this.records.push({
      resourceType,
      id,
      meta: this.meta(`${kebab(resourceType)}-${id}`, STORY.start),
      ...body,
    });
  }

  /** Writes a record of Muster's own kind. */
  note(resourceType: string, id: string, body: object): void {
    const timed = this.now.includes('T');
    this.write(resourceType, id, {
      [timed ? 'eventDateTime' : 'date']: timed ? instant(this.now) : this.now,
      ...body,
    });
  }

  /** Writes an event of the exchange standard. */
  event(resourceType: string, id: string, body: object): void {
    const eventDateTime = this.now.includes('T') ? instant(this.now) : this.now;
    this.write(resourceType, id, { eventDateTime, location: { scheme: 'au.pic', id: HOME_PIC }, ...body });
  }

  private write(resourceType: string, what: string, body: object): void {
    const id = this.unused(`${what}-${this.today}`);
    this.records.push({ resourceType, id, meta: this.meta(id, this.today), ...body });
  }

  private unused(id: string, again = 2): string {
    const candidate = again === 2 ? id : `${id}-${again - 1}`;
    if (this.ids.has(candidate)) return this.unused(id, again + 1);
    this.ids.add(candidate);
    return candidate;
  }

  private meta(sourceId: string, day: string): object {
    return { source: SOURCE, sourceId, modified: instant(`${day}T20:00`) };
  }
}

/** The farm's property identification code. */
export const HOME_PIC = 'NH481206';

/** The farm-local moment as an instant of RFC 3339. */
export function instant(moment: Moment): string {
  return Temporal.PlainDateTime.from(moment).toZonedDateTime(FARM_ZONE).toInstant().toString();
}

export function plusDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function kebab(name: string): string {
  return name
    .replace(/^icar|Resource$/g, '')
    .replace(/\B[A-Z]/g, '-$&')
    .toLowerCase();
}
