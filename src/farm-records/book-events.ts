import type { FarmCalendar } from './calendar.js';
import type { StoredFarm } from './farm-rows.js';
import { bookEvent } from './ledger.js';
import { LedgerPage, type LedgerTransaction } from './ledger-page.js';
import { loadBook } from './load-book.js';
import type { Moment } from './read-record.js';
import type { StockEvent } from './statement.js';
import { StockBook } from './stock-book.js';

/** An event in its place, with the number of its record. */
export interface PlacedEvent {
  readonly number: number;
  readonly moment: Moment;
  readonly event: StockEvent;
}

/**
 * Books events that follow all that the ledger holds, in their order: lines and their sums. The farm must be locked
 * by the transaction. Answers the farm's turns after.
 */
export async function bookEvents(
  tx: LedgerTransaction,
  farm: StoredFarm,
  calendar: FarmCalendar,
  events: readonly PlacedEvent[],
  turns: number,
): Promise<number> {
  if (events.length === 0) return turns;
  const book = new StockBook();
  await loadBook(
    tx,
    farm,
    events.map(({ event }) => event),
    book,
  );
  const page = new LedgerPage(farm);
  let turn = turns;
  for (const { number, moment, event } of events) {
    const occasion = {
      at: moment.at,
      day: moment.day,
      currency: farm.currency,
      dayOf: (at: number) => calendar.dayOf(at),
    };
    page.add(number, ++turn, moment, bookEvent(event, occasion, book));
  }
  await page.write(tx);
  return turn;
}
