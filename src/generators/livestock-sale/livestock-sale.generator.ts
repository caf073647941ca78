import { type Consignment, consignments, type Lot } from '../consignments.js';
import { Decimal, money, ZERO } from '../decimals.js';
import { type Cell, type GenerationInput, type Generator, ReportGenerator, type Row } from '../generator.js';
import { cellsNamed, cellsOf, declared } from '../row-columns.js';
import { COLUMNS, deduction, netOf, otherDeductions } from './columns.js';

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
    const totals = new Map<string, SaleTotal>();
    const watched = new Watch();
    for await (const day of consignments(records, period, 'sale')) {
      const rows: Row[] = [];
      for (const consignment of day) {
        const total = totals.get(consignment.currency) ?? new SaleTotal(consignment.currency);
        totals.set(consignment.currency, total);
        watched.see(consignment, warn);
        consignment.lots.forEach((lot, index) => {
          total.add(lot);
          rows.push({
            rowType: 'detail',
            cells: cellsOf(COLUMNS, { records, consignment, lot, isFirst: index === 0 }),
          });
        });
      }
      yield rows;
    }
    watched.tell(warn);
    yield [...totals]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, total]) => ({ rowType: 'total', cells: total.cells() }));
  }
}

/** All sales in one currency. */
class SaleTotal {
  private head = 0;
  private whpHead = 0;
  private esiHead = 0;
  private readonly sums: Record<string, Decimal> = {};

  constructor(private readonly currency: string) {}

  add(lot: Lot): void {
    this.head += lot.head;
    this.whpHead += lot.whp.head;
    this.esiHead += lot.esi.head;
    this.plus('gross', lot.gross);
    for (const kind of ['commission', 'yardage', 'levy', 'freight'] as const)
      this.plus(kind, deduction(lot, kind));
    this.plus('other_deductions', otherDeductions(lot));
    this.plus('tax', lot.tax);
    this.plus('net', netOf(lot));
  }

  cells(): Cell[] {
    const sums = Object.fromEntries(Object.entries(this.sums).map(([name, amount]) => [name, money(amount)]));
    const head = { head: this.head, whp_active_head: this.whpHead, esi_active_head: this.esiHead };
    return cellsNamed(COLUMNS, { ...sums, ...head, currency: this.currency });
  }

  private plus(name: string, amount: Decimal | undefined): void {
    this.sums[name] = (this.sums[name] ?? ZERO).plus(amount ?? ZERO);
  }
}

/** What a reader of the report should look at. */
class Watch {
  private unpriced = 0;
  private withheld = 0;

  see({ day, reference, headInvoiced, lots }: Consignment, warn: GenerationInput['warn']): void {
    const head = lots.reduce((sum, lot) => sum + lot.head, 0);
    if (headInvoiced !== null && headInvoiced !== head) {
      warn(
        `Consignment ${reference ?? 'without a reference'} of ${day}: ${headInvoiced} head were consigned, ${head} were recorded.`,
      );
    }
    for (const lot of lots) {
      if (lot.gross === undefined) this.unpriced += Math.abs(lot.head);
      this.withheld += Math.max(lot.whp.head, lot.esi.head);
    }
  }

  tell(warn: GenerationInput['warn']): void {
    if (this.unpriced > 0)
      warn(
        `${this.unpriced} head were sold without a price, or with one per kg and no weight: their gross and net are blank and outside the totals.`,
      );
    if (this.withheld > 0)
      warn(`${this.withheld} head were sold inside a withholding period or export slaughter interval.`);
  }
}
