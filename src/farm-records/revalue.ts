import { type StoredFarm, instant } from './farm-rows.js';
import { revalue } from './ledger.js';
import { LedgerPage, type LedgerTransaction } from './ledger-page.js';
import { unbookWhere } from './settle.js';
import { LINE_COLUMNS, type LineColumns, toLine } from './snapshot-sql.js';
import type { StoredRecord } from './store-records.js';

/** Events that are booked in the time that one movement takes to be given another value, as measured. Tests set it lower. */
export const revaluing = { eventsInTheTime: 30 };

const OF_RECORD = 'at = $3 AND record = $4';
const LINES = `
SELECT l.turn::float8, ${LINE_COLUMNS} FROM head_line l
 WHERE l.bucket = $1 AND l.farm_id = $2 AND l.at = $3 AND l.record = $4 ORDER BY l.line`;
const UNBOOK = unbookWhere(OF_RECORD);

/**
 * Gives booked movements the value that their trade has now. No event after them hangs on it, so nothing else is booked again. The farm
 * must be locked by the transaction.
 */
export async function revalueMovements(
  tx: LedgerTransaction,
  farm: StoredFarm,
  movements: readonly StoredRecord[],
): Promise<void> {
  for (const { number, record } of movements) {
    const { moment, statement } = record;
    if (!moment || !statement || !('details' in statement) || statement.does === 'tag') continue;
    const of = [farm.bucket, farm.id, instant(moment.at), number];
    const { rows } = await tx.client.query<[turn: number, ...LineColumns]>({
      rowMode: 'array',
      text: LINES,
      values: of,
    });
    const turn = rows[0]?.[0];
    if (turn === undefined) continue;
    const lines = rows.map(([, ...line]) => toLine(line));
    await tx.query(UNBOOK, of);
    const page = new LedgerPage(farm);
    page.add(number, turn, moment, revalue(lines, statement, farm));
    await page.write(tx);
  }
}
