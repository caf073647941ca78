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
import { COLUMNS, COSTS, landedOf } from './columns.js';

const REPORT: TradeReport = {
  category: 'purchase',
  columns: COLUMNS,
  fees: { kinds: COSTS, others: 'other_costs' },
  afterFees: { column: 'landed_total', of: landedOf },
};

@ReportGenerator({
  type: 'livestock-purchase.v1',
  title: 'Livestock purchases',
  description: 'What was bought, from whom, for how much and at what landed cost, by consignment and class.',
  version: '1.0',
  columns: declared(COLUMNS),
})
export class LivestockPurchase implements Generator {
  rows(input: GenerationInput): AsyncIterable<readonly Row[]> {
    return tradeRows(REPORT, input);
  }

  async explain(input: GenerationInput, row: RowInQuestion): Promise<RowExplanation> {
    return explainTrade(REPORT, input, row);
  }
}
