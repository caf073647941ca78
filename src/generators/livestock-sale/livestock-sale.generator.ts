import {
  type GenerationInput,
  type Generator,
  ReportGenerator,
  type Row,
  type RowExplanation,
  type RowInQuestion,
} from '../generator.js';
import { declared } from '../row-columns.js';
import { explainTrade, type TradeReport, tradeRows } from '../trade-report.js';
import { COLUMNS, DEDUCTIONS, netOf } from './columns.js';

const REPORT: TradeReport = {
  category: 'sale',
  columns: COLUMNS,
  fees: { kinds: DEDUCTIONS, others: 'other_deductions' },
  afterFees: { column: 'net', of: netOf },
  particulars: ({ whp, esi }) => ({ whp_active_head: whp.head, esi_active_head: esi.head }),
};

@ReportGenerator({
  type: 'livestock-sale.v1',
  title: 'Livestock sales',
  description:
    'What was sold, to whom, for how much and at what cost, by consignment and class, with stock sold inside a withholding period flagged.',
  version: '1.0',
  columns: declared(COLUMNS),
  rules: [
    'A row per consignment and class, enterprise, mob, paddock, breed and sex; a total per currency. A consignment is what shares day, reference, buyer and currency.',
    'Deductions of a consignment are split over its rows by head, the remainder of a cent on the last row.',
    'net = gross - commission - yardage - levy - freight - other_deductions; tax stands apart.',
    'Stock sold inside a withholding period, of a treatment or a feed, or inside an export slaughter interval are listed and flagged. Stock sold on the day on which they are clear are clear.',
    'Stock carry their withholding when a mob is split. A mob in which stock of unequal withholding came together carries the later date, with a warning; the withholding of a mob ends when the last of its stock that had it is gone.',
    'A sale return is a row with negative head and amounts on its own day.',
  ],
})
export class LivestockSale implements Generator {
  rows(input: GenerationInput): AsyncIterable<readonly Row[]> {
    return tradeRows(REPORT, input);
  }

  async explain(input: GenerationInput, row: RowInQuestion): Promise<RowExplanation> {
    return explainTrade(REPORT, input, row);
  }
}
