import {
  type FarmRecords,
  type Holding,
  type Period,
  type Transition,
  UNASSIGNED,
} from '../../farm-records/reader.js';
import { joinedKey } from '../keys.js';
import { HeadAccount } from './head-account.js';
import type { AccountFlows } from './opening-values.js';
import type { PlacedCount } from './stock-counts.js';
import type { StockGroup } from './stock-group.js';

/** The grain of the report. */
export const GRAIN = ['species', 'enterprise', 'ageClass'] as const;
export type ClassKey = Pick<Holding, (typeof GRAIN)[number]>;

/** The accounts and counts of every class of every enterprise that has any. */
export class Book {
  private readonly classes = new Map<string, ClassKey & { account: HeadAccount; counts: PlacedCount[] }>();

  account(key: ClassKey): HeadAccount {
    return this.entry(key).account;
  }

  /** In no order; an enterprise or class that a count leaves open is ''. */
  get entries(): readonly (ClassKey & StockGroup)[] {
    return [...this.classes.values()];
  }

  /** Head at the start of the period and the flows of it; opening stock of its first day is part of the opening. */
  async open(records: FarmRecords, { start }: Period, { firstDay, after }: AccountFlows): Promise<void> {
    for (const balance of await records.balances(start, GRAIN)) this.account(balance).opening += balance.head;
    for (const flow of firstDay) {
      if (flow.category === 'opening') this.account(flow).opening += flow.head;
      else this.account(flow).enter(flow.category, flow.head);
    }
    for (const flow of after) this.account(flow).enter(flow.category, flow.head);
  }

  async enterTransitions(records: FarmRecords, period: Period): Promise<void> {
    for await (const transitions of records.transitions(period)) {
      for (const transition of transitions) this.enterTransition(transition);
    }
  }

  async enterCounts(records: FarmRecords, period: Period): Promise<void> {
    for (const [place, count] of (await records.counts(period)).entries())
      this.entry(count).counts.push({ ...count, place });
  }

  private enterTransition({ species, kind, head, ...way }: Transition): void {
    const from = this.account({ species, enterprise: way.fromEnterprise, ageClass: way.fromAgeClass });
    const to = this.account({ species, enterprise: way.toEnterprise, ageClass: way.toAgeClass });
    from.items[kind === 'age_class' ? 'class_out' : 'enterprise_out'] += head;
    to.items[kind === 'age_class' ? 'class_in' : 'enterprise_in'] += head;
  }

  private entry({ species, enterprise, ageClass }: ClassKey) {
    const key = keyOf({ species, enterprise, ageClass });
    let entry = this.classes.get(key);
    if (!entry) {
      entry = { species, enterprise, ageClass, account: new HeadAccount(), counts: [] };
      this.classes.set(key, entry);
    }
    return entry;
  }
}

export function keyOf({ species, enterprise, ageClass }: ClassKey): string {
  return joinedKey(species, enterprise, ageClass);
}

/** In the words of the report's rows. */
export function describe({ species, enterprise, ageClass }: ClassKey, { names }: FarmRecords): string {
  return [species, enterprise && names.enterprise(enterprise), ageClass]
    .map((part) => part || UNASSIGNED)
    .join(', ');
}
