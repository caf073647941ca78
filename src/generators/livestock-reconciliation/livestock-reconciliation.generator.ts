import { type FarmRecords, type Holding, UNASSIGNED } from '../../farm-records/reader.js';
import {
  type GenerationInput,
  type GenerationPeriod,
  type Generator,
  ReportGenerator,
  type Row,
  SelfCheckFailed,
} from '../generator.js';
import { COLUMNS } from './columns.js';
import { HeadAccount } from './head-account.js';
import { type AccountFlows, type StockValue, tradingStock, valuesBefore } from './opening-values.js';
import { StockCounts } from './stock-counts.js';
import { headCells, type StockGroup, together, valueCells } from './stock-group.js';
import { totalOf, type TradingStock, type Valuation, valueOf } from './valuation.js';
import { warnOfValues } from './warnings.js';

type ClassKey = Pick<Holding, 'species' | 'enterprise' | 'ageClass'>;

/** What the ledger says of the period, and what stock was worth before it. */
interface Ledger {
  readonly flows: AccountFlows;
  readonly before: ReadonlyMap<string, StockValue>;
}

@ReportGenerator({
  type: 'livestock-reconciliation.v3',
  title: 'Livestock reconciliation',
  description:
    'How the head at the start of a period became the head at its end, by species, enterprise and age class, and what they are worth at average cost.',
  version: '3.0',
  columns: COLUMNS,
})
export class LivestockReconciliation implements Generator {
  async *rows({ records, period, warn }: GenerationInput): AsyncIterable<readonly Row[]> {
    const ledger = await readLedger(records, period);
    const book = new Book();
    for (const balance of await records.balances(period.start, GRAIN))
      book.account(balance).opening += balance.head;
    enterFlows(book, ledger.flows, warn);
    await enterTransitions(book, records, period);
    for (const count of await records.counts(period)) book.counts(count).add(count);
    await check(book, records, period, warn);
    yield reportRows(book, records, ledger, warn);
  }
}

const GRAIN = ['species', 'enterprise', 'ageClass'] as const;

async function readLedger(records: FarmRecords, { start, end }: GenerationPeriod): Promise<Ledger> {
  const second = records.calendar.plusDays(start, 1);
  const after = records.calendar.plusDays(end, 1);
  const [firstDay = [], rest = []] = await records.flowsBetween([...new Set([start, second, after])], GRAIN);
  return { flows: { firstDay, after: rest }, before: await valuesBefore(records, start) };
}

/** The accounts and counts of every class of every enterprise that has any. */
class Book {
  private readonly classes = new Map<string, ClassKey & { account: HeadAccount; counts: StockCounts }>();

  account(key: ClassKey): HeadAccount {
    return this.entry(key).account;
  }

  counts(key: ClassKey): StockCounts {
    return this.entry(key).counts;
  }

  /** Classes in the order of the report; a class that a count leaves open is ''. */
  get entries(): readonly (ClassKey & StockGroup)[] {
    return [...this.classes.values()].map(({ counts, ...entry }) => ({ ...entry, counted: counts.last }));
  }

  private entry({ species, enterprise, ageClass }: ClassKey) {
    const key = JSON.stringify([species, enterprise, ageClass]);
    let entry = this.classes.get(key);
    if (!entry) {
      entry = { species, enterprise, ageClass, account: new HeadAccount(), counts: new StockCounts() };
      this.classes.set(key, entry);
    }
    return entry;
  }
}

function enterFlows(book: Book, { firstDay, after }: AccountFlows, warn: GenerationInput['warn']): void {
  for (const flow of firstDay) {
    if (flow.category === 'opening') book.account(flow).opening += flow.head;
    else book.account(flow).enter(flow.category, flow.head);
  }
  for (const flow of after) {
    book.account(flow).enter(flow.category, flow.head);
    if (flow.category === 'opening')
      warn(
        `Opening stock of ${describe(flow)} lies inside the period: ${flow.head} head are shown under adjust_in.`,
      );
  }
}

async function enterTransitions(book: Book, records: FarmRecords, period: GenerationPeriod): Promise<void> {
  for await (const transitions of records.transitions(period)) {
    for (const {
      species,
      fromEnterprise,
      fromAgeClass,
      toEnterprise,
      toAgeClass,
      kind,
      head,
    } of transitions) {
      const from = book.account({ species, enterprise: fromEnterprise, ageClass: fromAgeClass });
      const to = book.account({ species, enterprise: toEnterprise, ageClass: toAgeClass });
      from.items[kind === 'age_class' ? 'class_out' : 'enterprise_out'] += head;
      to.items[kind === 'age_class' ? 'class_in' : 'enterprise_in'] += head;
    }
  }
}

/** opening + in - out must be what the ledger holds at the end, and what leaves a class or enterprise must arrive in another. */
async function check(
  book: Book,
  records: FarmRecords,
  { end }: GenerationPeriod,
  warn: GenerationInput['warn'],
): Promise<void> {
  const held = new Map(
    (await records.balances(records.calendar.plusDays(end, 1), GRAIN)).map((balance) => [
      describe(balance),
      balance.head,
    ]),
  );
  for (const entry of book.entries) {
    const { account } = entry;
    const head = held.get(describe(entry)) ?? 0;
    held.delete(describe(entry));
    if (account.closing !== head)
      throw new SelfCheckFailed(
        `${describe(entry)}: opening + in - out is ${account.closing} head, but the ledger holds ${head}`,
      );
    if (account.opening < 0)
      warn(`${describe(entry)} opens with ${account.opening} head: more left than was ever there.`);
    if (account.closing < 0)
      warn(`${describe(entry)} closes with ${account.closing} head: more left than was there.`);
  }
  for (const [name, head] of held)
    throw new SelfCheckFailed(`${name}: the ledger holds ${head} head that no flow explains`);
  for (const [species, parts] of Map.groupBy(book.entries, (entry) => entry.species)) {
    const { items } = together(parts).account;
    if (items.class_in !== items.class_out)
      throw new SelfCheckFailed(`${species}: class_in is ${items.class_in}, class_out ${items.class_out}`);
    if (items.enterprise_in !== items.enterprise_out) {
      throw new SelfCheckFailed(
        `${species}: enterprise_in is ${items.enterprise_in}, enterprise_out ${items.enterprise_out}`,
      );
    }
  }
}

function reportRows(book: Book, records: FarmRecords, ledger: Ledger, warn: GenerationInput['warn']): Row[] {
  const name = (enterprise: string) => (enterprise === '' ? '' : records.names.enterprise(enterprise));
  const shown = book.entries
    .filter(({ account, counted }) => !account.isEmpty || counted)
    .toSorted((a, b) =>
      compare(
        [a.species, name(a.enterprise), a.enterprise, a.ageClass],
        [b.species, name(b.enterprise), b.enterprise, b.ageClass],
      ),
    );
  const rows: Row[] = [];
  const valued: Valuation[] = [];
  for (const [species, ofSpecies] of Map.groupBy(shown, (entry) => entry.species)) {
    for (const [enterprise, ofEnterprise] of Map.groupBy(ofSpecies, (entry) => entry.enterprise)) {
      for (const entry of ofEnterprise)
        rows.push(row('detail', [species, name(enterprise), enterprise, entry.ageClass], entry));
      rows.push(row('subtotal', [species, name(enterprise), enterprise, null], together(ofEnterprise)));
    }
    const stock = stockOf(species, records, ledger);
    const valuation = valueOf(stock);
    warnOfValues(species, stock, valuation, ledger.flows, warn);
    valued.push(valuation);
    rows.push(row('subtotal', [species, null, null, null], together(ofSpecies), valuation));
  }
  if (rows.length > 0) rows.push(row('total', [null, null, null, null], together(shown), totalOf(valued)));
  return rows;
}

function stockOf(species: string, records: FarmRecords, { flows, before }: Ledger): TradingStock {
  return tradingStock(records, species, before.get(species), flows);
}

function row(
  rowType: Row['rowType'],
  key: readonly (string | null)[],
  group: StockGroup,
  valuation?: Valuation,
): Row {
  return { rowType, cells: [...key, ...headCells(group), ...valueCells(valuation)] };
}

function describe({ species, enterprise, ageClass }: ClassKey): string {
  return [species, enterprise, ageClass].map((part) => part || UNASSIGNED).join(', ');
}

function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at < 0) return 0;
  return (a[at] as string) < (b[at] as string) ? -1 : 1;
}
