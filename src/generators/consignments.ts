import type { FarmRecords, HeadLine, Movement, Period } from '../farm-records/reader.js';
import { ConsignmentDraft } from './consignment-draft.js';
import { inOrderOfKeys, joinedKey } from './keys.js';
import type { Consignment } from './lot.js';

/**
 * The consignments of a period in the order of day, reference, counterparty and lot, a day at a time: no more than a day's
 * trade is held.
 */
export async function* consignments(
  records: FarmRecords,
  period: Period,
  category: 'purchase' | 'sale',
): AsyncIterable<readonly Consignment[]> {
  let day = new TradingDay(records, category);
  for await (const movements of records.movements(period, [category])) {
    for (const movement of movements) {
      if (day.date !== undefined && day.date !== movement.record.day) {
        yield day.consignments();
        day = new TradingDay(records, category);
      }
      day.add(movement);
    }
  }
  if (day.date !== undefined) yield day.consignments();
}

class TradingDay {
  date: string | undefined;
  private readonly drafts = new Map<string, ConsignmentDraft>();

  constructor(
    private readonly records: FarmRecords,
    private readonly category: 'purchase' | 'sale',
  ) {}

  add(movement: Movement): void {
    this.date = movement.record.day;
    const lines = movement.lines.filter((line) => line.category === this.category && line.delta !== 0);
    const returned = (line: HeadLine) => line.delta > 0 !== (this.category === 'purchase');
    for (const sign of [1, -1] as const) {
      const part = lines.filter((line) => returned(line) === (sign === -1));
      if (part.length > 0) this.draft(movement, sign).add(movement, part);
    }
  }

  consignments(): Consignment[] {
    return inOrderOfKeys(this.drafts).map(([, draft]) => draft.consignment());
  }

  private draft({ record, trade }: Movement, sign: 1 | -1): ConsignmentDraft {
    const currency = trade.currency ?? this.records.farm.currency;
    const key = joinedKey(trade.reference ?? '', trade.counterparty ?? '', currency, sign);
    let draft = this.drafts.get(key);
    if (!draft) {
      draft = new ConsignmentDraft(
        this.records,
        record.day,
        trade.reference ?? null,
        trade.counterparty ?? null,
        currency,
        sign,
      );
      this.drafts.set(key, draft);
    }
    return draft;
  }
}
