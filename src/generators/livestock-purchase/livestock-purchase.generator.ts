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
  rules: [
    'A row per consignment and class, enterprise, mob, paddock, breed and sex; a total per currency. A consignment is what shares day, reference, vendor and currency.',
    'Costs of a consignment are split over its rows by head, the remainder of a cent on the last row.',
    'landed_total = gross + freight + commission + insurance + other_costs; tax stands apart.',
    'Transfers between own properties and agistment are no purchases.',
    'What has no price, or one per kg and no weight, is listed with blank amounts, with a warning; so are consignments of which other head were consigned than recorded.',
  ],
})
export class LivestockPurchase implements Generator {
  rows(input: GenerationInput): AsyncIterable<readonly Row[]> {
    return tradeRows(REPORT, input);
  }

  async explain(input: GenerationInput, row: RowInQuestion): Promise<RowExplanation> {
    return explainTrade(REPORT, input, row);
  }
}
