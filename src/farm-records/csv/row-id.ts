import { hash } from 'node:crypto';
import type { Cells } from './columns.js';

/**
 * Ids for rows that have none of their own: made of what the row says, so that the same file imported again changes nothing. The
 * second row that says exactly the same is another record, the third another.
 */
export class RowIds {
  private readonly seen = new SeenRows();
  private readonly repeated = new Map<string, number>();

  idOf(cells: Cells): string {
    const own = cells.get('id');
    if (own !== undefined) return own;
    const content = JSON.stringify([...cells].sort(([one], [other]) => (one < other ? -1 : 1)));
    const digest = hash('sha256', content, 'buffer');
    const id = digest.toString('base64url').slice(0, 22);
    if (this.seen.add(digest.readBigUInt64LE(24))) return id;
    const nth = (this.repeated.get(id) ?? 1) + 1;
    this.repeated.set(id, nth);
    return `${id}-${nth}`;
  }
}

/** Which rows were there before, in 16 to 32 bytes a row: files may have millions. */
class SeenRows {
  private slots = new BigUint64Array(1024);
  private count = 0;

  /** False when it was there. */
  add(hash: bigint): boolean {
    const slot = this.slotOf(hash || 1n);
    if (this.slots[slot] !== 0n) return false;
    this.slots[slot] = hash || 1n;
    if (++this.count * 2 > this.slots.length) this.grow();
    return true;
  }

  private slotOf(hash: bigint): number {
    let slot = Number(hash & BigInt(this.slots.length - 1));
    while (this.slots[slot] !== 0n && this.slots[slot] !== hash) slot = (slot + 1) % this.slots.length;
    return slot;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new BigUint64Array(before.length * 2);
    for (const hash of before) if (hash !== 0n) this.slots[this.slotOf(hash)] = hash;
  }
}
