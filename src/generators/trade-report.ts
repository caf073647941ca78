import { consignments } from './consignments.js';
import { type Decimal, ZERO } from './decimals.js';
import { type Brings, explainSubjects } from './evidence.js';
import type { GenerationInput, Row, RowExplanation, RowInQuestion } from './generator.js';
import { type Consignment, type ConsignedLot, feeOf, type LotFigures, otherFees } from './lot.js';
import { cellsNamed, cellsOf, type RowColumn } from './row-columns.js';
import { TradeTotals } from './trade-totals.js';
import { TradeWatch } from './trade-watch.js';

/** What a report of a trade in stock is made of: a row a lot, and a total a currency. */
export interface TradeReport {
  readonly category: 'purchase' | 'sale';
  readonly columns: readonly RowColumn<ConsignedLot>[];
  /** Kinds of fees that have a column of their own, and the column of all others. */
  readonly fees: { readonly kinds: readonly string[]; readonly others: string };
  /** What the gross comes to when the fees are in. */
  readonly afterFees: {
    readonly column: string;
    readonly of: (figures: LotFigures) => Decimal | undefined;
  };
  /** Figures of this trade alone. */
  readonly particulars?: (figures: LotFigures) => Brings;
}

export async function* tradeRows(
  report: TradeReport,
  { records, period, warn }: GenerationInput,
): AsyncIterable<readonly Row[]> {
  const totals = new TradeTotals();
  const watch = new TradeWatch();
  for await (const day of consignments(records, period, report.category)) {
    for (const consignment of day) watch.see(consignment, warn);
    const lots = day.flatMap((consignment) => lotsOf(consignment, records));
    for (const { consignment, lot } of lots) totals.add(consignment.currency, figuresOf(lot, report));
    yield lots.map((lot) => ({ rowType: 'detail', cells: cellsOf(report.columns, lot) }));
  }
  await watch.tell(records, warn);
  yield totals.cells.map((cells) => ({ rowType: 'total', cells: cellsNamed(report.columns, cells) }));
}

export function explainTrade(
  report: TradeReport,
  input: GenerationInput,
  row: RowInQuestion,
): RowExplanation {
  return explainSubjects(input, row, {
    columns: report.columns,
    subjects: async function* ({ records, period }) {
      for await (const day of consignments(records, period, report.category))
        yield day.flatMap((consignment) => lotsOf(consignment, records));
    },
    evidenceOf: ({ lot }) =>
      lot.parts().map((part) => ({ record: part.record, brings: figuresOf(part, report) })),
    totalledBy: ['currency'],
  });
}

function lotsOf(consignment: Consignment, records: GenerationInput['records']): ConsignedLot[] {
  return consignment.lots.map((lot) => ({ records, consignment, lot }));
}

/** What is added up, by column. */
function figuresOf(figures: LotFigures, { fees, afterFees, particulars }: TradeReport): Brings {
  const known = Object.fromEntries(fees.kinds.map((kind) => [kind, feeOf(figures, kind)]));
  return {
    head: figures.head,
    gross: figures.gross ?? ZERO,
    ...known,
    [fees.others]: otherFees(figures, fees.kinds),
    tax: figures.tax,
    [afterFees.column]: afterFees.of(figures) ?? ZERO,
    ...particulars?.(figures),
  };
}
