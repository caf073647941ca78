import { consignments } from '../consignments.js';
import { feeOf, type Lot, otherFees } from '../lot.js';
import { TradeWatch } from '../trade-watch.js';
import { type GenerationInput, type Generator, ReportGenerator, type Row } from '../generator.js';
import { cellsNamed, cellsOf, declared } from '../row-columns.js';
import { type TradeTotal, TradeTotals } from '../trade-totals.js';
import { COLUMNS, DEDUCTIONS, netOf } from './columns.js';

@ReportGenerator({
  type: 'livestock-sale.v1',
  title: 'Livestock sales',
  description:
    'What was sold, to whom, for how much and at what cost, by consignment and class, with stock sold inside a withholding period flagged.',
  version: '1.0',
  columns: declared(COLUMNS),
})
export class LivestockSale implements Generator {
  async *rows({ records, period, warn }: GenerationInput): AsyncIterable<readonly Row[]> {
    const totals = new TradeTotals();
    const watch = new TradeWatch();
    for await (const day of consignments(records, period, 'sale')) {
      const rows: Row[] = [];
      for (const consignment of day) {
        watch.see(consignment, warn);
        for (const lot of consignment.lots) {
          addTo(totals.of(consignment.currency), lot);
          rows.push({ rowType: 'detail', cells: cellsOf(COLUMNS, { records, consignment, lot }) });
        }
      }
      yield rows;
    }
    watch.tell(warn);
    yield totals.cells.map((cells) => ({ rowType: 'total', cells: cellsNamed(COLUMNS, cells) }));
  }
}

function addTo(total: TradeTotal, lot: Lot): void {
  total.addHead('head', lot.head);
  total.addHead('whp_active_head', lot.whp.head);
  total.addHead('esi_active_head', lot.esi.head);
  total.addMoney('gross', lot.gross);
  for (const kind of DEDUCTIONS) total.addMoney(kind, feeOf(lot, kind));
  total.addMoney('other_deductions', otherFees(lot, DEDUCTIONS));
  total.addMoney('tax', lot.tax);
  total.addMoney('net', netOf(lot));
}
