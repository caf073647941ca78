import type { FarmRecords } from '../../farm-records/reader.js';
import {
  type GenerationInput,
  type Generator,
  ReportGenerator,
  type Row,
  type RowExplanation,
  type RowInQuestion,
} from '../generator.js';
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
    warnOfBook(book, flows, warn);
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
  const shown = book.entries.filter(({ account, counted }) => !account.isEmpty || counted);
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
  return [species, name ?? '', enterprise, ageClass].join('\u0000');
}

function row(
  rowType: Row['rowType'],
  key: readonly (string | null)[],
  group: StockGroup,
  valuation?: Valuation,
): Row {
  return { rowType, cells: [...key, ...headCells(group), ...valueCells(valuation)] };
}
