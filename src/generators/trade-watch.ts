import type { FarmRecords } from '../farm-records/reader.js';
import type { Consignment } from './lot.js';
import { WithheldMobs } from './merged-withholding.js';

/** Notes what a reader of a trade report should look at, for the warnings. */
export class TradeWatch {
  private unpriced = 0;
  private withheld = 0;
  private readonly mobs = new WithheldMobs();

  see({ day, reference, headInvoiced, lots }: Consignment, warn: (text: string) => void): void {
    const head = lots.reduce((total, lot) => total + lot.head, 0);
    if (headInvoiced !== null && headInvoiced !== head) {
      warn(
        `Consignment ${reference ?? 'without a reference'} of ${day}: ${headInvoiced} head were consigned, ${head} were recorded.`,
      );
    }
    for (const lot of lots) {
      if (lot.gross === undefined) this.unpriced += Math.abs(lot.head);
      const withheld = Math.max(lot.whp.head, lot.esi.head);
      this.withheld += withheld;
      if (withheld > 0 && lot.management === 'mob') this.mobs.see(lot.mob, day);
    }
  }

  async tell(records: FarmRecords, warn: (text: string) => void): Promise<void> {
    if (this.unpriced > 0) {
      warn(
        `${this.unpriced} head have no price, or one per kg and no weight: their amounts are blank and outside the totals.`,
      );
    }
    if (this.withheld > 0)
      warn(`${this.withheld} head were moved inside a withholding period or export slaughter interval.`);
    await this.mobs.warnOfMerges(records, warn);
  }
}
