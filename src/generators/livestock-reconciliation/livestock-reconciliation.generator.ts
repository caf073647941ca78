import { type FarmRecords, PRESCRIBED_NATURAL_INCREASE } from '../../farm-records/reader.js';
import {
  type GenerationInput,
  type Generator,
  ReportGenerator,
  type Row,
  type RowExplanation,
  type RowInQuestion,
} from '../generator.js';
import { joinedKey } from '../keys.js';
import { Book, type ClassKey, GRAIN } from './book.js';
import { COLUMNS } from './columns.js';
import { explainRow } from './explain.js';
import { type AccountFlows, tradingStock, valuesBefore } from './opening-values.js';
import { check } from './self-check.js';
import { headCells, type StockGroup, together, valueCells } from './stock-group.js';
import { totalOf, type TradingStock, type Valuation, valueOf } from './valuation.js';
import { warnOfBook, warnOfValues } from './warnings.js';

@ReportGenerator({
  type: 'livestock-reconciliation.v3',
  title: 'Livestock reconciliation',
  description:
    'How the head at the start of a period became the head at its end, by species, enterprise and age class, and what they are worth at average cost.',
  version: '3.0',
  columns: COLUMNS,
  rules: [
    'A row per species, enterprise and age class; subtotals per enterprise and per species; a total. Stock whose class or enterprise nobody named stand under Unassigned.',
    "closing = opening + in - out in every row, and the closing of a period is the opening of the next. The flows of a period are the sums of its parts'.",
    'Opening stock of the first day of the period belongs to the opening; opening stock of a later day is shown under adjust_in, with a warning.',
    'Changes of class and enterprise count net per local day, as in the classification transitions; a change of both counts in the enterprise columns alone.',
    'A difference between a count and the book is shown under unreconciled and stays out of closing, unless the count booked it; then it is in adjust_in or adjust_out. Of several counts the last one stands; a sum takes of counts that overlap the last too, so that nothing is counted twice.',
    'Values stand on species subtotals and the total, at average cost: what opened, was born and was bought gives the average; rations, transfers and closing stock are worth that average a head, deaths and losses nothing.',
    "An opening is valued by its opening stock, else at the closing value of the time before, account by account through the farm's financial years since its first record. Where no value is known the value columns are blank, with a warning.",
    'More head leaving than were there give a negative balance, which is shown, with a warning.',
  ],
  sources: [
    `Natural increase a head, where the farm sets no value of its own (Income Tax Assessment Act 1997 of Australia, section 70-55, and its regulations): ${valuesOf(PRESCRIBED_NATURAL_INCREASE)}.`,
  ],
})
export class LivestockReconciliation implements Generator {
  async *rows({ records, period, warn }: GenerationInput): AsyncIterable<readonly Row[]> {
    const flows = await flowsOf(records, period);
    const before = await valuesBefore(records, period.start);
    const book = new Book();
    await book.open(records, period, flows);
    await book.enterTransitions(records, period);
    await book.enterCounts(records, period);
    await check(book, records, period);
    warnOfBook(book, flows, records, warn);
    yield reportRows(book, records, (species) => {
      const stock = tradingStock(records, species, before.get(species), flows);
      warnOfValues(species, stock, flows, warn);
      return stock;
    });
  }

  explain(input: GenerationInput, row: RowInQuestion): Promise<RowExplanation> {
    return explainRow(input, row);
  }
}

function valuesOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([species, value]) => `${species} ${value}`)
    .join(', ');
}

async function flowsOf(
  records: FarmRecords,
  { start, end }: GenerationInput['period'],
): Promise<AccountFlows> {
  const [second, next] = [records.calendar.plusDays(start, 1), records.calendar.plusDays(end, 1)];
  const [firstDay = [], after = []] = await records.flowsBetween([...new Set([start, second, next])], GRAIN);
  return { firstDay, after };
}

/** By species, enterprise and age class: details, a subtotal an enterprise, a valued subtotal a species, and the total. */
function reportRows(book: Book, records: FarmRecords, stockOf: (species: string) => TradingStock): Row[] {
  const name = (enterprise: string) => (enterprise === '' ? null : records.names.enterprise(enterprise));
  const shown = book.entries.filter(({ account, counts }) => !account.isEmpty || counts.length > 0);
  const ordered = shown.toSorted((a, b) =>
    orderOf(a, name(a.enterprise)) < orderOf(b, name(b.enterprise)) ? -1 : 1,
  );
  const rows: Row[] = [];
  const valuations: Valuation[] = [];
  for (const [species, ofSpecies] of Map.groupBy(ordered, (entry) => entry.species)) {
    for (const [enterprise, ofEnterprise] of Map.groupBy(ofSpecies, (entry) => entry.enterprise)) {
      const key = [species || null, name(enterprise), enterprise || null];
      for (const entry of ofEnterprise) rows.push(row('detail', [...key, entry.ageClass || null], entry));
      rows.push(row('subtotal', [...key, null], together(ofEnterprise)));
    }
    const valuation = valueOf(stockOf(species));
    valuations.push(valuation);
    rows.push(row('subtotal', [species || null, null, null, null], together(ofSpecies), valuation));
  }
  if (rows.length === 0) return [];
  return [...rows, row('total', [null, null, null, null], together(shown), totalOf(valuations))];
}

function orderOf({ species, enterprise, ageClass }: ClassKey, name: string | null): string {
  return joinedKey(species, name, enterprise, ageClass);
}

function row(
  rowType: Row['rowType'],
  key: readonly (string | null)[],
  group: StockGroup,
  valuation?: Valuation,
): Row {
  return { rowType, cells: [...key, ...headCells(group), ...valueCells(valuation)] };
}
