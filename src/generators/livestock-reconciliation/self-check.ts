import type { FarmRecords, Period } from '../../farm-records/reader.js';
import { SelfCheckFailed } from '../generator.js';
import { type Book, type ClassKey, describe, GRAIN, keyOf } from './book.js';
import { type StockGroup, together } from './stock-group.js';

/**
 * Throws SelfCheckFailed unless opening + in - out is what the ledger holds at the end of the period, class by class, and
 * what leaves a class or an enterprise of a species arrives in another.
 */
export async function check(book: Book, records: FarmRecords, { end }: Period): Promise<void> {
  const balances = await records.balances(records.calendar.plusDays(end, 1), GRAIN);
  const held = new Map(balances.map((balance) => [keyOf(balance), balance]));
  for (const entry of book.entries) {
    checkClosing(entry, held.get(keyOf(entry))?.head ?? 0, records);
    held.delete(keyOf(entry));
  }
  for (const balance of held.values()) {
    throw new SelfCheckFailed(
      `${describe(balance, records)}: the ledger holds ${balance.head} head that no flow explains`,
    );
  }
  for (const [species, parts] of Map.groupBy(book.entries, (entry) => entry.species))
    checkTransitions(species, parts);
}

function checkClosing(entry: ClassKey & StockGroup, head: number, records: FarmRecords): void {
  const { closing } = entry.account;
  if (closing === head) return;
  throw new SelfCheckFailed(
    `${describe(entry, records)}: opening + in - out is ${closing} head, but the ledger holds ${head}`,
  );
}

function checkTransitions(species: string, parts: readonly StockGroup[]): void {
  const { items } = together(parts).account;
  for (const what of ['class', 'enterprise'] as const) {
    const [arrived, left] = [items[`${what}_in`], items[`${what}_out`]];
    if (arrived !== left)
      throw new SelfCheckFailed(`${species}: ${what}_in is ${arrived} head, ${what}_out ${left}`);
  }
}
